ALTER TABLE sessions ADD COLUMN sid text COLLATE "C";
CREATE INDEX sessions_by_sid ON sessions (sid) WHERE sid IS NOT NULL;
CREATE TABLE provider_logouts (key text COLLATE "C" PRIMARY KEY, expires_at text COLLATE "C" NOT NULL);
CREATE INDEX provider_logouts_by_expiry ON provider_logouts (expires_at);

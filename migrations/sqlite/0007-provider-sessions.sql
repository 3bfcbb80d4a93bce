ALTER TABLE sessions ADD COLUMN sid TEXT;
CREATE INDEX sessions_by_sid ON sessions (sid) WHERE sid IS NOT NULL;
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE TABLE provider_logouts (key TEXT PRIMARY KEY, expires_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX provider_logouts_by_expiry ON provider_logouts (expires_at);

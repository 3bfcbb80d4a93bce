ALTER TABLE users ADD COLUMN issuer TEXT;
ALTER TABLE users ADD COLUMN subject TEXT;
CREATE UNIQUE INDEX users_by_identity ON users (issuer, subject);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

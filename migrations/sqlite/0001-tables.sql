CREATE TABLE dashboard_schema (version INTEGER NOT NULL) STRICT;
INSERT INTO dashboard_schema VALUES (1);

CREATE TABLE teams (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  org_code TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE users (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  given_name TEXT NOT NULL,
  family_name TEXT NOT NULL,
  picture TEXT NOT NULL,
  issuer TEXT,
  subject TEXT,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX users_by_email ON users (email_key);

CREATE TABLE sessions (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id),
  org_code TEXT,
  permissions TEXT NOT NULL,
  role TEXT,
  note TEXT,
  created_at TEXT,
  last_seen_at TEXT,
  expires_at TEXT,
  revoked_at TEXT,
  sid TEXT
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sessions_by_sid ON sessions (sid) WHERE sid IS NOT NULL;

-- A project is found by its id and its team together: one of another team is not read, which would take time that tells
-- whether it exists. Ids come in ascending order, so that new entries of this index share a page.
CREATE TABLE projects (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  created_at TEXT NOT NULL,
  UNIQUE (id, team_id)
) STRICT;
CREATE INDEX projects_in_order ON projects (team_id, created_at DESC, id DESC);
CREATE INDEX projects_by_name ON projects (team_id, name_key);

CREATE TABLE waitlist (
  position INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  submissions INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX waitlist_in_order ON waitlist (created_at DESC, email);

-- The version of each team: a random text that every change of the team or of its projects replaces, in the transaction
-- that makes it. Equal versions mean equal content, whichever file, backup or program they come from. Beside it, how many
-- projects the team has, and the bytes of their text in JSON.
CREATE TABLE changes (
  scope TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  projects INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TRIGGER project_added AFTER INSERT ON projects BEGIN
  INSERT INTO changes (scope, version, projects, bytes) VALUES (
    new.team_id, lower(hex(randomblob(16))), 1,
    length(CAST(json_quote(new.name) AS BLOB)) + length(CAST(json_quote(coalesce(new.description, '')) AS BLOB))
      + length(CAST(json_quote(new.status) AS BLOB)) - 6
  ) ON CONFLICT (scope) DO UPDATE SET version = excluded.version,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER project_changed AFTER UPDATE ON projects BEGIN
  INSERT INTO changes (scope, version, projects, bytes) VALUES (
    old.team_id, lower(hex(randomblob(16))), -1,
    6 - length(CAST(json_quote(old.name) AS BLOB)) - length(CAST(json_quote(coalesce(old.description, '')) AS BLOB))
      - length(CAST(json_quote(old.status) AS BLOB))
  ) ON CONFLICT (scope) DO UPDATE SET version = excluded.version,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
  INSERT INTO changes (scope, version, projects, bytes) VALUES (
    new.team_id, lower(hex(randomblob(16))), 1,
    length(CAST(json_quote(new.name) AS BLOB)) + length(CAST(json_quote(coalesce(new.description, '')) AS BLOB))
      + length(CAST(json_quote(new.status) AS BLOB)) - 6
  ) ON CONFLICT (scope) DO UPDATE SET version = excluded.version,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER project_removed AFTER DELETE ON projects BEGIN
  INSERT INTO changes (scope, version, projects, bytes) VALUES (
    old.team_id, lower(hex(randomblob(16))), -1,
    6 - length(CAST(json_quote(old.name) AS BLOB)) - length(CAST(json_quote(coalesce(old.description, '')) AS BLOB))
      - length(CAST(json_quote(old.status) AS BLOB))
  ) ON CONFLICT (scope) DO UPDATE SET version = excluded.version,
    projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER team_added AFTER INSERT ON teams BEGIN
  INSERT INTO changes (scope, version) VALUES (new.id, lower(hex(randomblob(16))))
  ON CONFLICT (scope) DO UPDATE SET version = excluded.version;
END;
CREATE TRIGGER team_changed AFTER UPDATE ON teams BEGIN
  INSERT INTO changes (scope, version)
    SELECT value, lower(hex(randomblob(16))) FROM json_each(json_array(old.id, new.id)) WHERE true
  ON CONFLICT (scope) DO UPDATE SET version = excluded.version;
END;
CREATE TRIGGER team_removed AFTER DELETE ON teams BEGIN
  UPDATE changes SET version = lower(hex(randomblob(16))) WHERE scope = old.id;
END;

-- Entries are listed by time, and by user seldom: those of one user are looked for in the whole log.
CREATE TABLE audit_log (
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT,
  via TEXT NOT NULL,
  operator TEXT,
  source TEXT,
  request_id TEXT,
  user_id TEXT,
  session_id TEXT,
  target TEXT,
  details TEXT,
  PRIMARY KEY (at, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE audit_retention (removed_before TEXT NOT NULL) STRICT;
INSERT INTO audit_retention VALUES ('');
CREATE TRIGGER audit_log_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE at = new.at AND id = new.id) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_log_updated BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_log_deleted BEFORE DELETE ON audit_log
WHEN old.at >= (SELECT coalesce(max(removed_before), '') FROM audit_retention) BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TABLE provider_logouts (key TEXT PRIMARY KEY, expires_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX provider_logouts_by_expiry ON provider_logouts (expires_at);

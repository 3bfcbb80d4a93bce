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
  picture TEXT NOT NULL
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
  revoked_at TEXT
) STRICT;

CREATE TABLE projects (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX projects_in_order ON projects (team_id, created_at DESC, id DESC);
CREATE INDEX projects_by_name ON projects (team_id, name_key);

CREATE TABLE waitlist (
  position INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX waitlist_in_order ON waitlist (created_at DESC, email);

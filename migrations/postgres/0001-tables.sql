CREATE TABLE teams (
  position bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  org_code text COLLATE "C" NOT NULL UNIQUE
);
CREATE INDEX teams_in_order ON teams (position);

CREATE TABLE users (
  position bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  email text COLLATE "C" NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  given_name text COLLATE "C" NOT NULL,
  family_name text COLLATE "C" NOT NULL,
  picture text COLLATE "C" NOT NULL,
  issuer text COLLATE "C",
  subject text COLLATE "C",
  UNIQUE (issuer, subject)
);
CREATE INDEX users_by_email ON users (hashtextextended(email_key, 0));

CREATE TABLE sessions (
  position bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  org_code text COLLATE "C",
  permissions text COLLATE "C" NOT NULL,
  role text COLLATE "C",
  note text COLLATE "C",
  created_at text COLLATE "C",
  last_seen_at text COLLATE "C",
  expires_at text COLLATE "C",
  revoked_at text COLLATE "C",
  sid text COLLATE "C"
);
CREATE INDEX sessions_in_order ON sessions (position);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sessions_by_sid ON sessions (sid) WHERE sid IS NOT NULL;

CREATE TABLE projects (
  position bigint GENERATED ALWAYS AS IDENTITY,
  team_id text COLLATE "C" NOT NULL REFERENCES teams (id),
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  status text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (team_id, id)
);
CREATE INDEX projects_in_order ON projects (team_id, created_at DESC, id DESC);
CREATE INDEX projects_by_name ON projects (team_id, hashtextextended(name_key, 0));

CREATE TABLE waitlist (
  position bigint GENERATED ALWAYS AS IDENTITY,
  email text COLLATE "C" PRIMARY KEY,
  created_at text COLLATE "C" NOT NULL,
  submissions integer NOT NULL DEFAULT 1
);
CREATE INDEX waitlist_in_order ON waitlist (created_at DESC, email);

-- The version of each team: a random text that every change of the team or of its projects replaces, in the transaction
-- that makes it. Equal versions mean equal content, whichever server, timeline, backup or program they come from. Beside it,
-- how many projects the team has, and the bytes of their text in JSON. The scope '' is a lock: changes of sessions and teams
-- take it before other rows.
CREATE TABLE changes (
  scope text COLLATE "C" PRIMARY KEY,
  version text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text,
  projects integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO changes (scope) VALUES ('');

CREATE FUNCTION record_team() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (scope) VALUES (new.id) ON CONFLICT DO NOTHING;
  ELSE
    UPDATE changes SET version = gen_random_uuid()::text WHERE scope = old.id;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION record_projects() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (scope, projects, bytes)
      SELECT team_id, count(*), sum(octet_length(to_json(name)::text) - 2
        + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(status)::text) - 2)
      FROM new_rows GROUP BY team_id ORDER BY team_id
    ON CONFLICT (scope) DO UPDATE SET version = excluded.version,
      projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO changes (scope, projects, bytes)
      SELECT team_id, -count(*), -sum(octet_length(to_json(name)::text) - 2
        + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(status)::text) - 2)
      FROM old_rows GROUP BY team_id ORDER BY team_id
    ON CONFLICT (scope) DO UPDATE SET version = excluded.version,
      projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
  ELSE
    INSERT INTO changes (scope, projects, bytes)
      SELECT team_id, sum(sign), sum(sign * (octet_length(to_json(name)::text) - 2
        + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(status)::text) - 2))
      FROM (SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows) AS changed
      GROUP BY team_id ORDER BY team_id
    ON CONFLICT (scope) DO UPDATE SET version = excluded.version,
      projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION record_no_projects() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE changes SET version = gen_random_uuid()::text, projects = 0, bytes = 0;
  RETURN NULL;
END $$;

CREATE TRIGGER projects_insert AFTER INSERT ON projects REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_projects();
CREATE TRIGGER projects_update AFTER UPDATE ON projects REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_projects();
CREATE TRIGGER projects_delete AFTER DELETE ON projects REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_projects();
CREATE TRIGGER projects_truncate AFTER TRUNCATE ON projects EXECUTE FUNCTION record_no_projects();
CREATE TRIGGER teams_changed AFTER INSERT OR UPDATE OR DELETE ON teams FOR EACH ROW EXECUTE FUNCTION record_team();

CREATE UNLOGGED TABLE request_counts (
  key text COLLATE "C" PRIMARY KEY,
  requests integer NOT NULL,
  ends_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX request_counts_by_end ON request_counts (ends_at);

-- Entries are listed by time, and by user seldom: those of one user are looked for in the whole log.
CREATE TABLE audit_log (
  id text COLLATE "C" NOT NULL,
  at text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  reason text COLLATE "C",
  via text COLLATE "C" NOT NULL,
  operator text COLLATE "C",
  source text COLLATE "C",
  request_id text COLLATE "C",
  user_id text COLLATE "C",
  session_id text COLLATE "C",
  target text COLLATE "C",
  details text COLLATE "C",
  PRIMARY KEY (at, id)
);
CREATE TABLE audit_retention (removed_before text COLLATE "C" PRIMARY KEY);
INSERT INTO audit_retention VALUES ('');

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.at < (SELECT max(removed_before) FROM audit_retention) THEN RETURN old; END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_log_changed BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_truncated BEFORE TRUNCATE ON audit_log EXECUTE FUNCTION refuse_audit_change();

CREATE TABLE provider_logouts (key text COLLATE "C" PRIMARY KEY, expires_at text COLLATE "C" NOT NULL);
CREATE INDEX provider_logouts_by_expiry ON provider_logouts (expires_at);

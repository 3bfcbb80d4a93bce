CREATE TABLE teams (
  position bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  org_code text COLLATE "C" NOT NULL UNIQUE
);

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
  revoked_at text COLLATE "C"
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

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
CREATE UNIQUE INDEX projects_unique_ids ON projects (id);
CREATE INDEX projects_in_order ON projects (team_id, created_at DESC, id DESC);
CREATE INDEX projects_by_name ON projects (team_id, hashtextextended(name_key, 0));

CREATE TABLE waitlist (
  position bigint GENERATED ALWAYS AS IDENTITY,
  email text COLLATE "C" PRIMARY KEY,
  created_at text COLLATE "C" NOT NULL,
  submissions integer NOT NULL DEFAULT 1
);
CREATE INDEX waitlist_in_order ON waitlist (created_at DESC, email);

-- The last change of each scope and its size, for caches: a team id for the team's projects, and '' for everything
-- else that responses depend on. A change is told by the transaction that made it: a sequence hands its numbers out
-- before the commit, and they become visible in another order.
CREATE TABLE changes (
  scope text COLLATE "C" PRIMARY KEY,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  projects integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX changes_in_order ON changes (changed_in);
INSERT INTO changes (scope) VALUES ('');

CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO changes (scope) VALUES ('') ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in
    WHERE changes.changed_in <> excluded.changed_in;
  RETURN NULL;
END $$;
CREATE FUNCTION record_team() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO changes (scope) VALUES (new.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION record_projects() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (scope, projects, bytes)
      SELECT team_id, count(*), sum(octet_length(to_json(coalesce(name, ''))::text) - 2 + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(coalesce(status, ''))::text) - 2) FROM new_rows GROUP BY team_id ORDER BY team_id
    ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in,
      projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO changes (scope, projects, bytes)
      SELECT team_id, -count(*), -sum(octet_length(to_json(coalesce(name, ''))::text) - 2 + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(coalesce(status, ''))::text) - 2) FROM old_rows GROUP BY team_id ORDER BY team_id
    ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in,
      projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
  ELSE
    INSERT INTO changes (scope, projects, bytes)
      SELECT team_id, sum(added), sum(bytes) FROM (
        SELECT team_id, 1 AS added, octet_length(to_json(coalesce(name, ''))::text) - 2 + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(coalesce(status, ''))::text) - 2 AS bytes FROM new_rows
        UNION ALL SELECT team_id, -1, -(octet_length(to_json(coalesce(name, ''))::text) - 2 + octet_length(to_json(coalesce(description, ''))::text) - 2 + octet_length(to_json(coalesce(status, ''))::text) - 2) FROM old_rows
      ) AS growth GROUP BY team_id ORDER BY team_id
    ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in,
      projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION record_no_projects() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE changes SET changed_in = pg_current_xact_id(), projects = 0, bytes = 0;
  RETURN NULL;
END $$;

CREATE TRIGGER projects_insert AFTER INSERT ON projects REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_projects();
CREATE TRIGGER projects_update AFTER UPDATE ON projects REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_projects();
CREATE TRIGGER projects_delete AFTER DELETE ON projects REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_projects();
CREATE TRIGGER projects_truncate AFTER TRUNCATE ON projects EXECUTE FUNCTION record_no_projects();
CREATE TRIGGER teams_added AFTER INSERT ON teams FOR EACH ROW EXECUTE FUNCTION record_team();
CREATE TRIGGER teams_inserted AFTER INSERT ON teams FOR EACH ROW EXECUTE FUNCTION record_change();

CREATE TRIGGER teams_updated AFTER UPDATE ON teams FOR EACH ROW
  WHEN ((old.id, old.name, old.org_code) IS DISTINCT FROM (new.id, new.name, new.org_code)) EXECUTE FUNCTION record_change();
CREATE TRIGGER teams_deleted AFTER DELETE ON teams FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER teams_truncated AFTER TRUNCATE ON teams EXECUTE FUNCTION record_change();

CREATE TRIGGER users_updated AFTER UPDATE ON users FOR EACH ROW
  WHEN ((old.id, old.email, old.given_name, old.family_name, old.picture) IS DISTINCT FROM (new.id, new.email, new.given_name, new.family_name, new.picture)) EXECUTE FUNCTION record_change();
CREATE TRIGGER users_deleted AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER users_truncated AFTER TRUNCATE ON users EXECUTE FUNCTION record_change();

CREATE TRIGGER sessions_updated AFTER UPDATE ON sessions FOR EACH ROW
  WHEN ((old.id, old.user_id, old.org_code, old.permissions, old.created_at, old.expires_at, old.revoked_at) IS DISTINCT FROM (new.id, new.user_id, new.org_code, new.permissions, new.created_at, new.expires_at, new.revoked_at)) EXECUTE FUNCTION record_change();
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION record_change();
CREATE TRIGGER sessions_truncated AFTER TRUNCATE ON sessions EXECUTE FUNCTION record_change();

/** The length of a project's text in JSON, in SQL. The same as `projectBytes`. */
export const projectBytes = ['name', 'description', 'status']
  .map((column) => `octet_length(to_json(coalesce(${column}, ''))::text) - 2`)
  .join(' + ')

/** A trigger of the change feed on rows of which responses show the given columns. */
const recording = (table: string, columns: string[]) => {
  const row = (name: string) => `(${columns.map((column) => `${name}.${column}`).join(', ')})`
  return `
    CREATE TRIGGER ${table}_updated AFTER UPDATE ON ${table} FOR EACH ROW
      WHEN (${row('old')} IS DISTINCT FROM ${row('new')}) EXECUTE FUNCTION record_change();
    CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION record_change();
    CREATE TRIGGER ${table}_truncated AFTER TRUNCATE ON ${table} EXECUTE FUNCTION record_change();`
}

const recordingSize = (event: string, rows: string) =>
  `CREATE TRIGGER projects_${event.toLowerCase()} AFTER ${event} ON projects REFERENCING ${rows}
     FOR EACH STATEMENT EXECUTE FUNCTION record_projects();`

/**
 * The migrations, in order. The version of a database is the number of migrations that were run on it. A released
 * migration never changes: a change of the schema is a new one, and the release before it has to work with it.
 *
 * `position` is the insertion order. Text is compared by its bytes (COLLATE "C"), as in the other stores. Times are text,
 * so that they come back as they were stored. Names and addresses of any length are indexed by their hash.
 */
export const migrations = [
  `CREATE TABLE teams (
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
         SELECT team_id, count(*), sum(${projectBytes}) FROM new_rows GROUP BY team_id ORDER BY team_id
       ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in,
         projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
     ELSIF TG_OP = 'DELETE' THEN
       INSERT INTO changes (scope, projects, bytes)
         SELECT team_id, -count(*), -sum(${projectBytes}) FROM old_rows GROUP BY team_id ORDER BY team_id
       ON CONFLICT (scope) DO UPDATE SET changed_in = excluded.changed_in,
         projects = changes.projects + excluded.projects, bytes = changes.bytes + excluded.bytes;
     ELSE
       INSERT INTO changes (scope, projects, bytes)
         SELECT team_id, sum(added), sum(bytes) FROM (
           SELECT team_id, 1 AS added, ${projectBytes} AS bytes FROM new_rows
           UNION ALL SELECT team_id, -1, -(${projectBytes}) FROM old_rows
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

   ${recordingSize('INSERT', 'NEW TABLE AS new_rows')}
   ${recordingSize('UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows')}
   ${recordingSize('DELETE', 'OLD TABLE AS old_rows')}
   CREATE TRIGGER projects_truncate AFTER TRUNCATE ON projects EXECUTE FUNCTION record_no_projects();
   CREATE TRIGGER teams_added AFTER INSERT ON teams FOR EACH ROW EXECUTE FUNCTION record_team();
   CREATE TRIGGER teams_inserted AFTER INSERT ON teams FOR EACH ROW EXECUTE FUNCTION record_change();
   ${recording('teams', ['id', 'name', 'org_code'])}
   ${recording('users', ['id', 'email', 'given_name', 'family_name', 'picture'])}
   ${recording('sessions', ['id', 'user_id', 'org_code', 'permissions', 'created_at', 'expires_at', 'revoked_at'])}`,

  // Every key of projects begins with the team. Counts of requests are few, short-lived, and may be lost in a crash.
  `DROP INDEX projects_unique_ids;

   CREATE UNLOGGED TABLE request_counts (
     key text COLLATE "C" PRIMARY KEY,
     requests integer NOT NULL,
     ends_at timestamptz NOT NULL
   ) WITH (fillfactor = 50);
   CREATE INDEX request_counts_by_end ON request_counts (ends_at);`,

  // The audit log. Entries are only added; those from before removed_before can be deleted.
  `CREATE TABLE audit_log (
     id text COLLATE "C" PRIMARY KEY,
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
     details text COLLATE "C"
   );
   CREATE INDEX audit_log_in_order ON audit_log (at, id);
   CREATE INDEX audit_log_by_user ON audit_log (user_id, at, id);
   CREATE TABLE audit_retention (removed_before text COLLATE "C" NOT NULL);
   INSERT INTO audit_retention VALUES ('');

   CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF TG_OP = 'DELETE' THEN
       IF old.at < (SELECT max(removed_before) FROM audit_retention) THEN RETURN old; END IF;
     END IF;
     RAISE EXCEPTION 'the audit log is append-only';
   END $$;
   CREATE TRIGGER audit_log_changed BEFORE UPDATE OR DELETE ON audit_log
     FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
   CREATE TRIGGER audit_log_truncated BEFORE TRUNCATE ON audit_log EXECUTE FUNCTION refuse_audit_change();`,

  // Which session of the identity provider a session belongs to, and which messages about them were received.
  `ALTER TABLE sessions ADD COLUMN sid text COLLATE "C";
   CREATE INDEX sessions_by_sid ON sessions (sid) WHERE sid IS NOT NULL;
   CREATE TABLE provider_logouts (key text COLLATE "C" PRIMARY KEY, expires_at text COLLATE "C" NOT NULL);
   CREATE INDEX provider_logouts_by_expiry ON provider_logouts (expires_at);`,
]

/** The newest version of the database that this program knows. */
export const knownPostgresVersion = migrations.length

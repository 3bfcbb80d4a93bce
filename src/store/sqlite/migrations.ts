/** Marks a database file as ours: "DAPI", at offset 68 of its header. */
export const applicationId = 0x44415049

/** A trigger that gives a scope the next serial. */
const recording = (name: string, event: string, scope: string) =>
  `CREATE TRIGGER ${name} AFTER ${event} BEGIN
     INSERT INTO changes VALUES (${scope}, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;`

/** What recording triggers watch: their name, the event, and the scope that it changes. */
const recorded = {
  project_added: ['INSERT ON projects', 'new.team_id'],
  project_changed: ['UPDATE ON projects', 'new.team_id'],
  project_moved: ['UPDATE OF team_id ON projects WHEN old.team_id IS NOT new.team_id', 'old.team_id'],
  project_removed: ['DELETE ON projects', 'old.team_id'],
  team_added: ['INSERT ON teams', "''"],
  team_changed: ['UPDATE ON teams', "''"],
  team_removed: ['DELETE ON teams', "''"],
  user_changed: [
    `UPDATE ON users WHEN (old.id, old.email, old.given_name, old.family_name, old.picture)
          IS NOT (new.id, new.email, new.given_name, new.family_name, new.picture)`,
    "''",
  ],
  user_removed: ['DELETE ON users', "''"],
  session_changed: [
    'UPDATE OF id, user_id, org_code, permissions, created_at, expires_at, revoked_at ON sessions',
    "''",
  ],
  session_removed: ['DELETE ON sessions', "''"],
} as const

const triggers = Object.entries(recorded)

/** The length of a project's text in JSON. The same as `projectBytes`. */
const bytesOf = (row: string) =>
  ['name', 'description', 'status']
    .map((column) => `length(CAST(json_quote(coalesce(${row}${column}, '')) AS BLOB)) - 2`)
    .join(' + ')

/** How the size of a scope changes, with the triggers on projects: by how many projects, and by how many bytes. */
const growth: { [Name in keyof typeof recorded]?: [projects: string, bytes: string] } = {
  project_added: ['1', bytesOf('new.')],
  project_changed: [
    'old.team_id IS NOT new.team_id',
    `${bytesOf('new.')} - iif(old.team_id IS new.team_id, ${bytesOf('old.')}, 0)`,
  ],
  project_moved: ['-1', `-(${bytesOf('old.')})`],
  project_removed: ['-1', `-(${bytesOf('old.')})`],
}

/** A trigger that gives a scope the next serial and its new size. */
const recordingSize = (name: string, event: string, scope: string, [projects, bytes] = ['0', '0']) =>
  `CREATE TRIGGER ${name} AFTER ${event} BEGIN
     INSERT INTO changes VALUES
       (${scope}, (SELECT coalesce(max(serial), 0) + 1 FROM changes), ${projects}, ${bytes})
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial,
       projects = projects + excluded.projects, bytes = bytes + excluded.bytes;
   END;`

/** A trigger that refuses an event on the audit log. */
const appendOnly = (name: string, event: string, condition: string) =>
  `CREATE TRIGGER audit_log_${name} BEFORE ${event} ON audit_log WHEN ${condition} BEGIN
     SELECT RAISE(ABORT, 'the audit log is append-only');
   END;`

/**
 * The migrations, in order. The version of a database is the number of migrations that were run on it. A released
 * migration never changes: a change of the schema is a new one. It only adds: tables, columns that may be left out,
 * indexes. So a program works with the schema of the next release, see `oldestProgram`.
 *
 * `position` is the insertion order. A project's name_key is indexed and not unique: two concurrent creations with the
 * same name may both succeed (4.1, rule 2).
 */
export const migrations = [
  `CREATE TABLE teams (
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
   CREATE INDEX waitlist_in_order ON waitlist (created_at DESC, email);`,

  // Users of an identity provider have issuer and subject. The others have neither: NULLs never conflict in a unique
  // index.
  `ALTER TABLE users ADD COLUMN issuer TEXT;
   ALTER TABLE users ADD COLUMN subject TEXT;
   CREATE UNIQUE INDEX users_by_identity ON users (issuer, subject);
   CREATE INDEX sessions_by_expiry ON sessions (expires_at);`,

  // The last change of each scope, for caches: a team id for the team's projects, and '' for everything else that
  // responses depend on. Triggers record it, so that every program that writes does. A session's last use, a new
  // session and the waitlist are in no cached response.
  `CREATE TABLE changes (scope TEXT PRIMARY KEY, serial INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE INDEX changes_in_order ON changes (serial);
   ${triggers.map(([name, [event, scope]]) => recording(name, event, scope)).join('\n')}`,

  // The size of each team, beside its last change: a commit that changes one writes the other too, on the same page.
  // The waitlist counts how often an address was submitted, so that a known address is written like a new one.
  `ALTER TABLE changes ADD COLUMN projects INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE changes ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
   INSERT INTO changes
     SELECT team_id, 0, count(*), sum(${bytesOf('')}) FROM projects WHERE true GROUP BY team_id
     ON CONFLICT (scope) DO UPDATE SET projects = excluded.projects, bytes = excluded.bytes;
   ${triggers.map(([name]) => `DROP TRIGGER ${name};`).join('\n')}
   ${triggers.map(([name, [event, scope]]) => recordingSize(name, event, scope, growth[name as keyof typeof growth])).join('\n')}
   ALTER TABLE waitlist ADD COLUMN submissions INTEGER NOT NULL DEFAULT 1;`,

  // The version, which was `user_version` so far. That has the oldest program's from here on.
  `CREATE TABLE dashboard_schema (version INTEGER NOT NULL) STRICT;
   INSERT INTO dashboard_schema VALUES (5);`,

  // The audit log. Entries are only added; those from before removed_before can be deleted. INSERT OR REPLACE would delete
  // one without the trigger of DELETE.
  `CREATE TABLE audit_log (
     id TEXT PRIMARY KEY,
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
     details TEXT
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX audit_log_in_order ON audit_log (at, id);
   CREATE INDEX audit_log_by_user ON audit_log (user_id, at, id);
   CREATE TABLE audit_retention (removed_before TEXT NOT NULL) STRICT;
   INSERT INTO audit_retention VALUES ('');
   ${appendOnly('replaced', 'INSERT', 'EXISTS (SELECT 1 FROM audit_log WHERE id = new.id)')}
   ${appendOnly('updated', 'UPDATE', 'true')}
   ${appendOnly('deleted', 'DELETE', "old.at >= (SELECT coalesce(max(removed_before), '') FROM audit_retention)")}`,

  // Which session of the identity provider a session belongs to, and which messages about them were received.
  `ALTER TABLE sessions ADD COLUMN sid TEXT;
   CREATE INDEX sessions_by_sid ON sessions (sid) WHERE sid IS NOT NULL;
   CREATE INDEX sessions_by_user ON sessions (user_id);
   CREATE TABLE provider_logouts (key TEXT PRIMARY KEY, expires_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE INDEX provider_logouts_by_expiry ON provider_logouts (expires_at);`,

  // Tells whether a team has a project without reading one of another team: the time of a response must not tell that it exists.
  `CREATE INDEX projects_by_id_and_team ON projects (id, team_id);`,
]

/** The newest version of the database that this program knows. */
export const knownVersion = migrations.length

/**
 * The oldest program that works with a database of the newest version: the version that it knows, 3 for release 0.2. It is
 * the `user_version` in the header of the file, where that release looks for the only version that it accepts. A migration
 * that does more than add raises it.
 */
export const oldestProgram = 3

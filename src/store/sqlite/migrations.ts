import { StoreUnavailableError } from '../store.js'
import type { Connection } from './connection.js'
import { DatabaseRefusedError } from './database-errors.js'
import { transaction } from './writer.js'

/** Marks a database file as ours: "DAPI", at offset 68 of its header. */
export const applicationId = 0x44415049

/** A trigger that gives a scope the next serial. */
const recording = (name: string, event: string, scope: string) =>
  `CREATE TRIGGER ${name} AFTER ${event} BEGIN
     INSERT INTO changes VALUES (${scope}, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;`

/**
 * The migrations, in order. The version of a database is the number of migrations that were run on it. A released
 * migration never changes: a change of the schema is a new one.
 *
 * `position` is the insertion order. A project's name_key is indexed and not unique: two concurrent creations with the
 * same name may both succeed (4.1, rule 2).
 */
const migrations = [
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
   ${[
     recording('project_added', 'INSERT ON projects', 'new.team_id'),
     recording('project_changed', 'UPDATE ON projects', 'new.team_id'),
     recording(
       'project_moved',
       'UPDATE OF team_id ON projects WHEN old.team_id IS NOT new.team_id',
       'old.team_id',
     ),
     recording('project_removed', 'DELETE ON projects', 'old.team_id'),
     recording('team_added', 'INSERT ON teams', "''"),
     recording('team_changed', 'UPDATE ON teams', "''"),
     recording('team_removed', 'DELETE ON teams', "''"),
     recording(
       'user_changed',
       `UPDATE ON users WHEN (old.id, old.email, old.given_name, old.family_name, old.picture)
          IS NOT (new.id, new.email, new.given_name, new.family_name, new.picture)`,
       "''",
     ),
     recording('user_removed', 'DELETE ON users', "''"),
     recording(
       'session_changed',
       'UPDATE OF id, user_id, org_code, permissions, created_at, expires_at, revoked_at ON sessions',
       "''",
     ),
     recording('session_removed', 'DELETE ON sessions', "''"),
   ].join('\n')}`,
]

/** The newest version of the database that this program knows. */
export const knownVersion = migrations.length

/** @throws DatabaseRefusedError for a version that is newer than this program knows */
export function refuseNewer(file: string, version: number): void {
  if (version <= knownVersion) return
  throw new DatabaseRefusedError(
    file,
    `it has version ${version}, and this program knows versions up to ${knownVersion}`,
    'Use the program that made it, or a newer one; or choose another file.',
  )
}

export const notOurs = (file: string) =>
  new DatabaseRefusedError(
    file,
    'it is the database of another program',
    'Choose another file: this one was not changed.',
  )

/** Migrates a database, which may be empty, to the version that this program knows. */
export async function migrate(file: string, connection: Connection): Promise<void> {
  if ((await readVersion(connection)) === knownVersion) return

  await transaction(connection, async () => {
    // Read again under the lock: another process may have migrated it meanwhile.
    const version = await readVersion(connection)
    const { application, isEmpty } = await readOwner(connection)
    if (!isEmpty && application !== applicationId) throw notOurs(file)
    refuseNewer(file, version)

    // This transaction runs before the switch to WAL, so that the id is in the file's header from then on.
    if (isEmpty) await connection.exec(`PRAGMA application_id = ${applicationId}`)
    for (const migration of migrations.slice(version)) await connection.exec(migration)
    await connection.exec(`PRAGMA user_version = ${knownVersion}`)
  })
}

/**
 * Writes the version that the database has already: a page goes to the log as with any other write.
 * @throws StoreUnavailableError where it is not the version that this program knows
 */
export async function rewriteVersion(file: string, connection: Connection): Promise<void> {
  const version = await readVersion(connection)
  if (version !== knownVersion) {
    const message = `The database ${file} has version ${version} now; this program knows ${knownVersion}`
    throw new StoreUnavailableError(message)
  }
  await connection.exec(`PRAGMA user_version = ${knownVersion}`)
}

/** The schema version, as of the last commit. The one in the file's header may be older. */
export async function readVersion(connection: Connection): Promise<number> {
  const [row] = await connection.all<{ version: number }>(
    'SELECT user_version AS version FROM pragma_user_version',
  )
  return row?.version ?? 0
}

/** Which program's database it is, and whether it has no tables yet. */
export async function readOwner(connection: Connection) {
  const [row] = await connection.all<{ application: number; tables: number }>(
    `SELECT application_id AS application, (SELECT count(*) FROM sqlite_schema) AS tables
     FROM pragma_application_id`,
  )
  return { application: row?.application, isEmpty: row?.tables === 0 }
}

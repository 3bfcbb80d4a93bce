import { StoreUnavailableError } from '../store.js'
import type { Connection } from './connection.js'
import { DatabaseRefusedError } from './database-errors.js'
import { transaction } from './writer.js'

/** Marks a database file as ours: "DAPI", at offset 68 of its header. */
export const applicationId = 0x44415049

/** A trigger that gives a scope the next number. */
const noting = (name: string, event: string, scope: string) =>
  `CREATE TRIGGER ${name} AFTER ${event} BEGIN
     INSERT INTO changes VALUES (${scope}, (SELECT coalesce(max(serial), 0) + 1 FROM changes))
     ON CONFLICT (scope) DO UPDATE SET serial = excluded.serial;
   END;`

/**
 * What takes a database from one version to the next; the version is the number of those that were run.
 * An entry that was released is never changed: a change is a new entry.
 *
 * `position` keeps the order in which records were added. A project's name_key is indexed and not unique:
 * two concurrent creations with the same name may both succeed (4.1, rule 2).
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

  // Who signed in at an identity provider is known by issuer and subject; the others have neither, and NULLs
  // are never the same to a unique index.
  `ALTER TABLE users ADD COLUMN issuer TEXT;
   ALTER TABLE users ADD COLUMN subject TEXT;
   CREATE UNIQUE INDEX users_by_identity ON users (issuer, subject);
   CREATE INDEX sessions_by_expiry ON sessions (expires_at);`,

  // What changed last, for those who keep answers: the projects of which teams, and as scope '' whatever else
  // says who may see what. Triggers note it, so that no program that writes can forget to. That a session was used
  // or added, and who joined the waitlist, is in no answer that was given.
  `CREATE TABLE changes (scope TEXT PRIMARY KEY, serial INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE INDEX changes_in_order ON changes (serial);
   ${[
     noting('project_added', 'INSERT ON projects', 'new.team_id'),
     noting('project_changed', 'UPDATE ON projects', 'new.team_id'),
     noting(
       'project_moved',
       'UPDATE OF team_id ON projects WHEN old.team_id IS NOT new.team_id',
       'old.team_id',
     ),
     noting('project_removed', 'DELETE ON projects', 'old.team_id'),
     noting('team_added', 'INSERT ON teams', "''"),
     noting('team_changed', 'UPDATE ON teams', "''"),
     noting('team_removed', 'DELETE ON teams', "''"),
     noting(
       'user_changed',
       `UPDATE ON users WHEN (old.id, old.email, old.given_name, old.family_name, old.picture)
          IS NOT (new.id, new.email, new.given_name, new.family_name, new.picture)`,
       "''",
     ),
     noting('user_removed', 'DELETE ON users', "''"),
     noting(
       'session_changed',
       'UPDATE OF id, user_id, org_code, permissions, created_at, expires_at, revoked_at ON sessions',
       "''",
     ),
     noting('session_removed', 'DELETE ON sessions', "''"),
   ].join('\n')}`,
]

/** The newest version of the database that this program knows. */
export const knownVersion = migrations.length

/** Refuses a version that this program does not know. */
export function refuseNewer(file: string, version: number): void {
  if (version <= knownVersion) return
  throw new DatabaseRefusedError(
    file,
    `it has version ${version}, and this program knows versions up to ${knownVersion}`,
    'Use the program that made it, or a newer one; or choose another file.',
  )
}

/** Refuses the database of another program. */
export const notOurs = (file: string) =>
  new DatabaseRefusedError(
    file,
    'it is the database of another program',
    'Choose another file: this one was left as it is.',
  )

/** Brings a database, which may be empty, to the version that this program knows. */
export async function migrate(file: string, handle: Connection): Promise<void> {
  if ((await readMarks(handle)).version === knownVersion) return

  await transaction(handle, async () => {
    // Read again under the lock: another process may have been faster.
    const marks = await readMarks(handle)
    const isNew = marks.tables === 0
    if (!isNew && marks.application !== applicationId) throw notOurs(file)
    refuseNewer(file, marks.version)

    // This first transaction comes before the change to WAL, so the mark is in the file itself from then on.
    if (isNew) await handle.exec(`PRAGMA application_id = ${applicationId}`)
    for (const migration of migrations.slice(marks.version)) await handle.exec(migration)
    await handle.exec(`PRAGMA user_version = ${knownVersion}`)
  })
}

/**
 * Writes the version that is there already: a page goes to the log as with any other write, and nothing changes.
 * @throws StoreUnavailableError where it is not the version that this program knows
 */
export async function rewriteVersion(file: string, handle: Connection): Promise<void> {
  const { version } = await readMarks(handle)
  if (version !== knownVersion) {
    const message = `The database ${file} has version ${version} now; this program knows ${knownVersion}`
    throw new StoreUnavailableError(message)
  }
  await handle.exec(`PRAGMA user_version = ${knownVersion}`)
}

type Marks = { application: number; version: number; tables: number }

export async function readMarks(handle: Connection): Promise<Marks> {
  const [marks] = await handle.all<Marks>(
    `SELECT application_id AS application, user_version AS version,
            (SELECT count(*) FROM sqlite_schema) AS tables
     FROM pragma_application_id, pragma_user_version`,
  )
  return marks as Marks
}

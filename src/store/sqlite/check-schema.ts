import { DatabaseRefusedError } from '../database-refused.js'
import { readMigrations } from '../read-migrations.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { withConnection } from './connection.js'
import { applicationId, knownVersion, readSchema } from './schema-version.js'

type SchemaObject = { type: string; name: string; sql: string | null }

/** Tables of SQLite and Litestream, which change no records. */
const tablesOfOthers = /^(sqlite_|_litestream_(seq|lock)$)/

/**
 * Compares the schema of a database with that of a new one of its version. A trigger of another program could give a session
 * other permissions. Indexes may be added, unless they are unique.
 * @returns foreign or missing objects; undefined if there are none
 */
export async function findForeignSchema(connection: SqlConnection): Promise<string | undefined> {
  const { version } = await readSchema(connection)
  const ours = await withConnection(':memory:', 'create', 0, async (fresh) => {
    for (const migration of (await readMigrations('sqlite')).slice(0, version)) await fresh.exec(migration)
    return readObjects(fresh)
  })
  const found = await readObjects(connection)
  const known = new Map(ours)
  const foreign = found.filter(([name, sql]) => known.get(name) !== sql && !isAllowed(name, sql))
  const present = new Map(found)
  // A newer version may have replaced known objects.
  const missing = version > knownVersion ? [] : [...known.keys()].filter((name) => !present.has(name))
  const faults = [
    ...foreign.map(([name]) => `${name} is not of this program`),
    ...missing.map((name) => `${name} is missing`),
  ]
  return faults.length > 0 ? faults.join('; ') : undefined

  /** Later versions add tables, columns and indexes. This program would not know their triggers or views. */
  function isAllowed(object: string, sql: string): boolean {
    const [type, name = ''] = object.split(' ')
    if (type === 'table') return version > knownVersion || tablesOfOthers.test(name)
    return type === 'index' && !known.has(object) && /^(CREATE INDEX|$)/i.test(sql)
  }
}

/** The statements of a schema by type and name, with single spaces: earlier releases indented differently. */
async function readObjects(connection: SqlConnection): Promise<[name: string, sql: string][]> {
  const objects = await connection.all<SchemaObject>(
    'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name',
  )
  return objects.map(({ type, name, sql }) => [`${type} ${name}`, (sql ?? '').replace(/\s+/g, ' ').trim()])
}

/** @throws DatabaseRefusedError if the database has triggers, views or tables of another program */
export async function refuseForeignSchema(file: string, connection: SqlConnection): Promise<void> {
  const foreign = await findForeignSchema(connection)
  if (foreign === undefined) return
  const hint = 'Find out who changed it; restore another backup.'
  throw new DatabaseRefusedError(file, `its schema was changed (${foreign})`, hint)
}

export const notOurs = (file: string) =>
  new DatabaseRefusedError(
    file,
    'it is the database of another program',
    'Choose another file: this one was not changed.',
  )

/** @throws DatabaseRefusedError if the database has tables of another program */
export async function requireOurs(connection: SqlConnection, file: string): Promise<void> {
  const [row] = await connection.all<{ application: number; tables: number }>(
    `SELECT application_id AS application, (SELECT count(*) FROM sqlite_schema) AS tables
     FROM pragma_application_id`,
  )
  if (row?.tables === 0 || row?.application === applicationId) return
  if (row?.application !== 0 || !(await isRebuilt(connection, file))) throw notOurs(file)
}

/**
 * Whether a database without a mark has the tables of this program: rebuilt from `.dump`, which has neither the mark nor the
 * version of the header.
 * @throws DatabaseRefusedError if it has them, and others too, or is newer: which programs work with it is not known
 */
export async function isRebuilt(connection: SqlConnection, file: string): Promise<boolean> {
  const [row] = await connection.all<{ tables: number }>(
    `SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'dashboard_schema'`,
  )
  if (!row?.tables) return false
  const { version } = await readSchema(connection)
  const isNewer = version > knownVersion
  const foreign = isNewer ? `it has version ${version}` : await findForeignSchema(connection)
  if (foreign === undefined) return true
  throw new DatabaseRefusedError(
    file,
    `it lacks the mark of this program, as a file that was rebuilt from .dump does, and ${foreign}`,
    `Remove what was added; or copy the file itself, with: sqlite3 OLD "VACUUM INTO 'NEW'"`,
  )
}

import { refuseNewer, refuseOlder } from '../database-version.js'
import { readMigrations } from '../read-migrations.js'
import { StoreUnavailableError } from '../store.js'
import { appendEntries, migrationEntry } from './audit.js'
import type { Dialect, SqlConnection, SqlDatabase } from './sql-database.js'

/**
 * Runs the missing migrations of a database, which may be empty, within the transaction of the caller. A newer version stays,
 * if this program works with it.
 * @param refusesOlder migrate only an empty database
 * @returns the version before, 0 for an empty database
 * @throws DatabaseRefusedError if the database belongs to another program, or is too new
 */
export async function migrate(
  name: string,
  connection: SqlConnection,
  dialect: Dialect,
  refusesOlder: boolean,
): Promise<number> {
  const { kind, known } = dialect
  await dialect.requireOurs(connection, name)
  const schema = await dialect.readSchema(connection, name)
  const { version } = schema
  refuseNewer(name, schema, known)
  if (version > 0 && refusesOlder) refuseOlder(name, schema, known, dialect.copyBefore?.(name))
  if (version >= known) return version
  for (const migration of (await readMigrations(kind)).slice(version)) await connection.exec(migration)
  await connection.exec(dialect.setVersion(version))
  await appendEntries(connection, dialect, [migrationEntry(version, known)])
  return version
}

/**
 * Checks that this program still works with a database. Where the version cannot be read, requests may succeed nevertheless.
 * @throws StoreUnavailableError
 */
export async function requireKnownVersion({ name, dialect, snapshot }: SqlDatabase): Promise<void> {
  const { known, readSchema } = dialect
  const schema = await snapshot((connection) => readSchema(connection, name)).catch(() => undefined)
  const { version = 0, oldest = 0 } = schema ?? {}
  if (version === 0 || (version >= known && oldest <= known)) return
  const found = `version ${version} now, for programs that know version ${oldest}`
  throw new StoreUnavailableError(`The database ${name} has ${found}; this program knows version ${known}`)
}

import { refuseNewer, refuseOlder } from '../database-version.js'
import { readMigrations } from '../read-migrations.js'
import { StoreUnavailableError } from '../store.js'
import { appendEntries, migrationEntry } from './audit.js'
import type { Dialect, SqlConnection } from './sql-database.js'

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
 * Writes the stored version again, to test whether the database accepts writes.
 * @throws StoreUnavailableError if this program no longer works with the database
 */
export async function rewriteVersion(
  name: string,
  connection: SqlConnection,
  { known, readSchema, rewriteVersion: rewrite }: Dialect,
): Promise<void> {
  const { version, oldest } = await readSchema(connection, name)
  if (version < known || oldest > known) {
    const found = `version ${version} now, for programs that know version ${oldest}`
    throw new StoreUnavailableError(`The database ${name} has ${found}; this program knows version ${known}`)
  }
  await connection.exec(rewrite(oldest))
}

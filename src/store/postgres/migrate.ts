import { setTimeout as wait } from 'node:timers/promises'
import { refuseNewer, refuseOlder } from '../database-version.js'
import { readMigrations } from '../read-migrations.js'
import { appendEntries, migrationEntry } from '../sql/audit.js'
import { runTransaction } from '../sql/run-transaction.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { isConflict } from './database-errors.js'
import { postgresDialect } from './dialect.js'
import { knownVersion, readSchema, requireEmpty } from './schema-version.js'

/** Nodes that start at once migrate one after the other: a lock of this program's own. */
const migrationLock = 0x44415049

/**
 * How long a migration waits for a lock on a table, in milliseconds. Requests wait behind it meanwhile, so it gives up and
 * tries again after they have run.
 */
const lockTimeoutMs = 500
/** A minute: no transaction of the service is that long. */
const maxAttempts = 60

/**
 * Migrates a database, which may be empty, to the version that this program knows. A newer one stays as it is, if this
 * program works with it.
 * @param connection has not looked for the tables before: it could go on finding none that another node makes
 * @param options.refusesOlder only an empty database is migrated
 * @returns the version before, 0 for an empty database
 * @throws DatabaseRefusedError for a database of another program, or one that is newer than this program works with
 */
export async function migratePostgres(
  name: string,
  connection: SqlConnection,
  { refusesOlder = false } = {},
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTransaction(connection, 'BEGIN', () => migrate(name, connection, refusesOlder))
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error
      await wait(lockTimeoutMs)
    }
  }
}

/** What to do before a migration, of which no copy is made. */
export const copyBefore = (name: string) =>
  ` A copy before: pg_dump --format=custom --file=before.dump '${name}'`

async function migrate(name: string, connection: SqlConnection, refusesOlder: boolean): Promise<number> {
  // A migration of a large table takes its time, and other nodes wait for it.
  await connection.exec(
    `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0;
     SELECT pg_advisory_xact_lock(${migrationLock});
     SET LOCAL lock_timeout = ${lockTimeoutMs}`,
  )
  const schema = await readSchema(connection, name)
  const { version } = schema
  refuseNewer(name, schema, knownVersion)
  if (version === 0) await requireEmpty(name, connection)
  else if (refusesOlder) refuseOlder(name, schema, knownVersion, copyBefore(name))
  const migrations = await readMigrations('postgres')
  for (const migration of migrations.slice(version)) await connection.exec(migration)
  if (version === 0) {
    await connection.exec(
      `CREATE TABLE dashboard_schema (version integer NOT NULL, oldest integer NOT NULL);
       INSERT INTO dashboard_schema VALUES (0, 1)`,
    )
  }
  if (version < migrations.length) {
    await connection.run('UPDATE dashboard_schema SET version = $1', migrations.length)
    await appendEntries(connection, postgresDialect, [migrationEntry(version, migrations.length)])
  }
  return version
}

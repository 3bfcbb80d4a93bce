import { setTimeout as wait } from 'node:timers/promises'
import { migrate } from '../sql/run-migrations.js'
import { runTransaction } from '../sql/run-transaction.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { isConflict } from './database-errors.js'
import { postgresDialect } from './dialect.js'

/** The advisory lock of migrations: nodes that start at once migrate one after the other. */
const migrationLock = 0x44415049

/**
 * How long a migration waits for a table lock, in milliseconds. Requests queue behind it meanwhile, so it gives up and
 * retries.
 */
const lockTimeoutMs = 500
/** A minute of attempts; transactions of the service are shorter. */
const maxAttempts = 60

// A migration of a large table takes long, and other nodes wait for it.
const prepare = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(${migrationLock}); SET LOCAL lock_timeout = ${lockTimeoutMs}`

/**
 * Migrates a database, which may be empty, see `migrate`.
 * @param connection has not searched for the tables before: it could cache that they are missing
 */
export async function migratePostgres(
  name: string,
  connection: SqlConnection,
  { refusesOlder = false } = {},
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTransaction(connection, 'BEGIN', async () => {
        await connection.exec(prepare)
        return migrate(name, connection, postgresDialect, refusesOlder)
      })
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error
      await wait(lockTimeoutMs)
    }
  }
}

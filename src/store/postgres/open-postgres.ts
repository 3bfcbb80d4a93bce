import type { PostgresAddress } from '../database-address.js'
import type { SqlConnection } from '../sql/sql-database.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'
import { connectionOptions, type PostgresOptions } from './connection-options.js'
import { openingError } from './database-errors.js'
import { createPostgresDatabase, type PostgresDatabase } from './postgres-database.js'

type Options = PostgresOptions &
  Pick<SqlStoreOptions, 'onCall'> & {
    /** How long a statement may take, if not as long as everything else, in milliseconds; 0 is no limit. */
    statementMs?: number
  }

/** Opens a database: it is reached by its first use. */
export async function openPostgres(
  address: PostgresAddress,
  { poolSize = 10, timeoutMs = 5000, statementMs = timeoutMs, onWarning, onCall, ...options }: Options,
): Promise<PostgresDatabase> {
  const limits = { connectMs: timeoutMs, statementMs }
  return createPostgresDatabase(await connectionOptions(address, options), poolSize, limits, {
    onWarning,
    onCall,
  })
}

/** The options of a command: one connection, without a limit for its statements, which large tables need. */
export const ofCommand = { poolSize: 1, statementMs: 0, onWarning: undefined, onCall: undefined }

/** Opens a database, runs work on one connection, and closes it. @throws what `openingError` makes of an error */
export async function withConnection<T>(
  address: PostgresAddress,
  options: Options,
  work: (connection: SqlConnection) => Promise<T>,
  changes: Options = ofCommand,
): Promise<T> {
  const db = await openPostgres(address, { ...options, ...changes })
  try {
    return await db.onConnection(work)
  } catch (error) {
    throw openingError(address.name, error)
  } finally {
    await db.close()
  }
}

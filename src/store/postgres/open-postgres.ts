import type { PostgresAddress } from '../database-address.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { connectionOptions } from './connection-options.js'
import { openingError } from './database-errors.js'
import { createPostgresDatabase, type DatabaseOptions, type PostgresDatabase } from './postgres-database.js'

/** Opens a database: it is reached by its first use. */
export const openPostgres = async (
  address: PostgresAddress,
  options: DatabaseOptions,
): Promise<PostgresDatabase> => createPostgresDatabase(await connectionOptions(address, options), options)

/** The options of a command: one connection, without a limit for its statements, which large tables need. */
export const ofCommand = { poolSize: 1, statementMs: 0, onWarning: undefined, onCall: undefined }

/** Opens a database, runs work on one connection, and closes it. @throws what `openingError` makes of an error */
export async function withConnection<T>(
  address: PostgresAddress,
  options: DatabaseOptions,
  work: (connection: SqlConnection) => Promise<T>,
  changes: DatabaseOptions = ofCommand,
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

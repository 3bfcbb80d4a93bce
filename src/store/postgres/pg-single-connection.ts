import type { PostgresAddress } from '../database-address.js'
import { connectionOptions } from './connection-options.js'
import { type Connection, connect } from './pg-connection.js'
import { openingError } from './pg-errors.js'
import type { PostgresOptions } from './postgres-store.js'

/**
 * Opens one connection without a limit for its statements: large tables take their time.
 * @param use its result may hold the connection, which is closed if it fails
 * @throws what `openingError` makes of an error
 */
export async function openConnection<T>(
  address: PostgresAddress,
  { timeoutMs = 5000, ...options }: PostgresOptions,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    const limits = { connectMs: timeoutMs, statementMs: 0 }
    const connection = await connect(await connectionOptions(address, options), limits)
    try {
      return await use(connection)
    } catch (error) {
      await connection.close()
      throw error
    }
  } catch (error) {
    throw openingError(address.name, error)
  }
}

/** The same for a connection that is closed in any case. */
export const withConnection = <T>(
  address: PostgresAddress,
  options: PostgresOptions,
  act: (connection: Connection) => Promise<T>,
): Promise<T> =>
  openConnection(address, options, async (connection) => {
    const result = await act(connection)
    await connection.close()
    return result
  })

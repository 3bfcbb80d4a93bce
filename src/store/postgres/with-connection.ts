import type { PostgresAddress } from '../database-address.js'
import { loadDriver } from '../load-driver.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { createServerChoice } from './choose-server.js'
import { clientConfig, overClient, prepareSession } from './connection.js'
import { connectionOptions, type PostgresOptions } from './connection-options.js'
import { openingError } from './database-errors.js'

/**
 * Opens one connection without a limit for its statements: large tables take their time.
 * @throws what `openingError` makes of an error
 */
export async function openConnection(
  address: PostgresAddress,
  { timeoutMs = 5000, ...options }: PostgresOptions,
): Promise<{ connection: SqlConnection; isPooled: boolean; close(): Promise<void> }> {
  try {
    const resolved = await connectionOptions(address, options)
    const { server } = await createServerChoice(resolved, timeoutMs)()
    const { Client } = loadDriver('pg')
    const client = new Client(clientConfig(resolved, server, { connectMs: timeoutMs, statementMs: 0 }))
    client.on('error', () => {})
    await client.connect()
    const isPooled = await prepareSession(client, 0)
    return {
      isPooled,
      connection: overClient(address.name, client, () => {}),
      close: () => client.end().catch(() => {}),
    }
  } catch (error) {
    throw openingError(address.name, error)
  }
}

/** Opens such a connection, uses it, and closes it. */
export async function withConnection<T>(
  address: PostgresAddress,
  options: PostgresOptions,
  act: (connection: SqlConnection, isPooled: boolean) => Promise<T>,
): Promise<T> {
  const { connection, isPooled, close } = await openConnection(address, options)
  try {
    return await act(connection, isPooled)
  } catch (error) {
    throw openingError(address.name, error)
  } finally {
    await close()
  }
}

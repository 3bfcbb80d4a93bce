import type { SqlConnection } from './sql-database.js'

/**
 * Runs work as one transaction on a connection.
 * @param begin the statement that begins it
 */
export async function runTransaction<T>(
  connection: SqlConnection,
  begin: string,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  await connection.exec(begin)
  try {
    const result = await work(connection)
    await connection.exec('COMMIT')
    return result
  } catch (error) {
    // Fails if the connection is lost, or the database has rolled back already, for example after a full disk.
    await connection.exec('ROLLBACK').catch(() => {})
    throw error
  }
}

import { refuseNewer, refuseOlder } from '../database-version.js'
import { runTransaction } from '../sql/run-transaction.js'
import type { ReadDatabase } from '../sql/sql-database.js'
import { checkHeader, damaged } from './check-file.js'
import { openReadOnly } from './connection.js'
import { sqliteDialect } from './dialect.js'
import { isDamage } from './find-damage.js'
import { knownVersion, readSchema } from './schema-version.js'

/**
 * Opens an existing file to read it. Checks only the header and the version. Changes nothing, and needs only the right to
 * read.
 * @throws DatabaseRefusedError if the file belongs to another program, has another version, or this user may not read it
 */
export async function openToRead(file: string, busyTimeoutMs: number): Promise<ReadDatabase> {
  await checkHeader(file, busyTimeoutMs)
  const connection = await openReadOnly(file, busyTimeoutMs)
  const { close } = connection
  const read: ReadDatabase['read'] = (sql, ...values) =>
    connection.all<never>(sql, ...values).catch((error) => {
      throw isDamage(error) ? damaged(file, error.message, error) : error
    })
  try {
    const schema = await readSchema({ ...connection, all: read })
    refuseNewer(file, schema, knownVersion)
    refuseOlder(file, schema, knownVersion)
  } catch (error) {
    await close()
    throw error
  }
  // Commands make one snapshot at a time, without other reads.
  const snapshot: ReadDatabase['snapshot'] = (work) => runTransaction(connection, 'BEGIN', work)
  return { name: file, dialect: sqliteDialect, read, readLarge: read, snapshot, close }
}

import { resolve } from 'node:path'
import { createBatchReader } from '../batch-reader.js'
import { DatabaseRefusedError } from '../database-refused.js'
import type { ProductionReader } from '../production-store.js'
import { findingStorable } from '../storable-text.js'
import { findMarkTable, markTable, refuseUnfinishedCopy } from '../unfinished-copy.js'
import { checkContent, checkHeader } from './check-file.js'
import { knownVersion } from './migrations.js'
import { openToRead } from './open-to-read.js'
import { readSchema } from './schema-version.js'
import { sqliteReads } from './sqlite-reads.js'

/**
 * Opens a file that exists, to read it. Nothing is changed; no more than the right to read it is needed.
 * @throws DatabaseRefusedError where the file is not ours, newer than we know, damaged, or not readable for this user
 */
export async function openSqliteReader(path: string, busyTimeoutMs = 5000): Promise<ProductionReader> {
  const file = resolve(path)
  await checkHeader(file).catch((error) => {
    throw error instanceof DatabaseRefusedError ? error : unreadable(file, error)
  })
  const connection = await openToRead(file, busyTimeoutMs)
  try {
    await checkContent(file, connection)
    refuseUnfinishedCopy(path, await connection.all(findMarkTable.sqlite, markTable))
    const { version } = await readSchema(connection)
    const reads = sqliteReads({
      read: connection.all,
      readByKey: createBatchReader(connection),
      readLargeByKey: createBatchReader(connection, { isSingle: true }),
    })
    return {
      ...findingStorable(reads),
      schema: { version, known: knownVersion },
      close: connection.close,
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

export const unreadable = (file: string, error: NodeJS.ErrnoException) =>
  new DatabaseRefusedError(
    file,
    `it cannot be read (${error.code})`,
    'Allow this user to read it, or choose another file.',
    error,
  )

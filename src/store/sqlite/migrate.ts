import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Migration } from '../production-store.js'
import { migrate } from '../sql/run-migrations.js'
import { runTransaction } from '../sql/run-transaction.js'
import { beginWrite, type Connection, withConnection, withReader } from './connection.js'
import { backUp } from './copy-database.js'
import { sqliteDialect } from './dialect.js'
import { realFile } from './file-identity.js'
import { knownVersion, readSchema } from './schema-version.js'

/**
 * Migrates an existing database to the version that this program knows. A newer version stays. A verified copy is made
 * before. Other processes may use the database: it is locked for the migration, not for the copy.
 * @param options.keepsCopy without it no copy is made
 * @throws DatabaseRefusedError, StoreUnavailableError, or the system's error if the copy fails; the database is then
 *   unchanged
 */
export async function migrateFile(
  path: string,
  busyTimeoutMs: number,
  { keepsCopy = true } = {},
): Promise<Migration> {
  const file = realFile(path)
  const { version } = await withReader(file, busyTimeoutMs, readSchema)
  if (version >= knownVersion) return { from: version, to: version }

  // A database of version 0 is empty.
  const copy = keepsCopy && version > 0 ? copyName(file) : undefined
  if (copy !== undefined) await backUp(file, copy, busyTimeoutMs)
  let from = knownVersion
  try {
    from = await withConnection(file, 'write', busyTimeoutMs, (connection) => migrateNow(file, connection))
  } finally {
    // The migration failed, or another process migrated the file meanwhile and has made a copy.
    if (from >= knownVersion && copy !== undefined) await rm(copy, { force: true })
  }
  return from < knownVersion
    ? { from, to: knownVersion, ...(copy !== undefined && { copy }) }
    : { from, to: from }
}

/** Each of two processes that start at once makes its copy. */
const copyName = (file: string): string =>
  `${file}.before-migration-${new Date().toISOString().replace(/[-:.]/g, '')}-${randomUUID().slice(0, 8)}`

/** Called under the lock: another process may have migrated the file meanwhile. */
export const migrateNow = (file: string, connection: Connection): Promise<number> =>
  runTransaction(connection, beginWrite, () => migrate(file, connection, sqliteDialect, false))

import { stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { auditEntry } from '../audit-entry.js'
import type { AuditEvent } from '../audit-log.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { refuseOlder } from '../database-version.js'
import { loadDriver } from '../load-driver.js'
import { processOrigin } from '../process-origin.js'
import type { Check, CheckReport, Inspection, Migration, OpeningOptions } from '../production-store.js'
import { appendEntries } from '../sql/audit.js'
import { checkContent } from '../sql/check-content.js'
import { StoreUnavailableError } from '../store.js'
import { checkFile, checkHeader } from './check-file.js'
import { withConnection, withReader } from './connection.js'
import { sqliteDialect } from './dialect.js'
import { isDamage } from './find-damage.js'
import { LoneMountError } from './lone-mount.js'
import { migrateFile } from './migrate.js'
import { knownVersion, readSchema } from './schema-version.js'

const busyTimeoutMs = 5_000

/** Checks a database, which may be in use. Changes nothing. */
export async function checkDatabase(file: string): Promise<CheckReport> {
  try {
    await checkHeader(file, busyTimeoutMs)
  } catch (error) {
    if (!(error instanceof DatabaseRefusedError) || error instanceof LoneMountError) throw error
    return { ok: false, checks: [{ check: 'file', ok: false, found: error.reason }] }
  }
  const first: Check = { check: 'file', ok: true, found: 'a database of this program' }
  return withReader(file, busyTimeoutMs, (connection) =>
    checkContent(file, connection, sqliteDialect, first).catch((error) => {
      if (!isDamage(error)) throw error
      return { ok: false, checks: [first, { check: 'integrity', ok: false, found: error.message }] }
    }),
  )
}

/**
 * Checks that the store can open a file. Changes nothing.
 * @throws DatabaseRefusedError, DriverMissingError
 */
export async function inspectDatabase(file: string, options: OpeningOptions): Promise<Inspection> {
  loadDriver('sqlite3')
  if (await checkFile(file, busyTimeoutMs, options)) return { version: undefined }
  const schema = await withReader(file, busyTimeoutMs, readSchema)
  if (!options.migrate) refuseOlder(file, schema, knownVersion)
  return { version: schema.version }
}

/**
 * Migrates a database to the version that this program knows, see `migrateFile`.
 * @throws DatabaseRefusedError if the file belongs to another program, is too new, or is damaged
 */
export async function migrateDatabase(file: string, options?: { keepsCopy: boolean }): Promise<Migration> {
  await checkFile(file, busyTimeoutMs, { mustExist: true })
  return migrateFile(file, busyTimeoutMs, options)
}

/** How long an attempt waits for readers before it lets writers continue, in milliseconds. */
const attemptMs = 100

/**
 * Moves the content of the log to the file and empties the log, which may contain removed data. Writers wait for each
 * attempt, since a growing log cannot be emptied; so it makes many short attempts.
 * @throws StoreUnavailableError if other connections keep SQLite from that, such as one that reads an older state
 */
export async function emptyLog(file: string): Promise<void> {
  const deadline = performance.now() + busyTimeoutMs
  const message = `The log ${file}-wal still has what was removed: other connections have used it for ${busyTimeoutMs / 1000} s`
  const cause = { code: 'LOG_IN_USE' }
  await withConnection(file, 'write', attemptMs, async (connection) => {
    const empty = () => connection.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
    while ((await empty())[0]?.busy !== 0) {
      if (performance.now() > deadline) throw new StoreUnavailableError(message, { cause })
      await setTimeout(attemptMs)
    }
  })
}

/** Appends an audit entry about an action of this process on a file. */
export const recordInFile = (file: string, event: AuditEvent): Promise<void> =>
  withConnection(file, 'write', busyTimeoutMs, (connection) =>
    appendEntries(connection, sqliteDialect, [auditEntry(processOrigin(), event)]),
  )

/**
 * Frees the space of removed records. Writers wait meanwhile, readers do not. @returns the sizes in bytes @throws as
 * `emptyLog`
 */
export async function vacuumDatabase(file: string): Promise<{ before: number; after: number }> {
  await checkFile(file, busyTimeoutMs, { mustExist: true })
  const before = (await stat(file)).size
  await withConnection(file, 'write', busyTimeoutMs, (connection) => connection.exec('VACUUM'))
  await emptyLog(file)
  return { before, after: (await stat(file)).size }
}

import { stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { type AuditEvent, auditEntry } from '../audit-log.js'
import { type CheckReport, createReport } from '../check-report.js'
import { refusalOf } from '../database-refused.js'
import { describeVersion, refuseOlder } from '../database-version.js'
import { loadDriver } from '../load-driver.js'
import { processOrigin } from '../process-origin.js'
import type { Inspection, Migration } from '../production-store.js'
import { appendEntries } from '../sql/audit.js'
import { countRecords } from '../sql/state.js'
import { findWrongSizes } from '../sql/wrong-sizes.js'
import { checkFile, checkHeader, type FileOptions, findDamage, findDangling, isDamage } from './check-file.js'
import { findForeignSchema } from './check-schema.js'
import { withConnection } from './connection.js'
import { sqliteDialect } from './dialect.js'
import { migrateFile } from './migrate.js'
import { withReader } from './open-to-read.js'
import { knownVersion, readSchema } from './schema-version.js'

const busyTimeoutMs = 5_000

/** The first version that counts the projects of a team, and their text. */
const firstWithSizes = 4

/** Checks a database, which may be in use, without changing it. */
export async function checkDatabase(file: string): Promise<CheckReport> {
  const { add, end } = createReport()
  const refusal = await checkHeader(file).then(() => undefined, refusalOf)
  if (!add('file', !refusal, refusal?.reason ?? 'a database of this program')) return end()
  return withReader(file, busyTimeoutMs, async (connection) => {
    try {
      const schema = await readSchema(connection)
      const isKnown = schema.oldest <= knownVersion
      if (!add('version', isKnown, describeVersion(schema, knownVersion))) return end()
      const damage = await findDamage(connection, 'integrity_check', 20)
      if (!add('integrity', !damage, damage ?? 'every page and index')) return end()
      const foreign = await findForeignSchema(connection)
      if (!add('schema', !foreign, foreign ?? 'every table, index and trigger')) return end()
      const dangling = await findDangling(connection)
      const isReferred = add('references', !dangling, dangling ?? 'every reference')
      if (isReferred && schema.version >= firstWithSizes) {
        const wrong = await findWrongSizes(connection, (text) => `length(CAST(json_quote(${text}) AS BLOB))`)
        add('sizes', !wrong, wrong ?? 'the size of every team')
      }
      return end(await countRecords(connection))
    } catch (error) {
      if (!isDamage(error)) throw error
      add('integrity', false, (error as Error).message)
      return end()
    }
  })
}

/**
 * Checks that a file can be opened as the store opens it, and changes nothing.
 * @throws DatabaseRefusedError, DriverMissingError
 */
export async function inspectDatabase(file: string, options: FileOptions): Promise<Inspection> {
  loadDriver('sqlite3')
  if (await checkFile(file, busyTimeoutMs, options)) return { version: undefined, known: knownVersion }
  const schema = await withReader(file, busyTimeoutMs, readSchema)
  if (!options.migrate) refuseOlder(file, schema, knownVersion)
  return { version: schema.version, known: knownVersion }
}

/**
 * Migrates a database to the version that this program knows, see `migrateFile`.
 * @throws DatabaseRefusedError for a file that is not ours, newer than we know, or damaged
 */
export async function migrateDatabase(file: string, options?: { keepsCopy: boolean }): Promise<Migration> {
  await checkFile(file, busyTimeoutMs, { mustExist: true })
  return migrateFile(file, busyTimeoutMs, options)
}

/** How long one attempt waits for readers, and then lets writers go on, in milliseconds. */
const attemptMs = 100

/**
 * Moves the content of the log to the file and empties the log, which may still have what was removed. Writers wait for
 * each attempt, since the log cannot be emptied while it grows; so it takes many short ones.
 * @returns false if another process reads an older state of the database for too long
 */
export async function emptyLog(file: string): Promise<boolean> {
  const deadline = performance.now() + busyTimeoutMs
  return withConnection(file, 'write', attemptMs, async (connection) => {
    for (;;) {
      const [result] = await connection.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
      if (result?.busy === 0) return true
      if (performance.now() > deadline) return false
      await setTimeout(attemptMs)
    }
  })
}

/** Appends an entry to the audit log of a file, about what this process did with it. */
export const recordInFile = (file: string, event: AuditEvent): Promise<void> =>
  withConnection(file, 'write', busyTimeoutMs, (connection) =>
    appendEntries(connection, sqliteDialect, [auditEntry(processOrigin(), event)]),
  )

/** Frees the space of removed records; sizes in bytes. Writers wait meanwhile, readers do not. */
export async function vacuumDatabase(file: string): Promise<{ before: number; after: number }> {
  await checkFile(file, busyTimeoutMs, { mustExist: true })
  const before = (await stat(file)).size
  await withConnection(file, 'write', busyTimeoutMs, (connection) => connection.exec('VACUUM'))
  await emptyLog(file)
  return { before, after: (await stat(file)).size }
}

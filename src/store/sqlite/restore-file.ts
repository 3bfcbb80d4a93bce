import { chmod, chown, link, mkdir, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { auditEntry } from '../audit-entry.js'
import type { AuditEntry } from '../audit-log.js'
import { closeAfterUse } from '../close-after-use.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { processOrigin } from '../process-origin.js'
import { appendMissingEntries, auditPages } from '../sql/audit.js'
import { runTransaction } from '../sql/run-transaction.js'
import { countRecords } from '../sql/state.js'
import { type StateCounts, zeroCounts } from '../state-file.js'
import { StoreUnavailableError } from '../store.js'
import { flushFolder } from '../with-file.js'
import { checkHeader, sizeOf } from './check-file.js'
import { refuseForeignSchema, requireOurs } from './check-schema.js'
import {
  beginWrite,
  type Connection,
  openConnection,
  openReadOnly,
  withConnection,
  withReader,
} from './connection.js'
import { nameNew, withCopy } from './copy-database.js'
import { sqliteDialect } from './dialect.js'
import { identify, realFile } from './file-identity.js'
import { migrateFile } from './migrate.js'
import { readSchema } from './schema-version.js'

/** The records before and after a restore. `before` is undefined if the old file was missing or unreadable. */
type Counts = { before: StateCounts | undefined; after: StateCounts }

/** Another process has the database open, or has created or replaced it meanwhile. */
export class DatabaseInUseError extends Error {
  override name = 'DatabaseInUseError'
}

/**
 * Replaces a database with a copy of a backup, migrated to the version that this program knows.
 * @param confirm called before any change, while the database is locked for all other processes. It throws to end the restore
 * @returns the counts, and the path of the old file
 * @throws DatabaseInUseError; DatabaseRefusedError if the backup belongs to another program, is too new, damaged, or has
 *   foreign triggers, views or tables
 */
export async function restoreFile(
  path: string,
  backup: string,
  confirm: (counts: Counts) => Promise<void>,
  busyTimeoutMs = 1_000,
): Promise<Counts & { kept: string | undefined }> {
  // A link stays: the file behind it is replaced.
  const file = realFile(path)
  await checkHeader(backup, busyTimeoutMs)
  if (identify(backup)?.file === identify(file)?.file) {
    throw new DatabaseRefusedError(backup, 'it is the database itself', 'Name the file of a backup.')
  }
  const exists = (await sizeOf(file)) !== undefined
  await mkdir(dirname(file), { recursive: true })
  const found = identify(file)?.file
  const old: OldDatabase = exists ? await lockExclusively(file, busyTimeoutMs) : {}
  const prepare = async (copied: string) => {
    // Checked before the first write, which a foreign trigger would see.
    await withReader(copied, busyTimeoutMs, (reader) => refuseForeignSchema(copied, reader))
    await migrateFile(copied, busyTimeoutMs, { keepsCopy: false })
    await withConnection(copied, 'write', busyTimeoutMs, (connection) =>
      runTransaction(connection, beginWrite, () => carryAudit(old.connection, connection, backup)),
    )
  }
  const replace = async (copy: string, after: StateCounts) => {
    const counts = { before: old.records, after }
    await confirm(counts)
    if (exists) await copyOwnership(copy, file)
    else if (identify(file)) throw changedMeanwhile(file)
    const kept = `${file}.before-restore-${new Date().toISOString().replace(/[-:.]/g, '')}`
    // SQLite would apply a left log to the new file. It may exist without a file.
    for (const suffix of ['-wal', '-shm'])
      await rename(`${file}${suffix}`, `${kept}${suffix}`).catch(() => {})
    // Without hard links, the path is missing for a moment.
    if (exists) await link(file, kept).catch(() => rename(file, kept))
    await (exists ? rename : nameNew)(copy, file)
    await flushFolder(dirname(file))
    return { ...counts, kept: exists ? kept : undefined }
  }
  try {
    // Such as by another restore. Processes may use the new file, which is not locked.
    if (identify(file)?.file !== found) throw changedMeanwhile(file)
    return await withCopy(backup, file, busyTimeoutMs, replace, prepare)
  } finally {
    await old.connection?.close()
  }
}

/** A restore keeps the audit log: the copy gets the entries of the replaced database, and its own. */
async function carryAudit(old: Connection | undefined, copy: Connection, backup: string): Promise<void> {
  const append = (entries: AuditEntry[]) => appendMissingEntries(copy, sqliteDialect, entries)
  if (old) for await (const page of readablePages(old)) await append(page)
  await append([auditEntry(processOrigin(), { action: 'database.restore', target: backup })])
}

/** An old version has no audit log; an unreadable database is replaced without its log. */
async function* readablePages(old: Connection): AsyncGenerator<AuditEntry[]> {
  try {
    yield* auditPages(old)
  } catch {}
}

const inUse = (file: string, cause: unknown) =>
  new DatabaseInUseError(`Another process has the database ${file} open`, { cause })

const changedMeanwhile = (file: string) =>
  new DatabaseInUseError(`The database ${file} was created, replaced or removed meanwhile`)

type OldDatabase = { connection?: Connection; records?: StateCounts }

/**
 * Makes sure that no other process has a database open or opens it before the connection is closed. SQLite leaves WAL mode
 * only without other connections, and the system releases the locks of dead processes.
 */
async function lockExclusively(file: string, busyTimeoutMs: number): Promise<OldDatabase> {
  // Opened read-only: a writer would move the log of another program's database into its file. An unreadable database does
  // not prevent a restore.
  const reader = await openReadOnly(file, busyTimeoutMs).catch(() => undefined)
  const checked = reader && closeAfterUse(reader, () => requireOurs(reader, file))
  await checked?.catch((error) => {
    if (error instanceof DatabaseRefusedError) throw error
  })
  const connection = await openConnection(file, 'write', busyTimeoutMs)
  try {
    await connection.all('PRAGMA journal_mode = DELETE')
    await connection.exec('BEGIN EXCLUSIVE')
    const { version } = await readSchema(connection)
    return { connection, records: version === 0 ? zeroCounts() : await countRecords(connection) }
  } catch (error) {
    await connection.close()
    if (((error as Error).cause as { code?: string } | undefined)?.code === 'SQLITE_BUSY') {
      throw inUse(file, error)
    }
    if (error instanceof StoreUnavailableError || error instanceof DatabaseRefusedError) throw error
    return {}
  }
}

/** Gives the new file the owner and mode of the old one. Changing the owner may need further rights. */
async function copyOwnership(file: string, model: string): Promise<void> {
  const { mode, uid, gid } = await stat(model)
  await chown(file, uid, gid).catch(() => {})
  await chmod(file, mode & 0o777)
}

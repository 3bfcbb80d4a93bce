import { rename, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { coalesce } from '../coalesce.js'
import type { OpeningOptions } from '../production-store.js'
import type { StoreDatabase } from '../sql/sql-database.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'
import { StoreUnavailableError } from '../store.js'
import { checkFile, checkOpenFile, createFolder } from './check-file.js'
import { sqliteDialect } from './dialect.js'
import { type FileIdentity, identify } from './file-identity.js'
import { isDamage } from './find-damage.js'
import { followLinks } from './follow-links.js'
import { migrateFile } from './migrate.js'
import { type FileConnections, openConnections } from './open-connections.js'

/** How often the path is checked for reads, in milliseconds. */
const checkEveryMs = 100
/** The shortest time between two attempts to reopen, in milliseconds. */
const retryMs = 250

export type SqliteOptions = OpeningOptions & {
  /** How long a call waits for another process's lock, or in the queue, in milliseconds. */
  busyTimeoutMs?: number
}

/** Connections, and the file that they have open, unless they were closed for others to take their place. */
type OpenFile = { db: FileConnections; identity: FileIdentity; isRetired?: boolean }

/**
 * Opens a file, and opens it again when another file takes its place. SQLite goes on writing to a file that was removed
 * or replaced; here such writes fail. Reads continue on the open file until a valid one is at the path.
 *
 * A write is acknowledged only if, after its commit, the path led to the very file and log that it went to. After the
 * first opening no file is ever created, and none is migrated: an older one is refused until that is done.
 *
 * A file that was truncated, or in which SQLite finds damage, is neither read nor written any more, until it has changed
 * and passes the checks of an opening, or another file takes its place.
 * @throws DatabaseRefusedError for a file that is not ours, is newer than we know, or is damaged
 */
export async function openReopeningDatabase(
  path: string,
  {
    busyTimeoutMs = 5_000,
    onCall = () => {},
    ...options
  }: SqliteOptions & Pick<SqlStoreOptions, 'onCall'> = {},
): Promise<StoreDatabase> {
  const file = resolve(path)
  const created = await checkFile(file, busyTimeoutMs, options)
  if (created) await createFolder(file)
  const migration = created || !options.migrate ? undefined : await migrateFile(file, busyTimeoutMs)
  let current = await open(file, busyTimeoutMs, 'create')
  /** Why nothing is written: the path leads to another file, or to none, or the open file is damaged. */
  let fault: StoreUnavailableError | undefined
  /** Whether damage was found in the open file: nothing is read either. */
  let isDamaged = false
  /** When the next attempt to reopen may begin (`performance.now`). */
  let retryAt = Number.NEGATIVE_INFINITY
  let closing: Promise<void> | undefined
  /** Calls that `close` waits for. */
  const pending = new Set<Promise<unknown>>()
  const track = <T>(call: Promise<T>): Promise<T> => {
    pending.add(call)
    const remove = () => pending.delete(call)
    call.then(remove, remove)
    return call
  }
  const retire = (old: OpenFile): Promise<void> => {
    old.isRetired = true
    return track(old.db.close()).catch(() => {})
  }

  const reopen = async (found: FileIdentity | undefined): Promise<void> => {
    if (!found) throw new StoreUnavailableError(`The database ${file} does not exist`)
    const old = current
    const isOther = found.file !== old.identity.file
    const lacksLog = !isOther && found.all !== old.identity.all
    // Only its log was removed. The last connection still writes the log's content to the file when it closes.
    if (lacksLog) await retire(old)
    else if (isOther && found.log === old.identity.log) await setAsideLog(file)
    if (isOther || lacksLog) await checkFile(file, busyTimeoutMs, { ...options, mustExist: true })
    else await checkOpenFile(file, busyTimeoutMs, options)
    current = await open(file, busyTimeoutMs, 'write', found)
    if (!lacksLog) void retire(old)
    isDamaged = false
  }

  /** Reads and writes fail from now on. Nothing is written to the file: its connections stay open. */
  const markDamaged = (error: unknown): StoreUnavailableError => {
    isDamaged = true
    const message = `The database ${file} is damaged (${(error as Error).message})`
    fault = new StoreUnavailableError(message, { cause: error })
    return fault
  }

  /** Whether the path leads to the open file. */
  const isOpen = (found: FileIdentity | undefined): found is FileIdentity =>
    found?.all === current.identity.all && !isDamaged && !current.isRetired

  const checkAgain = coalesce(async () => {
    const found = identify(file)
    if (isOpen(found)) {
      const isShorter = found.size < current.identity.size
      await (isShorter ? checkOpenFile(file, busyTimeoutMs, options) : Promise.resolve()).then(
        () => {
          current.identity = found
          fault = undefined
        },
        (error) => {
          // What cannot be checked for now is checked again by the next call.
          if (error instanceof StoreUnavailableError) fault = error
          else markDamaged(error)
        },
      )
      return
    }
    fault ??= lost(file)
    const started = performance.now()
    if (started < retryAt) return
    fault = await reopen(found).then(() => undefined, asUnavailable)
    // The checks of a large file take time.
    const ended = performance.now()
    retryAt = ended + Math.max(retryMs, ended - started)
  })

  /**
   * Compares the path with the open file. What was replaced, or has become shorter because it was vacuumed or truncated, is
   * looked at by one call at a time.
   */
  const checkIdentity = async (): Promise<void> => {
    const found = identify(file)
    if (!isOpen(found) || found.size < current.identity.size) return checkAgain()
    current.identity = found
    fault = undefined
  }
  // Reads do not wait for the check: checking a large new file takes time.
  const checks = setInterval(checkIdentity, checkEveryMs).unref()

  /** The open file, to write to. */
  const requireCurrent = async (): Promise<OpenFile> => {
    if (closing === undefined) await checkIdentity()
    if (closing !== undefined) throw new StoreUnavailableError(`The database ${file} is closed`)
    if (fault) throw fault
    return current
  }

  /** Runs a call on an open file, and reports its time. One that fails may have met damage, or a file that has changed. */
  const use = async <T>(
    method: 'read' | 'write',
    { db }: OpenFile,
    call: (db: FileConnections) => Promise<T>,
  ): Promise<T> => {
    const started = performance.now()
    try {
      return await call(db)
    } catch (error) {
      if (error instanceof StoreUnavailableError || db !== current.db) throw error
      if (isDamage(error)) throw markDamaged(error)
      await checkIdentity()
      throw fault ?? error
    } finally {
      onCall({ method, ms: performance.now() - started })
    }
  }

  const write = async <T>(call: (db: FileConnections) => Promise<T>): Promise<T> => {
    const target = await requireCurrent()
    const result = await use('write', target, call)
    await checkIdentity()
    if (fault && isDamaged) throw fault
    if (fault || current !== target) throw lost(file)
    return result
  }

  const readBy =
    (method: 'read' | 'readLarge'): FileConnections['read'] =>
    async (sql, ...values) => {
      if (current.isRetired) await checkAgain()
      if (closing !== undefined) throw new StoreUnavailableError(`The database ${file} is closed`)
      if (fault && (isDamaged || current.isRetired)) throw fault
      return use('read', current, (db) => db[method](sql, ...values))
    }

  const close = async () => {
    clearInterval(checks)
    await Promise.allSettled(pending)
    await checkIdentity()
    // Closing the last connection would write the log's content to the damaged file.
    if (isDamaged) return
    await Promise.all([current.db.close(), Promise.allSettled(pending)])
  }

  return {
    opened: { created, migrated: migration && migration.from < migration.to ? migration : undefined },
    queueTimeoutMs: busyTimeoutMs,
    readBytes: async () => (await stat(file)).size,
    name: file,
    dialect: sqliteDialect,
    read: readBy('read'),
    readLarge: readBy('readLarge'),
    changeCounter: () =>
      isDamaged || current.isRetired || closing !== undefined ? undefined : current.db.changeCounter(),
    transaction: (work) => track(write((db) => db.transaction(work))),
    snapshot: (work) =>
      track(requireCurrent().then((target) => use('read', target, (db) => db.snapshot(work)))),
    close() {
      closing ??= close()
      return closing
    },
  }
}

const asUnavailable = (error: Error): StoreUnavailableError =>
  error instanceof StoreUnavailableError ? error : new StoreUnavailableError(error.message, { cause: error })

const lost = (file: string) =>
  new StoreUnavailableError(`The database ${file} was removed or replaced while it was open`)

/**
 * @param checked the file that was checked: another one that took its place meanwhile may lie beside a log which is not its
 *   own, and which SQLite would write to it
 */
async function open(
  file: string,
  busyTimeoutMs: number,
  mode: 'create' | 'write',
  checked?: FileIdentity,
): Promise<OpenFile> {
  const before = identify(file)
  if (checked && before?.file !== checked.file) throw lost(file)
  const db = await openConnections(file, busyTimeoutMs, mode)
  const identity = identify(file)
  if (identity && (!before || before.file === identity.file)) return { db, identity }
  await db.close()
  throw lost(file)
}

/** Renames the log of the old file. SQLite would take it for the new file's, and write its content to that file. */
async function setAsideLog(path: string): Promise<void> {
  const file = followLinks(path)
  const suffix = `replaced-${Date.now()}`
  await rename(`${file}-wal`, `${file}-wal.${suffix}`)
  // The log's index is rebuilt from the log, and not every platform has the file.
  await rename(`${file}-shm`, `${file}-shm.${suffix}`).catch(() => {})
}

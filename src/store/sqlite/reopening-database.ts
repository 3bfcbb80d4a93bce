import { rename } from 'node:fs/promises'
import type { ChangeFeed } from '../change-feed.js'
import { coalesce } from '../coalesce.js'
import type { Migration } from '../production-store.js'
import { StoreUnavailableError } from '../store.js'
import { changesSince } from './changes-since.js'
import { checkExisting, checkFile, createFolder, type FileOptions } from './check-file.js'
import { type ConnectionPool, openConnectionPool } from './connection-pool.js'
import { type FileIdentity, identify, isSame } from './file-identity.js'
import { followLinks } from './follow-links.js'
import { migrateFile } from './migrate.js'

/** How long reads go on without another check of the path, in milliseconds. */
const identityTtlMs = 100
/** The shortest time between two attempts to reopen, in milliseconds. */
const retryMs = 250

/** Connections to whichever file is at a path. */
export type ReopeningDatabase = Omit<ConnectionPool, 'version'> & {
  changes: Required<ChangeFeed>
  /** Whether the first opening created the database. */
  created: boolean
  /** The migration that the first opening ran. */
  migrated?: Migration
}

/** Connections, and the file that they have open. */
type OpenFile = { db: ConnectionPool; identity: FileIdentity }

/**
 * Opens a file, and opens it again when another file takes its place. SQLite goes on writing to a file that was removed
 * or replaced; here such writes fail. Reads continue on the open file until a valid one is at the path.
 *
 * A write is acknowledged only if, after its commit, the path led to the very file and log that it went to. After the
 * first opening no file is ever created, and none is migrated: an older one is refused until that is done.
 * @throws DatabaseRefusedError for a file that is not ours, is newer than we know, or is damaged
 */
export async function openReopeningDatabase(
  file: string,
  busyTimeoutMs: number,
  options: FileOptions = {},
): Promise<ReopeningDatabase> {
  const created = await checkFile(file, busyTimeoutMs, options)
  if (created && options.makeFolder) await createFolder(file)
  const migration = created || !options.migrate ? undefined : await migrateFile(file, busyTimeoutMs)
  let current = await open(file, busyTimeoutMs, 'create')
  /** Counts the opened files. Part of versions and cursors, since two files may have the same numbers. */
  let generation = 1
  let fault: StoreUnavailableError | undefined
  let checkedAt = performance.now()
  let attemptedAt = Number.NEGATIVE_INFINITY
  let closing: Promise<void> | undefined
  /** Calls that `close` waits for. */
  const pending = new Set<Promise<unknown>>()
  const track = <T>(call: Promise<T>): Promise<T> => {
    pending.add(call)
    const remove = () => pending.delete(call)
    call.then(remove, remove)
    return call
  }
  const retire = (): Promise<void> => track(current.db.close()).catch(() => {})

  async function reopen(found: FileIdentity | undefined): Promise<void> {
    if (!found) throw new StoreUnavailableError(`The database ${file} does not exist`)
    if (found.file === current.identity.file) {
      // Only its log was removed. The last connection still writes the log's content to the file when it closes.
      await retire()
    } else if (found.log === current.identity.log) {
      await setAsideLog(file)
    }
    await checkExisting(file, busyTimeoutMs)
    const next = await open(file, busyTimeoutMs, 'write')
    void retire()
    current = next
    generation += 1
  }

  const checkIdentity = coalesce(async () => {
    const found = identify(file)
    checkedAt = performance.now()
    if (isSame(found, current.identity)) {
      fault = undefined
      return
    }
    fault ??= lost(file)
    if (checkedAt - attemptedAt < retryMs) return
    try {
      await reopen(found)
      fault = undefined
    } catch (error) {
      const { message } = error as Error
      fault =
        error instanceof StoreUnavailableError ? error : new StoreUnavailableError(message, { cause: error })
    }
    attemptedAt = performance.now()
  })

  const refuseIfClosed = () => {
    if (closing !== undefined) throw new StoreUnavailableError(`The database ${file} is closed`)
  }

  const requireCurrent = async (): Promise<OpenFile> => {
    refuseIfClosed()
    await checkIdentity()
    if (fault) throw fault
    return current
  }

  const verifyAfterWrite = async <T>(write: (db: ConnectionPool) => Promise<T>): Promise<T> => {
    const target = await requireCurrent()
    const result = await write(target.db)
    await checkIdentity()
    if (fault || current !== target) throw lost(file)
    return result
  }

  /** The connections to read from. Does not wait for the check: checking a large new file takes time. */
  const readable = (): ConnectionPool => {
    refuseIfClosed()
    if (performance.now() - checkedAt > identityTtlMs) void checkIdentity()
    return current.db
  }

  const close = async () => {
    await Promise.allSettled(pending)
    await checkIdentity()
    await Promise.all([current.db.close(), Promise.allSettled(pending)])
  }

  return {
    created,
    ...(migration && migration.from < migration.to && { migrated: migration }),
    read: async (sql, ...values) => readable().read(sql, ...values),
    readByKey: async (query, key) => readable().readByKey(query, key),
    readLargeByKey: async (query, key) => readable().readLargeByKey(query, key),
    changes: {
      version: () => `${generation}.${readable().version()}`,
      since: async (cursor) => changesSince(readable(), generation, cursor),
    },
    write: (work) => track(verifyAfterWrite((db) => db.write(work))),
    run: (statement, item) => track(verifyAfterWrite((db) => db.run(statement, item))),
    snapshot: (work) => track(requireCurrent().then(({ db }) => db.snapshot(work))),
    waitingWrites: () => current.db.waitingWrites(),
    close() {
      closing ??= close()
      return closing
    },
  }
}

const lost = (file: string) =>
  new StoreUnavailableError(`The database ${file} was removed or replaced while it was open`)

async function open(file: string, busyTimeoutMs: number, mode: 'create' | 'write'): Promise<OpenFile> {
  const before = identify(file)
  const db = await openConnectionPool(file, busyTimeoutMs, mode)
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

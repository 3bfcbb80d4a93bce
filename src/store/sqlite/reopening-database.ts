import { rename } from 'node:fs/promises'
import type { ChangeFeed, OwnCommit } from '../change-feed.js'
import { coalesce } from '../coalesce.js'
import { StoreUnavailableError } from '../store.js'
import { changesSince } from './changes-since.js'
import { checkExisting, checkFile } from './check-file.js'
import { type ConnectionPool, openConnectionPool } from './connection-pool.js'
import { type FileIdentity, identify, isSame } from './file-identity.js'

/** How long reads trust that the path leads to the open file, in milliseconds. */
const trustedMs = 100
/** How long after a failed attempt the file is tried again, in milliseconds. */
const retryMs = 250

/** Connections to whichever file is at a path. */
export type ReopeningDatabase = Omit<ConnectionPool, 'version'> & { changes: ChangeFeed }

/** Connections, and the file that they have open. */
type Opened = { db: ConnectionPool; identity: FileIdentity }

/**
 * Opens a file and follows its path. SQLite goes on writing to a file that was removed, or had another put in
 * its place; here such writes fail. Reads go on over what is open, and as soon as a valid file is at the path
 * again, that one is opened.
 *
 * What is guaranteed: a write is acknowledged only if, after its commit, the path led to the very file and log
 * that it went to. A file is never made anew once the first one was opened.
 * @throws DatabaseRefusedError for a file that is not ours, newer than we know, or damaged
 */
export async function openReopeningDatabase(file: string, busyTimeoutMs: number): Promise<ReopeningDatabase> {
  let tellOwn: (own: OwnCommit) => void = () => {}
  const tellOwnOf =
    (opened: number) =>
    ({ from, to, teams }: OwnCommit<number>) =>
      tellOwn({ from: `${opened}.${from}`, to: `${opened}.${to}`, teams })

  await checkFile(file, busyTimeoutMs)
  let current = await open(file, busyTimeoutMs, 'create', tellOwnOf(1))
  let opened = 1
  let fault: StoreUnavailableError | undefined
  let lookedAt = performance.now()
  let triedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined
  let closing: Promise<void> | undefined
  const retiring = new Set<Promise<void>>()

  const retire = ({ db }: Opened): Promise<void> => {
    const closed = db
      .close()
      .catch(() => {})
      .finally(() => retiring.delete(closed))
    retiring.add(closed)
    return closed
  }

  async function reopen(found: FileIdentity | undefined): Promise<void> {
    if (!found) throw new StoreUnavailableError(`The database ${file} is not there`)
    if (found.file === current.identity.file) {
      // Its log is gone, but not what it held: the last connection puts that into the file when it closes.
      await retire(current)
    } else if (found.log !== undefined && found.log === current.identity.log) {
      await setAsideLog(file)
    }
    await checkExisting(file, busyTimeoutMs)
    const next = await open(file, busyTimeoutMs, 'write', tellOwnOf(opened + 1))
    void retire(current)
    current = next
    opened += 1
  }

  async function checkIdentity(): Promise<void> {
    const found = identify(file)
    lookedAt = performance.now()
    if (isSame(found, current.identity)) {
      fault = undefined
      return
    }
    fault ??= lost(file)
    if (closing || lookedAt - triedAt < retryMs) return
    try {
      await reopen(found)
      fault = undefined
    } catch (error) {
      const { message } = error as Error
      fault =
        error instanceof StoreUnavailableError ? error : new StoreUnavailableError(message, { cause: error })
    }
    triedAt = performance.now()
  }

  const checkOnce = (): Promise<void> => {
    checking ??= checkIdentity().finally(() => {
      checking = undefined
    })
    return checking
  }

  const refuseIfClosed = () => {
    if (closing !== undefined) throw new StoreUnavailableError(`The database ${file} is closed`)
  }

  const close = async () => {
    await checking
    await Promise.all([current.db.close(), ...retiring])
  }

  // Shared by all whose commit came before it: one commit is of many writes.
  const identifyAfter = coalesce(async () => identify(file))

  /** Writes, and makes sure that the path led to the file that was written to. */
  const verifyAfterWrite = async <T>(write: (db: ConnectionPool) => Promise<T>): Promise<T> => {
    refuseIfClosed()
    await checkOnce()
    if (fault) throw fault
    const { db, identity } = current
    const result = await write(db)
    if (isSame(await identifyAfter(), identity)) return result
    throw lost(file)
  }

  /** What is open to be read. Looking is not waited for: checking a large file takes its time. */
  const readable = (): ConnectionPool => {
    refuseIfClosed()
    if (performance.now() - lookedAt > trustedMs) void checkOnce()
    return current.db
  }

  return {
    async read(sql, ...values) {
      return readable().read(sql, ...values)
    },
    async find(lookup, key) {
      return readable().find(lookup, key)
    },
    changes: {
      version: () => `${opened}.${readable().version()}`,
      since: async (mark) => changesSince(readable(), opened, mark),
      onOwnCommit(listener) {
        tellOwn = listener
      },
    },
    write: (work) => verifyAfterWrite((db) => db.write(work)),
    run: (statement, item) => verifyAfterWrite((db) => db.run(statement, item)),
    async snapshot(work) {
      refuseIfClosed()
      await checkOnce()
      if (fault) throw fault
      return current.db.snapshot(work)
    },
    waitingWrites: () => current.db.waitingWrites(),
    close() {
      closing ??= close()
      return closing
    },
  }
}

const lost = (file: string) =>
  new StoreUnavailableError(`The database ${file} was removed or replaced while it was open`)

async function open(
  file: string,
  busyTimeoutMs: number,
  mode: 'create' | 'write',
  onOwnCommit: (own: OwnCommit<number>) => void,
): Promise<Opened> {
  const before = identify(file)
  const db = await openConnectionPool(file, busyTimeoutMs, mode, onOwnCommit)
  const identity = identify(file)
  if (identity && (!before || before.file === identity.file)) return { db, identity }
  await db.close()
  throw lost(file)
}

/**
 * Moves the log of the file that was here out of the way of the one that is here now. SQLite would take it for
 * the new file's, and write what it holds over it.
 */
async function setAsideLog(file: string): Promise<void> {
  const suffix = `replaced-${Date.now()}`
  await rename(`${file}-wal`, `${file}-wal.${suffix}`)
  // The index of the log, which is made anew from it; not there on every platform.
  await rename(`${file}-shm`, `${file}-shm.${suffix}`).catch(() => {})
}

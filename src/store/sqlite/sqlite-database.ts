import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createQueue } from '../queue.js'
import { runTransaction } from '../sql/run-transaction.js'
import type { SqlDatabase, StoreDatabase } from '../sql/sql-database.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'
import { StoreUnavailableError } from '../store.js'
import { checkOpenFile } from './check-file.js'
import { beginWrite, type Connection, withConnection } from './connection.js'
import { sqliteDialect } from './dialect.js'
import { describeFault, type FileIdentity, identityOf } from './file-identity.js'
import { isDamage } from './find-damage.js'
import { defaultTimeoutMs, releaseFile, type SqliteOptions, shareFile, stopSharing } from './open-file.js'

/**
 * Opens a file, or shares it (see `shareFile`), and creates a missing one.
 * SQLite continues to write to a removed or replaced file. So a write is acknowledged only if the path leads to the open file
 * and its log before and after the commit. Otherwise, or if SQLite finds damage, the database is lost to this process: this
 * call and all later ones fail, and `onLost` is called. Nothing is reopened or repaired.
 * @throws DatabaseRefusedError if the file belongs to another program, is too new, or is damaged
 */
export async function openSqliteDatabase(
  path: string,
  { onCall = () => {}, onLost = () => {}, ...options }: SqliteOptions & Pick<SqlStoreOptions, 'onCall'> = {},
): Promise<StoreDatabase> {
  const { busyTimeoutMs = defaultTimeoutMs } = options
  const named = resolve(path)
  const { open, ...opened } = await shareFile(named, options)
  const { path: file, identity, writer, readers, walIndex } = open
  let fault: StoreUnavailableError | undefined
  let closing: Promise<void> | undefined
  const running = new Set<Promise<unknown>>()

  const lose = (reason: string, isFileLost: boolean, cause?: unknown): StoreUnavailableError => {
    open.staysOpen ||= isFileLost
    stopSharing(open)
    if (fault) return fault
    fault = new StoreUnavailableError(`The database ${file} ${reason}`, { cause })
    onLost(fault)
    return fault
  }

  /** @throws StoreUnavailableError unless the path leads to the open file and its log */
  const look = (): FileIdentity => {
    let present: FileIdentity
    try {
      present = identityOf(named, file)
    } catch (error) {
      throw lose(describeFault(error as Error), true, error)
    }
    const reason = describeChange(identity, present)
    if (reason !== undefined) throw lose(reason, identity.file !== present.file)
    return present
  }

  /** @throws StoreUnavailableError as `look`, and if a file that became shorter is damaged */
  const verify = async (): Promise<void> => {
    if (fault) throw fault
    const { size } = look()
    // Another process vacuumed the file, or truncated it.
    if (size < identity.size) {
      await checkOpenFile(file, busyTimeoutMs, options).catch((error) => {
        throw error instanceof StoreUnavailableError ? error : lose('is damaged', true, error)
      })
    }
    identity.size = size
  }

  /** Runs a call, reports its duration, and detects damage. */
  const use = async <T>(method: 'read' | 'write', call: () => Promise<T>): Promise<T> => {
    if (closing !== undefined) throw new StoreUnavailableError(`The database ${file} is closed`)
    if (fault) throw fault
    const started = performance.now()
    const result = call()
    running.add(result)
    try {
      return await result
    } catch (error) {
      throw isDamage(error) ? lose(`is damaged (${(error as Error).message})`, true, error) : error
    } finally {
      running.delete(result)
      onCall({ method, ms: performance.now() - started })
    }
  }

  const readBy =
    (connection: Connection): SqlDatabase['read'] =>
    (sql, ...values) =>
      use('read', () => connection.all(sql, ...values))

  const close = async () => {
    await Promise.allSettled(running)
    await verify().catch(() => {})
    await releaseFile(open)
  }

  const inOrder = createQueue()
  return {
    opened,
    queueTimeoutMs: busyTimeoutMs,
    readBytes: async () => (await stat(file)).size,
    name: file,
    dialect: sqliteDialect,
    read: readBy(readers[0]),
    readLarge: readBy(readers[1]),
    changeCounter: () => (fault || closing !== undefined ? undefined : walIndex.changeCounter()),
    transaction: (work) =>
      use('write', () =>
        open.inOrder(async () => {
          await verify()
          const result = await runTransaction(writer, beginWrite, work)
          await verify()
          return result
        }),
      ),
    // A connection of its own: on a shared one the transaction would hide later commits from other readers.
    snapshot: (work) =>
      use('read', () =>
        inOrder(() =>
          withConnection(file, 'read', busyTimeoutMs, (reader) => runTransaction(reader, 'BEGIN', work)),
        ),
      ),
    close() {
      closing ??= close()
      return closing
    },
  }
}

function describeChange(open: FileIdentity, found: FileIdentity): string | undefined {
  if (found.file !== open.file) return 'was replaced by another file while it was open'
  if (found.log !== open.log) return 'lost its log (-wal) while it was open'
  if (found.index !== open.index) return "lost its log's index (-shm) while it was open"
  return undefined
}

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DatabaseRefusedError } from '../database-refused.js'
import { refuseOlder } from '../database-version.js'
import { loadDriver } from '../load-driver.js'
import type { OpeningOptions } from '../production-store.js'
import { createQueue } from '../queue.js'
import { runTransaction } from '../sql/run-transaction.js'
import type { SqlDatabase, StoreDatabase } from '../sql/sql-database.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'
import { StoreUnavailableError } from '../store.js'
import { withFile } from '../with-file.js'
import { checkFile, checkOpenFile, createFolder } from './check-file.js'
import { beginWrite, type Connection, openConnection, withConnection } from './connection.js'
import { sqliteDialect } from './dialect.js'
import { type FileIdentity, identify, realFile } from './file-identity.js'
import { isDamage } from './find-damage.js'
import { migrateFile, migrateNow } from './migrate.js'
import { knownVersion, readSchema } from './schema-version.js'
import { openWalIndex } from './wal-index.js'

export type SqliteOptions = OpeningOptions & {
  /** How long a call waits for another process's lock, or in the queue, in milliseconds. */
  busyTimeoutMs?: number
  /** Called once, when the open file was replaced, removed or damaged: the process should end. */
  onLost?(fault: StoreUnavailableError): void
}

/** The size to which SQLite truncates the log after a checkpoint, in bytes. A large transaction makes it longer. */
const maxIdleLogBytes = 64 * 1024 * 1024

/**
 * Opens a file, and creates a missing one. One connection writes, two read.
 * SQLite continues to write to a removed or replaced file. So a write is acknowledged only if the path leads to the open file
 * and its log before and after the commit. Otherwise, or if SQLite finds damage, the database is lost to this process: this
 * call and all later ones fail, and `onLost` is called. Nothing is reopened or repaired.
 * @throws DatabaseRefusedError if the file belongs to another program, is too new, or is damaged
 */
export async function openSqliteDatabase(
  path: string,
  {
    busyTimeoutMs = 5_000,
    onCall = () => {},
    onLost = () => {},
    ...options
  }: SqliteOptions & Pick<SqlStoreOptions, 'onCall'> = {},
): Promise<StoreDatabase> {
  const named = resolve(path)
  const created = await checkFile(named, busyTimeoutMs, options)
  if (created) await createFolder(named)
  const migration = created || !options.migrate ? undefined : await migrateFile(named, busyTimeoutMs)
  const file = realFile(named)
  const { writer, readers, walIndex } = await openConnections(file, busyTimeoutMs)
  const identity = identify(named, file)
  let fault: StoreUnavailableError | undefined
  /** Closing the connections could write to a foreign or damaged file. */
  let staysOpen = false
  let closing: Promise<void> | undefined
  const running = new Set<Promise<unknown>>()

  const lose = (reason: string, isFileLost: boolean, cause?: unknown): StoreUnavailableError => {
    staysOpen ||= isFileLost
    if (fault) return fault
    fault = new StoreUnavailableError(`The database ${file} ${reason}`, { cause })
    onLost(fault)
    return fault
  }
  if (!identity) throw lose('was removed while it was opened', true)

  /** @throws StoreUnavailableError unless the path leads to the open file and its log */
  const verify = async (): Promise<void> => {
    if (fault) throw fault
    const present = identify(named, file)
    const reason = describeChange(identity, present)
    if (reason !== undefined) throw lose(reason, identity.file !== present?.file)
    // Another process vacuumed the file, or truncated it.
    if (present && present.size < identity.size) {
      await checkOpenFile(file, busyTimeoutMs, options).catch((error) => {
        throw error instanceof StoreUnavailableError ? error : lose('is damaged', true, error)
      })
    }
    if (present) identity.size = present.size
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
    if (staysOpen) return
    // The writer closes last: the last connection copies the log into the file, which only a writer can.
    await Promise.all(readers.map((reader) => reader.close()))
    await writer.close()
    walIndex.close()
  }

  const inOrder = createQueue()
  return {
    opened: { created, migrated: migration && migration.from < migration.to ? migration : undefined },
    queueTimeoutMs: busyTimeoutMs,
    readBytes: async () => (await stat(file)).size,
    name: file,
    dialect: sqliteDialect,
    read: readBy(readers[0]),
    readLarge: readBy(readers[1]),
    changeCounter: () => (fault || closing !== undefined ? undefined : walIndex.changeCounter()),
    transaction: (work) =>
      use('write', async () => {
        await verify()
        const result = await runTransaction(writer, beginWrite, work)
        await verify()
        return result
      }),
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

function describeChange(open: FileIdentity, found: FileIdentity | undefined): string | undefined {
  if (!found) return 'was removed while it was open'
  if (found.file !== open.file) return 'was replaced by another file while it was open'
  if (found.log !== open.log) return 'lost its log (-wal) while it was open'
  if (found.index !== open.index) return "lost its log's index (-shm) while it was open"
  return undefined
}

/** Opens a checked file. An empty one gets its tables. */
async function openConnections(file: string, busyTimeoutMs: number) {
  const opened: Connection[] = []
  const open = async (mode: 'create' | 'read') => {
    const connection = await openConnection(file, mode, busyTimeoutMs)
    opened.push(connection)
    return connection
  }
  try {
    // Without the driver no file is created.
    loadDriver('sqlite3')
    await createPrivate(file)
    const writer = await open('create')
    // FULL: an acknowledged commit survives a power failure. secure_delete: deleted data does not stay in the file. The
    // statement journal is in memory: a file would cost creations a quarter more CPU time.
    await writer.exec(
      `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
       PRAGMA journal_size_limit = ${maxIdleLogBytes}`,
    )
    const schema = await readSchema(writer)
    if (schema.version === 0) await migrateNow(file, writer)
    else refuseOlder(file, schema, knownVersion)
    await switchToWal(file, writer, busyTimeoutMs)
    // Each kind of use has a connection, so that no long query delays requests.
    const readers = [await open('read'), await open('read')] as const
    // A connection opens the log at its first read. Otherwise a writer would leave the log behind when it closes.
    for (const connection of opened) await connection.all('SELECT count(*) FROM sqlite_schema')
    return { writer, readers, walIndex: openWalIndex(file) }
  } catch (error) {
    for (const connection of opened.reverse()) await connection.close()
    throw error
  }
}

/**
 * Creates a missing file, readable by its owner alone whatever the umask. The log and its index get the mode of the database.
 */
async function createPrivate(file: string): Promise<void> {
  // SQLite reports a fault when it opens the file.
  await withFile(file, 'wx', (handle) => handle.chmod(0o600)).catch(() => {})
}

async function switchToWal(file: string, connection: Connection, busyTimeoutMs: number): Promise<void> {
  const deadline = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      const [row] = await connection.all<{ journal_mode: string }>('PRAGMA journal_mode = WAL')
      if (row?.journal_mode === 'wal') return
      throw new DatabaseRefusedError(
        file,
        'its file system does not support a write-ahead log',
        'Choose a path on a local disk.',
      )
    } catch (error) {
      // If two processes switch at once, SQLite fails one of them without waiting for the busy timeout.
      if (!(error instanceof StoreUnavailableError) || performance.now() > deadline) throw error
      await setTimeout(10)
    }
  }
}

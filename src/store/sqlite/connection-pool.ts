import { setTimeout } from 'node:timers/promises'
import { createBatchReader, type ReadByKey } from '../batch-reader.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { createQueue } from '../queue.js'
import { StoreUnavailableError } from '../store.js'
import { withFile } from '../with-file.js'
import { type Connection, type Mode, openConnection, type Value, withConnection } from './connection.js'
import { followLinks } from './follow-links.js'
import { migrate } from './migrate.js'
import { readSchema, refuseOlder, requireOurs } from './schema-version.js'
import { openWalIndex } from './wal-index.js'
import { type BatchStatement, createWriter } from './writer.js'

/** The connections of a store to its file. After `close` every call fails with a StoreUnavailableError. */
export type ConnectionPool = {
  /** Runs one query. It sees every commit, by any process, that ended before the call. */
  read<Row>(sql: string, ...values: Value[]): Promise<Row[]>
  /** Like `read`, in one query with all other calls that wait with the same query. */
  readByKey: ReadByKey
  /** The same for large results: one at a time, on the connection of the long queries. */
  readLargeByKey: ReadByKey
  /** Changes with every commit, by any process, that ended before the call. */
  version(): number
  /** Runs work of several statements: all of it is committed, or nothing. It may run again after a rollback. */
  write<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Writes one item, together with all that wait for the same statement. */
  run<Item, Result>(statement: BatchStatement<Item, Result>, item: Item): Promise<Result>
  /** Runs several queries over one state of the database. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** The number of writes in the queue. */
  waitingWrites(): number
  /** Waits for the calls before it, then closes all connections. */
  close(): Promise<void>
}

/** How long the log stays once its content is in the file, in bytes. A large transaction makes it longer. */
const maxIdleLogBytes = 64 * 1024 * 1024

/**
 * Opens a file that was checked: one connection that writes, and two that read. An empty file gets its tables.
 * @param mode `create` creates a missing file, `write` does not
 * @throws DatabaseRefusedError for a database of an older version, see `migrateFile`
 */
export async function openConnectionPool(
  path: string,
  busyTimeoutMs: number,
  mode: 'create' | 'write' = 'create',
): Promise<ConnectionPool> {
  const file = followLinks(path)
  const opened: Connection[] = []
  const open = async (mode: Mode) => {
    const connection = await openConnection(file, mode, busyTimeoutMs)
    opened.push(connection)
    return connection
  }

  try {
    if (mode === 'create') await createPrivate(file)
    const writing = await open(mode)
    // FULL: an acknowledged commit survives a power failure, which WAL alone does not promise. What is deleted or
    // replaced is overwritten with zeros, so that nothing of it stays in the file.
    await writing.exec(
      `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
       PRAGMA journal_size_limit = ${maxIdleLogBytes}`,
    )
    const { isEmpty } = await requireOurs(file, writing)
    if (isEmpty) await migrate(file, writing)
    else refuseOlder(file, (await readSchema(writing)).version)
    await switchToWal(file, writing, busyTimeoutMs)
    const [byKey, others] = [await open('read'), await open('read')]
    // A connection opens the log at its first read. Without it a writer would leave the log behind at close, and a
    // reader could not read any more once the file is removed.
    for (const connection of opened) await connection.all('SELECT count(*) FROM sqlite_schema')
    return createPool(file, busyTimeoutMs, writing, byKey, others)
  } catch (error) {
    // The writer last, as in close() below.
    for (const connection of opened.reverse()) await connection.close()
    throw error
  }
}

/** @param byKey has a connection of its own, so that no long query delays what requests read */
function createPool(
  file: string,
  busyTimeoutMs: number,
  writing: Connection,
  byKey: Connection,
  others: Connection,
): ConnectionPool {
  const walIndex = openWalIndex(file)
  const readByKey = createBatchReader(byKey)
  const readLargeByKey = createBatchReader(others, { isSingle: true })
  const writer = createWriter(writing, busyTimeoutMs)
  const enqueueSnapshot = createQueue()
  let closing: Promise<void> | undefined
  const unlessClosed = <T>(value: T): T => {
    if (closing === undefined) return value
    throw new StoreUnavailableError(`The database ${file} is closed`)
  }

  // The writer last: the last connection copies the log into the file, and only a writer can.
  const close = async () => {
    await Promise.all([byKey.close(), others.close(), enqueueSnapshot(async () => {})])
    await writer.close()
    walIndex.close()
  }

  return {
    read: async (sql, ...values) => unlessClosed(others).all(sql, ...values),
    readByKey: async (query, key) => unlessClosed(readByKey)(query, key),
    readLargeByKey: async (query, key) => unlessClosed(readLargeByKey)(query, key),
    version: () => unlessClosed(walIndex).version(),
    write: async (work) => unlessClosed(writer).write(work),
    run: async (statement, item) => unlessClosed(writer).run(statement, item),
    // On a connection of its own: a transaction on a shared one would hide later commits from other readers.
    snapshot: async (work) =>
      unlessClosed(enqueueSnapshot)(() =>
        withConnection(file, 'read', busyTimeoutMs, async (connection) => {
          await connection.run('BEGIN')
          return work(connection)
        }),
      ),
    waitingWrites: writer.waiting,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/**
 * Creates a missing file, readable by its owner alone whatever the umask. SQLite gives its log and the log's index the
 * mode of the database.
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
      // Where two processes switch at once, SQLite fails one of them without the busy timeout.
      if (!(error instanceof StoreUnavailableError) || performance.now() > deadline) throw error
      await setTimeout(10)
    }
  }
}

import { setTimeout } from 'node:timers/promises'
import type { OwnCommit } from '../change-feed.js'
import { StoreUnavailableError } from '../store.js'
import type { BatchQuery, Key } from './batch-queries.js'
import { createReader } from './batch-reader.js'
import { type Connection, type Mode, openConnection, type Value } from './connection.js'
import { DatabaseRefusedError } from './database-errors.js'
import { knowOwnCommits } from './local-commits.js'
import { migrate } from './migrations.js'
import { createQueue } from './queue.js'
import { followWalIndex } from './wal-index.js'
import { type BatchStatement, createWriter } from './writer.js'

/** A store's way to its file. After `close` every call fails with a StoreUnavailableError. */
export type ConnectionPool = {
  /** Runs one query. It sees everything that was committed before, by this process or another. */
  read<Row>(sql: string, ...values: Value[]): Promise<Row[]>
  /** What a look-up finds for a key; as `read`, and together with others that wait for the same look-up. */
  find<Found>(lookup: BatchQuery<Found>, key: Key): Promise<Found[]>
  /** What is another after each commit, by this process or another, that came before the call. */
  version(): number
  /** Does work of several statements: all of it is kept, or none. It may run again after it was rolled back. */
  write<T>(work: (handle: Connection) => Promise<T>): Promise<T>
  /** Does one statement for an item, and for all that wait for the same statement. */
  run<Item, Result>(statement: BatchStatement<Item, Result>, item: Item): Promise<Result>
  /** Runs several queries over one state of the database, whatever is written meanwhile. */
  snapshot<T>(work: (handle: Connection) => Promise<T>): Promise<T>
  /** How many writes wait for their turn. */
  waitingWrites(): number
  /** Waits for what was begun, then closes all connections. */
  close(): Promise<void>
}

/**
 * Opens a file that was checked: one connection to write, brought to the known version, and two to read.
 * @param mode `create` makes the file where there is none, `write` does not
 * @param onOwnCommit told of commits by these connections, each before it is acknowledged
 */
export async function openConnectionPool(
  file: string,
  busyTimeoutMs: number,
  mode: 'create' | 'write' = 'create',
  onOwnCommit: (own: OwnCommit<number>) => void = () => {},
): Promise<ConnectionPool> {
  const opened: Connection[] = []
  const open = async (mode: Mode) => {
    const handle = await openConnection(file, mode, busyTimeoutMs)
    opened.push(handle)
    return handle
  }

  try {
    const writing = await open(mode)
    // FULL: a commit that was acknowledged survives a power cut, which WAL alone does not promise.
    await writing.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    await migrate(file, writing)
    await switchToWal(file, writing, busyTimeoutMs)
    const readers: [Connection, Connection] = [await open('read'), await open('read')]
    // A connection opens the log when it first reads: a writer that had not would leave it behind at close, and
    // a reader that had not could not read any more once the file is removed.
    for (const handle of opened) await handle.all('SELECT count(*) FROM sqlite_schema')
    return connect(file, writing, readers, busyTimeoutMs, onOwnCommit)
  } catch (error) {
    // The writer last, see below.
    for (const handle of opened.reverse()) await handle.close()
    throw error
  }
}

function connect(
  file: string,
  writing: Connection,
  reading: [Connection, Connection],
  busyTimeoutMs: number,
  onOwnCommit: (own: OwnCommit<number>) => void,
): ConnectionPool {
  // One for what requests look up, so that no long query holds them up.
  const readers = [createReader(reading[0]), createReader(reading[1])] as const
  const [lookups, others] = readers
  const walIndex = followWalIndex(file)
  const writer = createWriter(writing, busyTimeoutMs, knowOwnCommits(walIndex, onOwnCommit))
  const snapshots = createQueue()
  let closing: Promise<void> | undefined
  const refuseIfClosed = () => {
    if (closing !== undefined) throw new StoreUnavailableError(`The database ${file} is closed`)
  }

  // The writer goes last: the last connection puts the log into the file, and only one that writes can.
  const close = async () => {
    await Promise.all([...readers.map((reader) => reader.close()), snapshots(async () => {})])
    await writer.close()
    walIndex.close()
  }

  return {
    async read<Row>(sql: string, ...values: Value[]) {
      refuseIfClosed()
      return others.all<Row>(sql, ...values)
    },
    async find(lookup, key) {
      refuseIfClosed()
      return lookups.find(lookup, key)
    },
    version() {
      refuseIfClosed()
      return walIndex.version()
    },
    async write(work) {
      refuseIfClosed()
      return writer.write(work)
    },
    async run(statement, item) {
      refuseIfClosed()
      return writer.run(statement, item)
    },
    async snapshot(work) {
      refuseIfClosed()
      // On a connection of its own: a transaction on one that is shared would hold back what others see.
      return snapshots(async () => {
        const handle = await openConnection(file, 'read', busyTimeoutMs)
        try {
          await handle.run('BEGIN')
          return await work(handle)
        } finally {
          await handle.close()
        }
      })
    },
    waitingWrites: writer.waiting,
    close() {
      closing ??= close()
      return closing
    },
  }
}

async function switchToWal(file: string, handle: Connection, busyTimeoutMs: number): Promise<void> {
  const deadline = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      const [row] = await handle.all<{ journal_mode: string }>('PRAGMA journal_mode = WAL')
      if (row?.journal_mode === 'wal') return
      throw new DatabaseRefusedError(
        file,
        'its file system cannot keep a write-ahead log',
        'Choose a path on a local disk.',
      )
    } catch (error) {
      // Of two processes that change the same file at once, SQLite fails one without waiting.
      if (!(error instanceof StoreUnavailableError) || Date.now() > deadline) throw error
      await setTimeout(10)
    }
  }
}

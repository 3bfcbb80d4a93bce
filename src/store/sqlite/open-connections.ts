import { setTimeout } from 'node:timers/promises'
import { DatabaseRefusedError } from '../database-refused.js'
import { refuseOlder } from '../database-version.js'
import { loadDriver } from '../load-driver.js'
import { createQueue } from '../queue.js'
import { runTransaction } from '../sql/run-transaction.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import { StoreUnavailableError } from '../store.js'
import { withFile } from '../with-file.js'
import { beginWrite, type Connection, type Mode, openConnection, withConnection } from './connection.js'
import { sqliteDialect } from './dialect.js'
import { followLinks } from './follow-links.js'
import { migrateNow } from './migrate.js'
import { knownVersion, readSchema } from './schema-version.js'
import { openWalIndex } from './wal-index.js'

/** The connections of a store to one file. */
export type FileConnections = SqlDatabase & {
  /** Changes with every commit, by any process, that ended before the call; it may also change without one. */
  changeCounter(): number
}

/** How long the log stays once its content is in the file, in bytes. A large transaction makes it longer. */
const maxIdleLogBytes = 64 * 1024 * 1024

/**
 * Opens a file that was checked: one connection that writes, and two that read. An empty file gets its tables.
 * @param mode `create` creates a missing file, `write` does not
 * @throws DatabaseRefusedError for a database of an older version, see `migrateFile`
 */
export async function openConnections(
  path: string,
  busyTimeoutMs: number,
  mode: 'create' | 'write' = 'create',
): Promise<FileConnections> {
  const file = followLinks(path)
  const opened: Connection[] = []
  const open = async (mode: Mode) => {
    const connection = await openConnection(file, mode, busyTimeoutMs)
    opened.push(connection)
    return connection
  }

  try {
    // Without the driver nothing is created.
    loadDriver('sqlite3')
    if (mode === 'create') await createPrivate(file)
    const writing = await open(mode)
    // FULL: an acknowledged commit survives a power failure, which WAL alone does not promise. What is deleted or
    // replaced is overwritten with zeros, so that nothing of it stays in the file. What a statement within a transaction
    // would have to take back is in memory, not in a file of its own: creations cost a quarter more CPU time with one.
    await writing.exec(
      `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
       PRAGMA journal_size_limit = ${maxIdleLogBytes}`,
    )
    const schema = await readSchema(writing)
    if (schema.version === 0) await migrateNow(file, writing)
    else refuseOlder(file, schema, knownVersion)
    await switchToWal(file, writing, busyTimeoutMs)
    // Each kind of use has a connection of its own, so that no long query delays what requests read.
    const [ofRequests, others] = [await open('read'), await open('read')]
    // A connection opens the log at its first read. Without it a writer would leave the log behind at close, and a
    // reader could not read any more once the file is removed.
    for (const connection of opened) await connection.all('SELECT count(*) FROM sqlite_schema')
    const walIndex = openWalIndex(file)
    const enqueueSnapshot = createQueue()
    let transaction: Promise<unknown> = Promise.resolve()
    let closing: Promise<void> | undefined
    // The writer last: the last connection copies the log into the file, and only a writer can.
    const close = async () => {
      await Promise.all([ofRequests.close(), others.close(), enqueueSnapshot(async () => {})])
      await Promise.allSettled([transaction])
      await writing.close()
      walIndex.close()
    }
    return {
      name: file,
      dialect: sqliteDialect,
      read: ofRequests.all,
      readLarge: others.all,
      changeCounter: walIndex.version,
      transaction(work) {
        const result = runTransaction(writing, beginWrite, work)
        transaction = result
        return result
      },
      // On a connection of its own: a transaction on a shared one would hide later commits from other readers.
      snapshot: (work) =>
        enqueueSnapshot(() =>
          withConnection(file, 'read', busyTimeoutMs, (connection) =>
            runTransaction(connection, 'BEGIN', work),
          ),
        ),
      close() {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    for (const connection of opened.reverse()) await connection.close()
    throw error
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

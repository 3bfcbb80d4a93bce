import { chmodSync, closeSync, openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { DatabaseRefusedError } from '../database-refused.js'
import { refuseOlder } from '../database-version.js'
import { loadDriver } from '../load-driver.js'
import type { Migration, OpeningOptions } from '../production-store.js'
import { createQueue } from '../queue.js'
import { StoreUnavailableError } from '../store.js'
import { checkFile, createFolder } from './check-file.js'
import { type Connection, openConnection } from './connection.js'
import { describeFault, type FileIdentity, identify, identityOf, realFile } from './file-identity.js'
import { setForeignLogAside } from './foreign-log.js'
import { migrateFile, migrateNow } from './migrate.js'
import { knownVersion, mark, readSchema } from './schema-version.js'
import { openWalIndex } from './wal-index.js'

export type SqliteOptions = OpeningOptions & {
  /** How long a call waits for another process's lock, or in the queue, in milliseconds. */
  busyTimeoutMs?: number
  /** Called once, when the open file was replaced, removed or damaged: the process should end. */
  onLost?(fault: StoreUnavailableError): void
  /** Gets a sentence, such as that the log of another file was set aside. By default the process emits a warning. */
  onWarning?(warning: string): void
}

export const defaultTimeoutMs = 5_000

/** The size to which SQLite truncates the log after a checkpoint, in bytes. A large transaction makes it longer. */
const maxIdleLogBytes = 64 * 1024 * 1024

/** A file that this process has open, and its connections: one writes, two read. */
export type OpenFile = {
  /** Its path without links. */
  path: string
  identity: FileIdentity
  writer: Connection
  readers: readonly [Connection, Connection]
  walIndex: ReturnType<typeof openWalIndex>
  /** Runs the transactions of all stores one at a time. */
  inOrder: ReturnType<typeof createQueue>
  /** The number of stores that share it. */
  users: number
  /** Closing the connections could write to a foreign or damaged file. */
  staysOpen: boolean
}

/** How a store came to its file. */
type Opened = { created: boolean; migrated: Migration | undefined }

const openFiles = new Set<OpenFile>()
const inTurn = createQueue()

/**
 * Opens a file, and creates a missing one. A file that this process has open already is shared, also under another name of it:
 * locks belong to the process, and another opening would read and close the file, which releases them.
 * @param named an absolute path, which may lead through links
 * @throws DatabaseRefusedError if the file belongs to another program, is too new, or is damaged
 */
export const shareFile = (named: string, options: SqliteOptions): Promise<Opened & { open: OpenFile }> =>
  inTurn(async () => {
    const found = identify(named)?.file
    const shared = [...openFiles].find(({ identity }) => identity.file === found)
    const opened = shared
      ? { open: shared, created: false, migrated: undefined }
      : await openFile(named, options)
    openFiles.add(opened.open)
    opened.open.users += 1
    return opened
  })

/** Later openings do not share the file: it was replaced or damaged. */
export const stopSharing = (open: OpenFile): void => void openFiles.delete(open)

/** Closes the file when its last store is closed. */
export const releaseFile = (open: OpenFile): Promise<void> =>
  inTurn(async () => {
    open.users -= 1
    if (open.users > 0) return
    stopSharing(open)
    if (open.staysOpen) return
    // The writer closes last: the last connection copies the log into the file, which only a writer can.
    await Promise.all(open.readers.map((reader) => reader.close()))
    await open.writer.close()
    open.walIndex.close()
  })

async function openFile(
  named: string,
  { busyTimeoutMs = defaultTimeoutMs, onWarning, ...options }: SqliteOptions,
): Promise<Opened & { open: OpenFile }> {
  const created = await checkFile(named, busyTimeoutMs, options)
  if (created) await createFolder(named)
  const path = realFile(named)
  await setForeignLogAside(path, onWarning)
  const migration = created || !options.migrate ? undefined : await migrateFile(named, busyTimeoutMs)
  const connections = await openConnections(path, busyTimeoutMs)
  const identity = identifyOpened(named, path)
  const open = { ...connections, path, identity, inOrder: createQueue(), users: 0, staysOpen: false }
  return { open, created, migrated: migration && migration.from < migration.to ? migration : undefined }
}

/** @throws StoreUnavailableError */
function identifyOpened(named: string, path: string): FileIdentity {
  try {
    return identityOf(named, path)
  } catch (error) {
    throw new StoreUnavailableError(`The database ${path} ${describeFault(error as Error)}`, { cause: error })
  }
}

/** Opens a checked file. An empty one gets its tables, and one that was rebuilt its mark. */
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
    createPrivate(file)
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
    if (schema.version === knownVersion && schema.oldest === 0) await writer.exec(mark)
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
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
    chmodSync(file, 0o600)
  } catch {
    // SQLite reports a fault when it opens the file.
  }
}

async function switchToWal(file: string, connection: Connection, busyTimeoutMs: number): Promise<void> {
  const deadline = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      const [row] = await connection.all<{ journal_mode: string }>('PRAGMA journal_mode = WAL')
      if (row?.journal_mode === 'wal') return
      throw new DatabaseRefusedError(
        file,
        `its journal mode stays "${row?.journal_mode}", and this program needs a write-ahead log (wal)`,
        'Try a path on a local disk: SQLite has no such log on a file system without shared memory.',
      )
    } catch (error) {
      // If two processes switch at once, SQLite fails one of them without waiting for the busy timeout.
      if (!(error instanceof StoreUnavailableError) || performance.now() > deadline) throw error
      await setTimeout(10)
    }
  }
}

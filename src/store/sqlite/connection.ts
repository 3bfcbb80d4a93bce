import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type sqlite3 from 'sqlite3'
import { closeAfterUse } from '../close-after-use.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { loadDriver } from '../load-driver.js'
import { createQueue } from '../queue.js'
import type { SqlConnection, Value } from '../sql/sql-database.js'
import { StoreUnavailableError } from '../store.js'
import { storeError } from './database-errors.js'
import { realFile } from './file-identity.js'
import { hasForeignLog, setForeignLogAside } from './foreign-log.js'

/**
 * A connection to a database file. Statements are prepared once. Times and ids are text: the driver binds integers as 32
 * bits.
 */
export type Connection = SqlConnection & {
  /** Closes the connection after earlier calls. */
  close(): Promise<void>
}

/**
 * `immutable` reads without locks and without the log: only for a file that no process has open. `create` and `write` set the log
 * of another file aside.
 */
export type Mode = 'create' | 'write' | 'read' | 'immutable'

type Callback<T> = (error: Error | null, value: T) => void

/**
 * Opens a connection.
 * @param busyTimeoutMs how long a call waits for a lock of another connection, in milliseconds
 * @throws StoreUnavailableError, as all calls of the connection, if the file cannot be used for now; DriverMissingError
 */
export async function openConnection(file: string, mode: Mode, busyTimeoutMs: number): Promise<Connection> {
  const promisify = <T>(call: (done: Callback<T>) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      call((error, value) => (error ? reject(storeError(file, error)) : resolve(value)))
    })

  if (mode === 'create' || mode === 'write') await setForeignLogAside(file)
  const { Database, OPEN_CREATE, OPEN_READONLY, OPEN_READWRITE, OPEN_URI } = loadDriver('sqlite3')
  const flags = {
    create: OPEN_READWRITE | OPEN_CREATE,
    write: OPEN_READWRITE,
    read: OPEN_READONLY,
    immutable: OPEN_READONLY | OPEN_URI,
  }
  const name = mode === 'immutable' ? `${pathToFileURL(file)}?immutable=1` : file
  const db = await promisify<sqlite3.Database>((done) => {
    const db: sqlite3.Database = new Database(name, flags[mode], (error) => done(error, db))
  })
  db.configure('busyTimeout', busyTimeoutMs)

  const statements = new Map<string, sqlite3.Statement>()
  let closing: Promise<void> | undefined
  // Concurrent statements would block each other on threads that the process needs for file system calls.
  const inOrder = createQueue()

  const prepare = async (sql: string): Promise<sqlite3.Statement> => {
    // SQLite numbers `$2` by its first occurrence, like a name; `?2` is the second parameter.
    const numbered = sql.replace(/\$(?=\d)/g, '?')
    const prepared = await promisify<sqlite3.Statement>((done) => {
      const statement: sqlite3.Statement = db.prepare(numbered, (error) => done(error, statement))
    })
    statements.set(sql, prepared)
    return prepared
  }

  /** Runs a statement. Returns its rows, or the number of changed rows. */
  const execute = <T>(method: 'all' | 'run', sql: string, values: Value[]): Promise<T> =>
    inOrder(async () => {
      const statement = statements.get(sql) ?? (await prepare(sql))
      return new Promise<T>((resolve, reject) => {
        statement[method](values, function (this: sqlite3.RunResult, error: Error | null, rows?: T) {
          // After SQLITE_BUSY a statement stays active until it is reset, and delays commits.
          if (error) statement.reset(() => reject(storeError(file, error)))
          else resolve(rows ?? (this.changes as T))
        })
      })
    })

  return {
    // Never get(): it stops at the first row, and an unfinished statement pins its snapshot.
    all: <Row>(sql: string, ...values: Value[]) => execute<Row[]>('all', sql, values),
    run: (sql, ...values) => execute<number>('run', sql, values),
    exec: (script) => inOrder(() => promisify<void>((done) => db.exec(script, (error) => done(error)))),
    close() {
      closing ??= inOrder(async () => {
        for (const statement of statements.values()) statement.finalize()
        await promisify<void>((done) => db.close((error) => done(error)))
      })
      return closing
    },
  }
}

/** Opens a connection, uses it, and closes it. */
export const withConnection = async <T>(
  file: string,
  mode: Mode,
  busyTimeoutMs: number,
  work: (connection: Connection) => Promise<T>,
): Promise<T> => closeAfterUse(await openConnection(file, mode, busyTimeoutMs), work)

/** Takes the write lock at its start, so that no other process can take it half-way. */
export const beginWrite = 'BEGIN IMMEDIATE'

/**
 * Opens a file to read it, with no more than the right to read. Changes and creates nothing, except for a log that it removes
 * again if this user may write.
 * In WAL mode SQLite needs a log and its index, and creates missing ones. Without the right to write, a file without a log is
 * read as it is, since no process has it open; so is one beside the log of another file. Closing fails if a process changed it meanwhile.
 * @throws DatabaseRefusedError if the log exists and cannot be read
 */
export async function openReadOnly(path: string, busyTimeoutMs: number): Promise<Connection> {
  const file = realFile(path)
  const mayWrite = [file, dirname(file)].every((each) => isWritable(each))
  // A read-only connection leaves an existing log unchanged. It creates a missing log and cannot remove it.
  const withoutLog = mayWrite ? 'write' : 'immutable'
  const mode = hasForeignLog(file) ? 'immutable' : existsSync(`${file}-wal`) ? 'read' : withoutLog
  const before = mode === 'immutable' ? lastChange(file) : undefined
  const connection = await openConnection(file, mode, busyTimeoutMs)
  try {
    await connection.exec('PRAGMA query_only = ON')
    await connection.all('SELECT count(*) FROM sqlite_schema')
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    if (code === 'SQLITE_CANTOPEN' || code === 'SQLITE_READONLY') {
      await connection.close()
      throw logRefused(file, code, error)
    }
    // The caller's own statements report damage.
  }
  if (before === undefined) return connection
  return {
    ...connection,
    async close() {
      await connection.close()
      if (lastChange(file) !== before) {
        throw new StoreUnavailableError(`The database ${file} was changed while it was read`)
      }
    },
  }
}

/** Opens a file by `openReadOnly`, uses it, and closes it. */
export const withReader = async <T>(
  file: string,
  busyTimeoutMs: number,
  read: (connection: Connection) => Promise<T>,
): Promise<T> => closeAfterUse(await openReadOnly(file, busyTimeoutMs), read)

/** Identifies the last change of a file, and the file. */
function lastChange(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && [found.ino, found.size, found.mtimeNs].join(' ')
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const logRefused = (file: string, code: string, cause: unknown) =>
  new DatabaseRefusedError(
    file,
    `its log cannot be read (${code})`,
    `Allow this user to read ${file}-wal and ${file}-shm. If no process has the database open, one ended without closing it: open it once with the right to write.`,
    cause,
  )

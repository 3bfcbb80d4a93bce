import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type sqlite3 from 'sqlite3'
import { closeAfter } from '../close-after.js'
import { loadDriver } from '../load-driver.js'
import { createQueue } from '../queue.js'
import type { SqlConnection, Value } from '../sql/sql-database.js'
import { StoreUnavailableError } from '../store.js'
import { storeError } from './database-errors.js'

/**
 * One connection to a database file. Its calls run one at a time, in order. Statements are prepared once. Times and ids
 * are text: the driver binds integers as 32 bits.
 */
export type Connection = SqlConnection & {
  /** Waits for the calls before it, then closes the connection. Every later call is refused. */
  close(): Promise<void>
}

/** `immutable` reads without locks and without the log: only for a file that no process has open. */
export type Mode = 'create' | 'write' | 'read' | 'immutable'

type Callback<T> = (error: Error | null, value: T) => void

/**
 * Opens one connection.
 * @param busyTimeoutMs how long a call waits for a lock of another connection, in milliseconds
 * @throws StoreUnavailableError, as all its calls do, where the file cannot be used for now; DriverMissingError
 */
export async function openConnection(file: string, mode: Mode, busyTimeoutMs: number): Promise<Connection> {
  const promisify = <T>(call: (done: Callback<T>) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      call((error, value) => (error ? reject(storeError(file, error)) : resolve(value)))
    })

  // What SQLite cannot hold in memory, such as all records while they are vacuumed: other disks may be small, be read-only, or
  // not be for such data. It reads the variable when it opens the first file.
  if (file !== ':memory:') process.env.SQLITE_TMPDIR ||= dirname(file)
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

  // The driver's serialize() does not hold back prepared statements. Two of them at once would block each other on
  // threads that the process needs for its file system calls.
  const inOrder = createQueue()
  const statements = new Map<string, sqlite3.Statement>()
  let closing: Promise<void> | undefined
  const enqueue: typeof inOrder = async (task) => {
    if (closing === undefined) return inOrder(task)
    throw new StoreUnavailableError(`The database ${file} is closed`)
  }

  const prepare = async (sql: string): Promise<sqlite3.Statement> => {
    // `$2` would be the name of a parameter, numbered where it comes first; `?2` is the second one.
    const numbered = sql.replace(/\$(?=\d)/g, '?')
    const prepared = await promisify<sqlite3.Statement>((done) => {
      const statement: sqlite3.Statement = db.prepare(numbered, (error) => done(error, statement))
    })
    statements.set(sql, prepared)
    return prepared
  }

  /** Runs a statement. Returns its rows, or the number of rows that it changed. */
  const execute = <T>(method: 'all' | 'run', sql: string, values: Value[]): Promise<T> =>
    enqueue(async () => {
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
    // Never get(): it stops at the first row, and a statement that is not run to its end pins its snapshot.
    all: <Row>(sql: string, ...values: Value[]) => execute<Row[]>('all', sql, values),
    run: (sql, ...values) => execute<number>('run', sql, values),
    exec(script) {
      return enqueue(() => promisify<void>((done) => db.exec(script, (error) => done(error))))
    },
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
): Promise<T> => closeAfter(await openConnection(file, mode, busyTimeoutMs), work)

/** Begins a transaction that takes the write lock at its start: it cannot lose it to another process half-way. */
export const beginWrite = 'BEGIN IMMEDIATE'

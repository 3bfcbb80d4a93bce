import sqlite3 from 'sqlite3'
import { StoreUnavailableError } from '../store.js'
import { storeError } from './database-errors.js'
import { createQueue } from './queue.js'

/** What a statement takes. Times and ids are text: the driver binds integers as 32 bits. */
export type Value = string | number | null

/** One connection to a database file. Its calls run one after the other, in the order in which they came. */
export type Connection = {
  /** Runs a statement, kept for the next time, and gives its rows. */
  all<Row = Record<string, Value>>(sql: string, ...values: Value[]): Promise<Row[]>
  /** Runs a statement, kept for the next time, and gives the number of rows that it changed. */
  run(sql: string, ...values: Value[]): Promise<number>
  /** Runs a script of several statements. */
  exec(script: string): Promise<void>
  /** Copies the database, as it is at this moment, over another file; who writes meanwhile is not held up. */
  backup(target: string): Promise<void>
  /** Waits for the calls before it, then closes the connection. */
  close(): Promise<void>
}

const modes = {
  create: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE,
  write: sqlite3.OPEN_READWRITE,
  read: sqlite3.OPEN_READONLY,
}
export type Mode = keyof typeof modes

type Done<T> = (error: Error | null, value: T) => void

/** What the driver's types leave out. */
type Backup = { step(pages: number, done: Done<boolean>): void; finish(done: Done<void>): void }
type WithBackup = { backup(target: string, done: Done<void>): Backup }

/**
 * Opens one connection.
 * @param busyTimeoutMs how long a call waits for a lock of another connection, in milliseconds
 * @throws StoreUnavailableError, as all its calls do, where the file cannot be used for now
 */
export async function openConnection(file: string, mode: Mode, busyTimeoutMs: number): Promise<Connection> {
  const call = <T>(start: (done: Done<T>) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      start((error, value) => (error ? reject(storeError(file, error)) : resolve(value)))
    })

  const db = await call<sqlite3.Database>((done) => {
    const db: sqlite3.Database = new sqlite3.Database(file, modes[mode], (error) => done(error, db))
  })
  db.configure('busyTimeout', busyTimeoutMs)

  // The driver's own serialize() does not hold back statements that are prepared already. Two of them at once
  // would wait for each other on threads that the process needs for its file system calls.
  const inTurn = createQueue()
  const kept = new Map<string, sqlite3.Statement>()
  let closing: Promise<void> | undefined

  const prepared = async (sql: string): Promise<sqlite3.Statement> => {
    const statement =
      kept.get(sql) ??
      (await call<sqlite3.Statement>((done) => {
        const statement: sqlite3.Statement = db.prepare(sql, (error) => done(error, statement))
      }))
    kept.set(sql, statement)
    return statement
  }

  const running = <T>(sql: string, run: (statement: sqlite3.Statement) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      const statement = await prepared(sql)
      return run(statement).catch(async (error) => {
        // One that met a lock is still under way, and while it is, SQLite puts off the commits of those after it.
        await new Promise<void>((resolve) => statement.reset(() => resolve()))
        throw error
      })
    })

  return {
    // Never get(): it stops at the first row, and a statement that is not run to its end pins the snapshot
    // that its connection reads.
    all<Row>(sql: string, ...values: Value[]): Promise<Row[]> {
      return running(sql, (statement) => call<Row[]>((done) => statement.all<Row>(values, done)))
    },
    run(sql, ...values) {
      return running(sql, (statement) =>
        call<number>((done) =>
          statement.run(values, function (error) {
            done(error, this.changes)
          }),
        ),
      )
    },
    exec(script) {
      return inTurn(() => call<void>((done) => db.exec(script, (error) => done(error))))
    },
    backup(target) {
      return inTurn(async () => {
        let backup: Backup | undefined
        await call<void>((done) => {
          backup = (db as unknown as WithBackup).backup(target, (error) => done(error))
        })
        // All pages in one step: in several, one that another process changes meanwhile begins it anew.
        const isComplete = await call<boolean>((done) => backup?.step(-1, done))
        await call<void>((done) => backup?.finish(() => done(null)))
        if (!isComplete) throw new StoreUnavailableError(`The database ${file} is locked by another process`)
      })
    },
    close() {
      closing ??= inTurn(async () => {
        for (const statement of kept.values()) statement.finalize()
        await call<void>((done) => db.close((error) => done(error)))
      })
      return closing
    },
  }
}

import type { SchemaVersion } from '../database-version.js'
import type { Check, DatabaseDescription, RequestCounts } from '../production-store.js'
import type { StateKind } from '../state-file.js'
import { StoreUnavailableError } from '../store.js'

/** A value bound to a statement. */
export type Value = string | number | null

/** One connection. Its calls run one at a time. Parameters are `$1`, `$2` and so on. */
export type SqlConnection = {
  /** Runs a statement and returns its rows. */
  all<Row = Record<string, unknown>>(sql: string, ...values: Value[]): Promise<Row[]>
  /** Runs a statement and returns the number of rows that it changed. */
  run(sql: string, ...values: Value[]): Promise<number>
  /** Runs a script of several statements. */
  exec(script: string): Promise<void>
}

/** Another process kept a row locked for longer than a transaction waits for it. */
export class LockTimeoutError extends StoreUnavailableError {
  override name = 'LockTimeoutError'
}

/** A database of either kind. After `close` every call fails with a StoreUnavailableError. */
export type SqlDatabase = {
  /** Its path, or its address without a password. */
  name: string
  dialect: Dialect
  /** Runs a query of a request. It sees every commit, by any process, that ended before the call. */
  read<Row = Record<string, unknown>>(sql: string, ...values: Value[]): Promise<Row[]>
  /** The same for a query that takes long or has a large result: it delays no request. */
  readLarge<Row = Record<string, unknown>>(sql: string, ...values: Value[]): Promise<Row[]>
  /**
   * Runs work as one transaction: all of it is committed, or nothing. It may run again after a rollback. Calls do not wait
   * for each other: over a serial database the write queue makes one at a time.
   * @param lockTimeoutMs how long a statement waits for a lock of another process, in milliseconds; without it, as long as
   *   any statement may take. A serial database has no locks of rows.
   * @throws LockTimeoutError
   */
  transaction<Result>(
    work: (connection: SqlConnection) => Promise<Result>,
    lockTimeoutMs?: number,
  ): Promise<Result>
  /** Runs several queries over one state of the database. */
  snapshot<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result>
  /** Waits for the calls before it, then releases all resources. */
  close(): Promise<void>
}

/** A database that is only read. */
export type ReadDatabase = Omit<SqlDatabase, 'transaction'>

/** A database as a store opens it. */
export type StoreDatabase = SqlDatabase & {
  /** How opening it went. */
  opened: Pick<DatabaseDescription, 'created' | 'migrated'>
  /** How long a write may wait to begin, in milliseconds. */
  queueTimeoutMs: number
  readBytes(): Promise<number>
  /** Another value after every commit of any process; undefined while nothing can be read. Missing where only a query tells. */
  changeCounter?(): number | undefined
  requestCounts?: RequestCounts
}

/** What reads need of a database. */
export type SqlReader = Pick<SqlDatabase, 'dialect' | 'read' | 'readLarge'>

/** What the two databases write differently. All else is one text. */
export type Dialect = {
  kind: 'sqlite' | 'postgres'
  /** Whether the database takes one transaction at a time. */
  isSerial: boolean
  /** The arrays of a JSON array, as rows of `number`, from 0, and `item`. */
  items(json: string): string
  /** A JSON object of columns or expressions, by the names of its fields. */
  object(fields: Record<string, string>): string
  /** A JSON array of an expression over rows, in their order. */
  list(element: string): string
  /** The time of the database's clock (RFC 3339, UTC with milliseconds), where it may be another one than this process's. */
  now?: string
  /** Whether a column that is indexed by its hash, where values may be long, has a value. */
  hasValue(column: string, value: string): string
  /** The position of a part in a text; 0 if it is not there. */
  position(text: string, part: string): string
  /** The end of a query that locks the rows which it finds. */
  lock: string
  /** The same, without those that another transaction has locked. */
  lockFree: string
  /** Locks what changes of sessions and teams write in common, so that no two of them wait for each other. */
  lockGlobalScope?: string
  /** The newest version of a database that this program knows. */
  known: number
  /** Reads the version of a database. @throws DatabaseRefusedError for one on a server that this program cannot use */
  readSchema(connection: SqlConnection, name: string): Promise<SchemaVersion>
  /** @throws DatabaseRefusedError for a database that has tables of another program */
  requireOurs(connection: SqlConnection, name: string): Promise<void>
  /** The script that ends a migration from a version: it writes the newest one. */
  setVersion(from: number): string
  /** The script that writes what it has of the version already, to the disk. */
  rewriteVersion(oldest: number): string
  /** What to do before a migration that makes no copy. */
  copyBefore?(name: string): string
  /** The length of a text as JSON, with its quotes, in bytes; the same as `projectBytes` of the contract. */
  lengthInJson(text: string): string
  /** What is checked of a database beside its version and the sizes of its teams: what is found where nothing is wrong, else the fault. */
  checks: [Check['check'], found: string, find: (connection: SqlConnection) => Promise<string | undefined>][]
  /** Reads all records of a kind in insertion order, in pages: each as a JSON array of its stored columns. */
  pages(connection: SqlConnection, kind: StateKind): AsyncIterable<string[]>
  /** A query with another result after every commit. */
  mark: string
}

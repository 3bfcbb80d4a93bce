import type { SchemaVersion } from '../database-version.js'
import type { Check, DatabaseDescription, RequestCounts } from '../production-store.js'
import type { StateKind } from '../state-file.js'
import { StoreUnavailableError } from '../store.js'

export type Value = string | number | null

/** A connection. Its calls run one at a time, in their order. Parameters are `$1`, `$2` and so on. */
export type SqlConnection = {
  /** Runs a statement and returns its rows. */
  all<Row = Record<string, unknown>>(sql: string, ...values: Value[]): Promise<Row[]>
  /** Runs a statement and returns the number of rows that it changed. */
  run(sql: string, ...values: Value[]): Promise<number>
  /** Runs a script of several statements. */
  exec(script: string): Promise<void>
}

/** A statement of a batch failed or took too long, maybe because of some of its rows; nothing was written. */
export class BatchFailedError extends StoreUnavailableError {
  override name = 'BatchFailedError'
}

/** A database of either kind. After `close` every call fails with a StoreUnavailableError. */
export type SqlDatabase = {
  /** The path of the file, or the address without a password. */
  name: string
  dialect: Dialect
  /** Runs a query of a request. It sees every commit, by any process, that ended before the call. */
  read<Row = Record<string, unknown>>(sql: string, ...values: Value[]): Promise<Row[]>
  /** Runs a query that takes long or has a large result, without delaying requests. */
  readLarge<Row = Record<string, unknown>>(sql: string, ...values: Value[]): Promise<Row[]>
  /**
   * Runs work as one transaction, which may be repeated after a rollback. Calls are not queued: over a serial database only
   * one may run at a time.
   * @param lockTimeoutMs of a batch: how long a statement waits for a row lock of another process, in milliseconds; its statements
   *   may take less time than others. Serial databases have no row locks.
   * @throws BatchFailedError with `lockTimeoutMs`
   */
  transaction<Result>(
    work: (connection: SqlConnection) => Promise<Result>,
    lockTimeoutMs?: number,
  ): Promise<Result>
  /** Runs several queries on one state of the database. */
  snapshot<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result>
  /** Waits for earlier calls, then releases all resources. */
  close(): Promise<void>
}

export type ReadDatabase = Omit<SqlDatabase, 'transaction'>

export type StoreDatabase = SqlDatabase & {
  opened: Pick<DatabaseDescription, 'created' | 'migrated'>
  /** How long a write may wait to begin, in milliseconds. */
  queueTimeoutMs: number
  readBytes(): Promise<number>
  /**
   * Changes with every commit, by any process; undefined while it cannot be read. Absent if only a query can detect commits.
   */
  changeCounter?(): number | undefined
  requestCounts?: RequestCounts
}

export type SqlReader = Pick<SqlDatabase, 'dialect' | 'read' | 'readLarge'>

/** The parts of SQL that differ between the databases. */
export type Dialect = {
  kind: 'sqlite' | 'postgres'
  /** Whether the database takes one transaction at a time. */
  isSerial: boolean
  /** The arrays of a JSON array, as rows of `number`, from 0, and `item`. */
  items(json: string): string
  /** A JSON object of columns or expressions, by field names. */
  object(fields: Record<string, string>): string
  /** A JSON array of an expression over rows, in their order. */
  list(element: string): string
  /** The time of the database's clock (RFC 3339, UTC with milliseconds), if it may differ from this process's. */
  now?: string
  /** Whether a column that is indexed by its hash, since its values may be long, has a value. */
  hasValue(column: string, value: string): string
  /** The position of a part in a text; 0 if it does not occur. */
  position(text: string, part: string): string
  /** The end of a query that locks the rows that it finds. */
  lock: string
  /** As `lock`, but skips rows that another transaction has locked. */
  lockFree: string
  /** Locks the scope that changes of sessions and teams share, so that they cannot deadlock. */
  lockGlobalScope?: string
  /** The newest database version that this program knows. */
  known: number
  /** Reads the version of a database. @throws DatabaseRefusedError if this program cannot use its server */
  readSchema(connection: SqlConnection, name: string): Promise<SchemaVersion>
  /** @throws DatabaseRefusedError if the database has tables of another program */
  requireOurs(connection: SqlConnection, name: string): Promise<void>
  /** The script that ends a migration from a version, by writing the newest version. */
  setVersion(from: number): string
  /** The advice for a migration that makes no copy. */
  copyBefore?(name: string): string
  /** The length of a text as JSON, with its quotes, in bytes, as `projectBytes` of the contract. */
  lengthInJson(text: string): string
  /**
   * The checks of a database beside its version and team sizes: a name, the text if nothing is wrong, and a search for a
   * fault.
   */
  checks: [Check['check'], found: string, find: (connection: SqlConnection) => Promise<string | undefined>][]
  /** Reads all records of a kind in insertion order, in pages, each as a JSON array of its stored columns. */
  pages(connection: SqlConnection, kind: StateKind): AsyncIterable<string[]>
  /** A query with another result after every commit. */
  mark: string
}

export const first = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0]

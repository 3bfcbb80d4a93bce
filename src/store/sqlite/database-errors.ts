import { StoreUnavailableError } from '../store.js'

/** A database file that was not opened, and was left as it was: not ours, newer than we know, or damaged. */
export class DatabaseRefusedError extends Error {
  override name = 'DatabaseRefusedError'
  readonly file: string
  readonly why: string
  readonly next: string

  /** Says what (the file), why (no full stop at its end), and what to do next (a sentence). */
  constructor(file: string, why: string, next: string, cause?: unknown) {
    super(`Cannot use the database ${file}: ${why}. ${next}`, { cause })
    this.file = file
    this.why = why
    this.next = next
  }
}

/** What may pass by itself or by an operator's hand: a lock, a full disk, a missing mount. */
const passing = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
])

/** An error of sqlite3 as the store's callers know it; those that are no passing trouble stay as they are. */
export function storeError(file: string, error: Error): Error {
  const { code } = error as { code?: string }
  if (!code || !passing.has(code)) return error
  const message = `The database ${file} cannot be used for now (${error.message})`
  return new StoreUnavailableError(message, { cause: error })
}

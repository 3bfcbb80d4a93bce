import { StoreUnavailableError } from '../store.js'

/** Conditions that may end by themselves or by an operator: a lock, a full disk, a missing mount. */
const temporaryCodes = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
])

/** Maps an error of sqlite3 to a StoreUnavailableError if it is temporary, and returns any other unchanged. */
export function storeError(file: string, error: Error): Error {
  const { code } = error as { code?: string }
  if (!code || !temporaryCodes.has(code)) return error
  const message = `The database ${file} cannot be used for now (${error.message})`
  return new StoreUnavailableError(message, { cause: error })
}

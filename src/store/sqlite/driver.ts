import { createRequire } from 'node:module'
import type sqlite3 from 'sqlite3'

/** The database driver, an optional dependency, is not installed or has no binary for this platform. */
export class DriverMissingError extends Error {
  override name = 'DriverMissingError'
}

const require = createRequire(import.meta.url)

/**
 * Loads the database driver. Only what opens a database needs it.
 * @throws DriverMissingError that says what to install
 */
export function loadDriver(): typeof sqlite3 {
  try {
    return require('sqlite3')
  } catch (error) {
    const message =
      (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND'
        ? 'A database needs the package sqlite3. Install it with: npm install sqlite3'
        : 'The package sqlite3 cannot be loaded. Build it for this platform with: npm rebuild sqlite3'
    throw new DriverMissingError(message, { cause: error })
  }
}

import { createRequire } from 'node:module'
import type sqlite3 from 'sqlite3'
import { DriverMissingError } from '../database-refused.js'

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

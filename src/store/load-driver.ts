import { createRequire } from 'node:module'
import type pg from 'pg'
import type sqlite3 from 'sqlite3'
import { DriverMissingError } from './database-refused.js'

type Drivers = { sqlite3: typeof sqlite3; pg: typeof pg }

const require = createRequire(import.meta.url)

/**
 * Loads the driver of a kind of database. Only what opens a database needs it.
 * @throws DriverMissingError that says what to install
 */
export function loadDriver<Name extends keyof Drivers>(name: Name): Drivers[Name] {
  try {
    return require(name)
  } catch (error) {
    const message =
      (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND'
        ? `A ${name === 'pg' ? 'PostgreSQL' : 'SQLite'} database needs the package ${name}. Install it with: npm install ${name}`
        : `The package ${name} cannot be loaded. Build it for this platform with: npm rebuild ${name}`
    throw new DriverMissingError(message, { cause: error })
  }
}

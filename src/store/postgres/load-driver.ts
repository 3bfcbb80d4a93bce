import { createRequire } from 'node:module'
import type pg from 'pg'
import { DriverMissingError } from '../database-refused.js'

const require = createRequire(import.meta.url)

/**
 * Loads the driver of PostgreSQL. Only what opens a connection needs it.
 * @throws DriverMissingError that says what to install
 */
export function loadPostgresDriver(): typeof pg {
  try {
    return require('pg')
  } catch (error) {
    throw new DriverMissingError(
      'A PostgreSQL database needs the package pg. Install it with: npm install pg',
      { cause: error },
    )
  }
}

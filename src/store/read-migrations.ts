import { readdir, readFile } from 'node:fs/promises'

/** The folder `migrations` of the package: as far from this module as from the bundles. */
const folder = new URL('../../migrations/', import.meta.url)

/**
 * Reads the migrations of a kind of database, in their order. The version of a database is the number of migrations that
 * were run on it. A released migration never changes: a change of the schema is a new one.
 */
export async function readMigrations(kind: 'sqlite' | 'postgres'): Promise<string[]> {
  const files = (await readdir(new URL(`${kind}/`, folder)))
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
  return Promise.all(files.map((file) => readFile(new URL(`${kind}/${file}`, folder), 'utf8')))
}

import { readFile } from 'node:fs/promises'
import { filesOf } from './database-version.js'
import { migrationsFolder } from './migrations-folder.js'

/**
 * Reads the migrations of a kind of database, in order. The version of a database is the number of its migrations. A released
 * migration never changes: a change of the schema is a new one.
 */
export const readMigrations = (kind: 'sqlite' | 'postgres'): Promise<string[]> =>
  Promise.all(filesOf(kind).map((file) => readFile(new URL(`${kind}/${file}`, migrationsFolder), 'utf8')))

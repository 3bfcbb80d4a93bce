import { readdirSync } from 'node:fs'
import { DatabaseRefusedError } from './database-refused.js'
import { migrationsFolder } from './migrations-folder.js'

/** The names of the migrations of a kind of database, in order. */
export const filesOf = (kind: 'sqlite' | 'postgres'): string[] =>
  readdirSync(new URL(`${kind}/`, migrationsFolder))
    .filter((file) => file.endsWith('.sql'))
    .toSorted()

/** The newest database versions that this program knows: the numbers of its migrations. */
export const knownVersions = { sqlite: filesOf('sqlite').length, postgres: filesOf('postgres').length }

export type SchemaVersion = {
  /** The number of migrations that were run on the database; 0 if it has no tables of this program. */
  version: number
  /** The oldest program that works with the database, given as the version that such a program knows. */
  oldest: number
}

const otherProgram = 'Use the program that made it, or a newer one'

/** @throws DatabaseRefusedError if this program no longer works with the database */
export function refuseNewer(name: string, { oldest }: Pick<SchemaVersion, 'oldest'>, known: number): void {
  if (oldest <= known) return
  const reason = `it needs a program that knows version ${oldest}, and this one knows versions up to ${known}`
  throw new DatabaseRefusedError(name, reason, `${otherProgram}; or choose another database.`)
}

/** @throws DatabaseRefusedError if the database is older than this program */
export function refuseOlder(name: string, schema: SchemaVersion, known: number, advice = ''): void {
  if (schema.version < known) requireVersion(name, schema, known, advice)
}

/** @throws DatabaseRefusedError if the database has another version than this program */
export function requireVersion(name: string, { version }: SchemaVersion, known: number, advice = ''): void {
  if (version === known) return
  const migration = `Migrate it with "database migrate"; it was not changed.${advice}`
  const reason = `it has version ${version}, and this program needs version ${known}`
  throw new DatabaseRefusedError(name, reason, version < known ? migration : `${otherProgram}.`)
}

/** Describes the version of a database, compared with the version that this program knows. */
export function describeVersion({ version, oldest }: SchemaVersion, known: number): string {
  if (version === known) return `${version}, the newest`
  if (version < known) return `${version}; "database migrate" or "serve" migrates it to ${known}`
  const note = oldest <= known ? ', and works with it' : ''
  return `${version}; this program knows ${known}${note}`
}

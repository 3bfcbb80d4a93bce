import { DatabaseRefusedError } from './database-refused.js'

/** The newest versions of databases that this program knows: the numbers of its migrations. */
export const knownVersions = { sqlite: 9, postgres: 5 }

export type SchemaVersion = {
  /** The number of migrations that were run on the database; 0 where it has no tables of this program. */
  version: number
  /** The oldest program that works with it: the version that such a program knows. */
  oldest: number
}

const otherProgram = 'Use the program that made it, or a newer one'
const migration = 'Migrate it with "database migrate"; it was not changed.'

/** @throws DatabaseRefusedError for a database that this program does not work with any more */
export function refuseNewer(name: string, { oldest }: Pick<SchemaVersion, 'oldest'>, known: number): void {
  if (oldest <= known) return
  const reason = `it needs a program that knows version ${oldest}, and this one knows versions up to ${known}`
  throw new DatabaseRefusedError(name, reason, `${otherProgram}; or choose another database.`)
}

/** @throws DatabaseRefusedError for a database that is older than this program */
export function refuseOlder(name: string, { version }: SchemaVersion, known: number, advice = ''): void {
  if (version >= known) return
  const reason = `it has version ${version}, and this program needs version ${known}`
  throw new DatabaseRefusedError(name, reason, `${migration}${advice}`)
}

/** @throws DatabaseRefusedError for a database that cannot be copied: of another version, or without tables */
export function requireVersion(name: string, { version }: SchemaVersion, known: number): void {
  if (version === known) return
  const reason =
    version === 0
      ? 'it has no tables of this program'
      : `it has version ${version}, and a copy needs version ${known}`
  throw new DatabaseRefusedError(name, reason, version > known ? `${otherProgram}.` : migration)
}

/** The version of a database that is older than what is asked of it. */
export function lacksVersion(name: string, version: number, known: number, cause: unknown): Error {
  const reason = `it has version ${version}, and this needs version ${known}`
  return new DatabaseRefusedError(name, reason, migration, cause)
}

/** The version of a database in words, compared with the one that this program knows. */
export function describeVersion({ version, oldest }: SchemaVersion, known: number): string {
  if (version === known) return `${version}, the newest`
  if (version < known) return `${version}; "database migrate" or "serve" migrates it to ${known}`
  const note = oldest <= known ? ', and works with it' : ''
  return `${version}; this program knows ${known}${note}`
}

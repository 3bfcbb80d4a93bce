import { DatabaseRefusedError } from '../database-refused.js'
import { knownVersions, type SchemaVersion } from '../database-version.js'
import type { SqlConnection } from '../sql/sql-database.js'

/** Marks a database file as ours: "DAPI", at offset 68 of its header. */
export const applicationId = 0x44415049

/** The newest version of the database that this program knows. */
export const knownVersion = knownVersions.sqlite

/**
 * The oldest program that works with a database of the newest version: the version that it knows. It is the `user_version`
 * in the header of the file. A migration that does more than add raises it.
 */
export const oldestProgram = 1

/** The version, as of the last commit. The `oldest` in the file's header may be older. */
export async function readSchema(connection: SqlConnection): Promise<SchemaVersion> {
  const [found] = await connection.all<{ oldest: number; tables: number }>(
    `SELECT user_version AS oldest, (SELECT count(*) FROM sqlite_schema WHERE name = 'dashboard_schema') AS tables
     FROM pragma_user_version`,
  )
  const oldest = found?.oldest ?? 0
  // 0 for an empty file; else the table is missing, and a check says so.
  if (!found?.tables) return { version: oldest, oldest }
  const [row] = await connection.all<{ version: number }>('SELECT version FROM dashboard_schema')
  return { version: row?.version ?? oldest, oldest }
}

export const notOurs = (file: string) =>
  new DatabaseRefusedError(
    file,
    'it is the database of another program',
    'Choose another file: this one was not changed.',
  )

/** @throws DatabaseRefusedError for a database that has tables of another program */
export async function requireOurs(connection: SqlConnection, file: string): Promise<void> {
  const [row] = await connection.all<{ application: number; tables: number }>(
    `SELECT application_id AS application, (SELECT count(*) FROM sqlite_schema) AS tables
     FROM pragma_application_id`,
  )
  if (row?.tables !== 0 && row?.application !== applicationId) throw notOurs(file)
}

import { DatabaseRefusedError } from '../database-refused.js'
import { knownVersions, type SchemaVersion } from '../database-version.js'
import type { SqlConnection } from '../sql/sql-database.js'

/** Marks a database file as one of this program: "DAPI", at offset 68 of the header. */
export const applicationId = 0x44415049

export const knownVersion = knownVersions.sqlite

/**
 * The version that the oldest program knows that works with the newest database: `user_version` in the header of the file. A
 * migration that does more than add raises it.
 */
export const oldestProgram = 1

/** The version of the last commit. The `oldest` in the header of the file may be outdated. */
export async function readSchema(connection: SqlConnection): Promise<SchemaVersion> {
  const [found] = await connection.all<{ oldest: number; tables: number }>(
    `SELECT user_version AS oldest, (SELECT count(*) FROM sqlite_schema WHERE name = 'dashboard_schema') AS tables
     FROM pragma_user_version`,
  )
  const oldest = found?.oldest ?? 0
  // 0 for an empty file. Otherwise the table is missing, and a check reports it.
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

/** @throws DatabaseRefusedError if the database has tables of another program */
export async function requireOurs(connection: SqlConnection, file: string): Promise<void> {
  const [row] = await connection.all<{ application: number; tables: number }>(
    `SELECT application_id AS application, (SELECT count(*) FROM sqlite_schema) AS tables
     FROM pragma_application_id`,
  )
  if (row?.tables !== 0 && row?.application !== applicationId) throw notOurs(file)
}

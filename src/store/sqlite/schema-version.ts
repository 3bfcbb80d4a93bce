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

/** Marks a database of the newest version in the header of its file. */
export const mark = `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${oldestProgram}`

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

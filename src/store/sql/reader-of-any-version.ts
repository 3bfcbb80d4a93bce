import type { Project } from '../../contract/schemas.js'
import { type SchemaVersion, wrongVersion } from '../database-version.js'
import type { ProductionReader } from '../production-store.js'
import { requireFilter } from '../store.js'
import { columns } from './record-columns.js'
import type { SqlDatabase, SqlReader } from './sql-database.js'
import { sqlReads } from './sql-store.js'

/**
 * Reads a database of any version: an older one as far as it has what is asked for.
 * @param name of the database, for messages
 */
export function readerOfAnyVersion(
  db: SqlReader & Pick<SqlDatabase, 'close'>,
  name: string,
  { version }: Pick<SchemaVersion, 'version'>,
  known: number,
): ProductionReader {
  const explaining =
    (query: SqlReader['read']): SqlReader['read'] =>
    (sql, ...values) =>
      query<never>(sql, ...values).catch((error) => {
        throw version < known && isMissing(error) ? wrongVersion(name, version, known, '', error) : error
      })
  const readLarge = explaining(db.readLarge)
  return {
    ...sqlReads({ ...db, read: explaining(db.read), readLarge }),
    // An older version has no versions of teams.
    async listProjects(teamId) {
      requireFilter({ teamId })
      const sql = `SELECT ${columns.projects} FROM projects WHERE team_id = $1 ORDER BY created_at DESC, id DESC`
      return { projects: await readLarge<Project>(sql, teamId) }
    },
    close: db.close,
  }
}

/** Whether a table or a column does not exist (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
function isMissing(error: Error): boolean {
  const { code, message } = (error.cause ?? error) as Error & { code?: string }
  return code === '42P01' || code === '42703' || /^SQLITE_ERROR: no such (table|column)/.test(message)
}

import type { TeamSize } from '../../contract/limits.js'
import type { Dialect, SqlConnection } from './sql-database.js'

/** The size of a team as a number: PostgreSQL's driver would return text. */
export const bytesColumn = 'CAST(bytes AS double precision)'

/**
 * Locks teams in order, so that transactions cannot deadlock. Until the end no project can be added to them.
 * @returns the sizes of the existing teams
 */
export async function lockTeams(
  connection: SqlConnection,
  { items, lock }: Dialect,
  teams: Iterable<string>,
): Promise<Map<string, TeamSize>> {
  const rows = await connection.all<TeamSize & { scope: string }>(
    `SELECT scope, projects, ${bytesColumn} AS bytes FROM changes
     WHERE scope IN (SELECT item ->> 0 FROM ${items('$1')}) ORDER BY scope ${lock}`,
    JSON.stringify([...new Set(teams)].map((id) => [id])),
  )
  return new Map(rows.map(({ scope, projects, bytes }) => [scope, { projects, bytes }]))
}

import type { TeamSize } from '../../contract/limits.js'
import type { Dialect, SqlConnection } from './sql-database.js'

/** The number of bytes of a team, which PostgreSQL's driver would return as text. */
export const bytes = 'CAST(bytes AS double precision)'

/**
 * Locks teams in one order, so that no two transactions wait for each other. After that no project can be added to them.
 * @returns the sizes of the teams that exist
 */
export async function lockTeams(
  connection: SqlConnection,
  { items, lock }: Dialect,
  teams: Iterable<string>,
): Promise<Map<string, TeamSize>> {
  const rows = await connection.all<TeamSize & { scope: string }>(
    `SELECT scope, projects, ${bytes} AS bytes FROM changes
     WHERE scope IN (SELECT item ->> 0 FROM ${items('$1')}) ORDER BY scope ${lock}`,
    JSON.stringify([...new Set(teams)].map((id) => [id])),
  )
  return new Map(rows.map(({ scope, projects, bytes }) => [scope, { projects, bytes }]))
}

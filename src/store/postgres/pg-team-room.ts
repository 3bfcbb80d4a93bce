import type { ExceededLimit, TeamSize } from '../../contract/limits.js'
import { type Growth, judgeGrowth } from '../team-growth.js'
import type { Connection } from './pg-connection.js'

const lockTeams = 'FROM changes WHERE scope = ANY($1::text[]) ORDER BY scope FOR UPDATE'

/**
 * Locks the teams of `$1` and reads their sizes: the beginning of a statement that writes projects. Every such statement
 * locks its teams first and in one order, so that no two of them wait for each other.
 */
export const withTeams = `WITH team AS MATERIALIZED (SELECT scope, projects, bytes ${lockTeams})`

/** A condition: the teams are locked, and none would exceed its limits. `$2` is `roomFor`. */
export const hasRoom = `(SELECT count(*) FROM team) >= 0 AND NOT EXISTS (
    SELECT 1 FROM jsonb_array_elements($2::jsonb) AS room LEFT JOIN team ON team.scope = room ->> 0
    WHERE coalesce(team.projects, 0) > (room ->> 1)::bigint OR coalesce(team.bytes, 0) > (room ->> 2)::bigint
  )`

/** Locks teams until the end of the transaction, and returns their sizes. */
export const lockSizes = (connection: Connection, teamIds: string[]) =>
  connection.all<TeamSize & { scope: string }>(
    `SELECT scope, projects, bytes::float8 AS bytes ${lockTeams}`,
    teamIds,
  )

/** Judges writes that do not all fit, see `judgeGrowth`. Their teams are locked until the end of the transaction. */
export async function judge(
  connection: Connection,
  growths: readonly Growth[],
): Promise<(ExceededLimit | undefined)[]> {
  const sizes = await lockSizes(
    connection,
    growths.map(({ teamId }) => teamId),
  )
  return judgeGrowth(sizes, growths)
}

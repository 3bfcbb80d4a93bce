import type { ExceededLimit, TeamSize } from '../../contract/limits.js'
import { type Growth, judgeGrowth, roomFor } from '../team-growth.js'
import type { Connection } from './pg-connection.js'

const lockTeams = 'FROM changes WHERE scope = ANY($1::text[]) ORDER BY scope FOR UPDATE'

/**
 * Locks the teams of `$1` and reads their sizes: the beginning of a statement that writes projects. Every such statement
 * locks its teams first and in one order, so that no two of them wait for each other.
 */
export const withTeams = `WITH team AS MATERIALIZED (SELECT scope, projects, bytes ${lockTeams})`

/** A condition: the teams are locked, and none would exceed its limits. `$2` is `roomByTeam`. */
export const hasRoom = `(SELECT count(*) FROM team) >= 0 AND NOT EXISTS (
    SELECT 1 FROM team WHERE projects > ($2::jsonb -> scope ->> 0)::bigint OR bytes > ($2::jsonb -> scope ->> 1)::bigint
  )`

/** The room that writes need, as a JSON object: a team is found in it without reading all of it. */
export const roomByTeam = (growths: readonly Growth[]): string =>
  JSON.stringify(Object.fromEntries(roomFor(growths).map(([teamId, ...room]) => [teamId, room])))

/** The room of writes that no limit stops. */
export const anyRoom = '{}'

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

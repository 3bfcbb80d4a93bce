import type { ExceededLimit, TeamSize } from '../../contract/limits.js'
import { type Growth, judgeGrowth, roomFor } from '../team-growth.js'
import type { Connection } from './pg-connection.js'

const lockTeams = (ids: string) => `FROM changes WHERE scope = ANY(${ids}) ORDER BY scope FOR UPDATE`

/**
 * Locks the teams of `$1`, which is `roomByTeam`, and reads their sizes: the beginning of a statement that writes
 * projects. Every such statement locks its teams first and in one order, so that no two of them wait for each other.
 */
export const withTeams = `WITH team AS MATERIALIZED (
    SELECT scope, projects, bytes ${lockTeams('ARRAY(SELECT jsonb_object_keys($1::jsonb))')}
  )`

/** A condition: the teams are locked, and none would exceed its limits. */
export const hasRoom = `(SELECT count(*) FROM team) >= 0 AND NOT EXISTS (
    SELECT 1 FROM team WHERE projects > ($1::jsonb -> scope ->> 0)::bigint OR bytes > ($1::jsonb -> scope ->> 1)::bigint
  )`

/** The room that writes need, as a JSON object: a team is found in it without reading all of it. */
export const roomByTeam = (growths: readonly Growth[]): string =>
  JSON.stringify(
    Object.fromEntries(roomFor(growths).map(([teamId, projects, bytes]) => [teamId, [projects, bytes]])),
  )

/** The same for writes that no limit stops. */
export const anyRoom = (writes: readonly { teamId: string }[]): string =>
  JSON.stringify(Object.fromEntries(writes.map(({ teamId }) => [teamId, []])))

/** Locks teams until the end of the transaction, and returns their sizes. */
export const lockSizes = (connection: Connection, teamIds: string[]) =>
  connection.all<TeamSize & { scope: string }>(
    `SELECT scope, projects, bytes::float8 AS bytes ${lockTeams('$1::text[]')}`,
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

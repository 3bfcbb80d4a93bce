import type { ExceededLimit, TeamSize } from '../../contract/limits.js'
import { type Growth, judgeGrowth } from '../team-growth.js'
import type { Connection } from './connection.js'

/** A condition in SQL: no team would exceed its limits. Its `?` is `roomFor` as JSON. */
export const hasRoom = `NOT EXISTS (SELECT 1 FROM json_each(?) AS team LEFT JOIN changes ON scope = team.value ->> 0
  WHERE coalesce(changes.projects, 0) > team.value ->> 1 OR coalesce(changes.bytes, 0) > team.value ->> 2)`

/** Judges writes that do not all fit, see `judgeGrowth`. */
export async function judge(
  connection: Connection,
  growths: readonly Growth[],
): Promise<(ExceededLimit | undefined)[]> {
  const rows = await connection.all<TeamSize & { scope: string }>(
    'SELECT scope, projects, bytes FROM changes WHERE scope IN (SELECT value FROM json_each(?))',
    JSON.stringify(growths.map(({ teamId }) => teamId)),
  )
  return judgeGrowth(rows, growths)
}

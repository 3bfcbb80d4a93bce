import { type ExceededLimit, exceededLimit, type TeamLimits, type TeamSize } from '../../contract/limits.js'
import type { Connection } from './connection.js'

/** What a write adds to a team, and what the team may hold: anything, if there are no limits. */
export type Growth = { teamId: string; added: TeamSize; limits: TeamLimits | undefined }

/** A condition in SQL: no team would exceed its limits. Its `?` is `roomFor`. */
export const hasRoom = `NOT EXISTS (SELECT 1 FROM json_each(?) AS team LEFT JOIN changes ON scope = team.value ->> 0
  WHERE coalesce(changes.projects, 0) > team.value ->> 1 OR coalesce(changes.bytes, 0) > team.value ->> 2)`

/** What each team may hold at most before these writes, as JSON; null for what they do not add. */
export function roomFor(growths: readonly Growth[]): string {
  const totals = new Map<string, TeamSize & { limits: TeamLimits }>()
  for (const { teamId, added, limits } of growths) {
    if (!limits) continue
    const total = totals.get(teamId) ?? { projects: 0, bytes: 0, limits }
    totals.set(teamId, { ...sum(total, added), limits })
  }
  const room = (limit: number, added: number) => (added > 0 ? limit - added : null)
  return JSON.stringify(
    [...totals].map(([teamId, { projects, bytes, limits }]) => [
      teamId,
      room(limits.projects, projects),
      room(limits.bytes, bytes),
    ]),
  )
}

/**
 * Judges writes that do not all fit, in their order.
 * @returns for each the limit that it would exceed; undefined for one that fits beside those before it
 */
export async function judge(
  connection: Connection,
  growths: readonly Growth[],
): Promise<(ExceededLimit | undefined)[]> {
  const rows = await connection.all<TeamSize & { scope: string }>(
    'SELECT scope, projects, bytes FROM changes WHERE scope IN (SELECT value FROM json_each(?))',
    JSON.stringify(growths.map(({ teamId }) => teamId)),
  )
  const sizes = new Map<string, TeamSize>(rows.map(({ scope, ...size }) => [scope, size]))
  return growths.map(({ teamId, added, limits }) => {
    const size = sizes.get(teamId) ?? { projects: 0, bytes: 0 }
    const exceeded = limits && exceededLimit(size, added, limits)
    if (!exceeded) sizes.set(teamId, sum(size, added))
    return exceeded
  })
}

const sum = (a: TeamSize, b: TeamSize): TeamSize => ({
  projects: a.projects + b.projects,
  bytes: a.bytes + b.bytes,
})

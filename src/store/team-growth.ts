import { type ExceededLimit, exceededLimit, type TeamLimits, type TeamSize } from '../contract/limits.js'

/** What a write adds to a team, and what the team may hold: anything, if there are no limits. */
export type Growth = { teamId: string; added: TeamSize; limits: TeamLimits | undefined }

/** What a team may hold at most before some writes; null for what they do not add, and without limits. */
export type Room = [teamId: string, projects: number | null, bytes: number | null]

/** The room that these writes need in each of their teams. */
export function roomFor(growths: readonly Growth[]): Room[] {
  const totals = new Map<string, Growth>()
  for (const growth of growths) {
    const { teamId, added, limits } = growth
    const total = totals.get(teamId)
    totals.set(teamId, total ? { teamId, added: sum(total.added, added), limits } : growth)
  }
  const room = (limits: TeamLimits | undefined, added: TeamSize, kind: keyof TeamLimits) =>
    limits && added[kind] > 0 ? limits[kind] - added[kind] : null
  return [...totals.values()].map(({ teamId, added, limits }) => [
    teamId,
    room(limits, added, 'projects'),
    room(limits, added, 'bytes'),
  ])
}

/**
 * Judges writes that do not all fit, in their order.
 * @param rows the sizes of the teams before them
 * @returns for each the limit that it would exceed; undefined for one that fits beside those before it
 */
export function judgeGrowth(
  rows: readonly (TeamSize & { scope: string })[],
  growths: readonly Growth[],
): (ExceededLimit | undefined)[] {
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

/**
 * Compares the history of a load with the projects of a database.
 *
 * The database must show one moment: it has every write that was acknowledged before the moment, and none that was sent after
 * it. A write that was sent but not acknowledged may be missing, or be there once.
 * @param projects the stored projects
 * @param options.from the earliest such moment, and `options.to` the latest: by default after the whole history
 * @param options.isLate whether an unacknowledged update may take effect at any later time, as over a network
 * @returns `lost`, the number of acknowledged writes that are missing; `doubled`, of projects that are there twice; `torn`,
 *   whether there is no such moment; `foreign`, the number of projects that no client sent
 */
export function compare(
  history,
  projects,
  { from = Number.MAX_VALUE, to = Number.POSITIVE_INFINITY, isLate = false } = {},
) {
  const writes = history.filter(({ kind }) => kind !== 'read')
  const names = new Map()
  const numbers = new Map()
  for (const { id, name, status } of projects) {
    names.set(name, (names.get(name) ?? 0) + 1)
    numbers.set(id, Number(status))
  }
  const keyOf = (project, number) => `${project} ${number}`
  const unknown = new Set(
    writes
      .filter(({ acknowledged }) => isLate && acknowledged === Number.POSITIVE_INFINITY)
      .map(({ project, number }) => keyOf(project, number)),
  )
  const isStored = ({ name, project, number }) => {
    if (name !== undefined) return names.has(name)
    const shown = numbers.get(project)
    return shown >= number || unknown.has(keyOf(project, shown))
  }
  const earlier = writes.filter(({ sent }) => sent <= to)
  const stored = earlier.filter(isStored)
  const missing = earlier.filter((write) => !isStored(write))
  const latestSent = stored.reduce((latest, { sent }) => Math.max(latest, sent), 0)
  const sentNames = new Set(writes.map(({ name }) => name))
  return {
    lost: missing.filter(({ acknowledged }) => acknowledged <= from).length,
    doubled: [...names.values()].filter((count) => count > 1).length,
    torn:
      missing.some(({ acknowledged }) => acknowledged < latestSent) ||
      writes.some((write) => write.sent > to && isStored(write)),
    foreign: [...names.keys()].filter((name) => name.startsWith('Drill ') && !sentNames.has(name)).length,
  }
}

/** The problems that a comparison found, in words. */
export const problemsIn = (compared) =>
  Object.entries(compared).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))

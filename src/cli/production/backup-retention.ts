/** Lengths of the periods that a retention counts, in milliseconds. */
const hour = 3_600_000
const day = 24 * hour
const week = 7 * day

/** The first Monday of the epoch: 1970-01-05. Weeks begin at midnight in UTC on Monday, as in ISO 8601. */
const monday = 4 * day

const periodOf = {
  h: (time: number) => Math.floor(time / hour),
  d: (time: number) => Math.floor(time / day),
  w: (time: number) => Math.floor((time - monday) / week),
}

type Unit = keyof typeof periodOf

/** How many hours, days and weeks keep their newest backup. */
export type Retention = Partial<Record<Unit, number>>

/**
 * Parses the value of `--keep`, such as `24h,7d,4w`: each unit at most once, in any order.
 * @returns undefined for any other text
 */
export function parseRetention(text: string): Retention | undefined {
  const retention: Retention = {}
  for (const part of text.split(',')) {
    const [, count, unit] = /^([1-9]\d{0,3})([hdw])$/.exec(part) ?? []
    if (!unit || unit in retention) return undefined
    retention[unit as Unit] = Number(count)
  }
  return retention
}

/**
 * Tells which backups a retention keeps: the newest one of each of the last hours that have a backup, and in the same way
 * of days and weeks. Periods without a backup do not count, so that nothing is removed only because time has passed.
 * Hours, days and weeks are those of UTC.
 * @param times when the backups were made, in milliseconds since the epoch; no two are equal
 * @param now the time of the newest backup that counts; later ones, of a clock that was wrong, are kept and not counted
 */
export function keptBackups(times: number[], now: number, retention: Retention): Set<number> {
  const kept = new Set(times.filter((time) => time > now))
  const newestFirst = times.filter((time) => time <= now).sort((a, b) => b - a)
  for (const [unit, count] of Object.entries(retention) as [Unit, number][]) {
    const newest = new Map<number, number>()
    for (const time of newestFirst) {
      const period = periodOf[unit](time)
      if (!newest.has(period)) newest.set(period, time)
    }
    for (const time of [...newest.values()].slice(0, count)) kept.add(time)
  }
  return kept
}

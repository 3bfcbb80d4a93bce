import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UserError } from '../user-error.js'

const hour = 3_600_000

/**
 * The length and the beginning of the periods that a retention counts. Weeks begin at midnight in UTC on Monday, as in ISO
 * 8601: the first one of the epoch on 1970-01-05.
 */
const periods = { h: [hour, 0], d: [24 * hour, 0], w: [7 * 24 * hour, 4 * 24 * hour] } as const

type Unit = keyof typeof periods

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
export function backupsToKeep(times: number[], now: number, retention: Retention): Set<number> {
  const kept = new Set(times.filter((time) => time > now))
  const oldestFirst = times.filter((time) => time <= now).sort((a, b) => a - b)
  for (const [unit, count] of Object.entries(retention) as [Unit, number][]) {
    const [length, start] = periods[unit]
    // Of equal keys a Map keeps the last value: the newest one of the period.
    const newest = new Map(oldestFirst.map((time) => [Math.floor((time - start) / length), time]))
    for (const time of [...newest.values()].slice(-count)) kept.add(time)
  }
  return kept
}

/** The backups of one database in a folder. Their names are that of the database and the time in UTC. */
export function backupsOf(database: string, folder: string) {
  const prefix = `${basename(database, '.db')}-`
  const nameAt = (time: number): string => `${prefix}${new Date(time).toISOString().replaceAll(':', '-')}.db`
  /** The time of a backup; undefined for the name of anything else. */
  const timeOf = (name: string): number | undefined => {
    const text = name.slice(prefix.length, -'.db'.length)
    const time = Date.parse(text.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
    return !Number.isNaN(time) && nameAt(time) === name ? time : undefined
  }

  return {
    fileAt: (time: number) => join(folder, nameAt(time)),

    /**
     * Removes the backups that a retention does not keep; never another file, nor one that is as new as the backup that was
     * just made.
     * @param newest the time of that backup
     * @returns names, newest first; `later` are those of `kept` with a later time than the new backup
     */
    async thinOut(newest: number, retention: Retention) {
      const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
      const times = files.flatMap(({ name }) => timeOf(name) ?? []).sort((a, b) => b - a)
      const isKept = backupsToKeep(times, newest, retention)
      const [removed, failed]: [string[], string[]] = [[], []]
      for (const name of times.filter((time) => !isKept.has(time)).map(nameAt)) {
        // Another run may have removed it already.
        await rm(join(folder, name), { force: true }).then(
          () => removed.push(name),
          () => failed.push(name),
        )
      }
      const kept = times.filter((time) => isKept.has(time))
      const later = kept.filter((time) => time > newest)
      return { kept: kept.map(nameAt), removed, failed, later: later.map(nameAt) }
    },
  }
}

/** @throws UserError for a folder that does not exist or cannot be listed */
export async function requireFolder(folder: string): Promise<void> {
  await readdir(folder).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UserError(
      code === 'ENOENT' ? `There is no folder ${folder}.` : `The folder ${folder} cannot be read (${code}).`,
      'Create it or mount its disk, and allow this user to read and write it.',
    )
  })
}

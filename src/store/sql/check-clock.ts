import { ClockError } from '../store.js'
import type { SqlDatabase } from './sql-database.js'

/** How far the newest record may be from the present, in milliseconds. */
const maxDistanceMs = 60 * 60_000
/** How long a clock that may be wrong is reported before it counts as right, in milliseconds. */
const reportedMs = 24 * 60 * 60_000
/** How far the clock may move beside the passing time between two checks, in milliseconds. */
const maxJumpMs = 60_000

/**
 * Makes a check that refuses to remove what is old while the clock may be wrong. A database file has no clock of its own,
 * so its newest record tells the time when the file was opened, before this process wrote anything; and from then on the
 * clock may not jump between two checks. A database that was not used for long looks the same as a wrong clock, and a machine
 * that slept the same as a clock that was set: after a day of reports the clock counts as right.
 * @returns throws a ClockError
 */
export async function createClockCheck({
  readLarge,
}: Pick<SqlDatabase, 'readLarge'>): Promise<() => Promise<void>> {
  const [row] = await readLarge<{ newest: string | null }>(newestRecord)
  const newest = row?.newest
  const openedAt = Date.now()
  const startedAt = performance.now()
  /** The clock without the time that passed since the start, as it was at the last check that found it right. */
  let trusted = openedAt
  /** When a jump was found (`performance.now`). */
  let jumpedAt: number | undefined
  return async () => {
    const now = performance.now()
    const jump = Date.now() - (now - startedAt) - trusted
    if (Math.abs(jump) > maxJumpMs) {
      jumpedAt ??= now
      if (now - jumpedAt <= reportedMs) {
        throw new ClockError(
          `The clock was set by ${Math.round(jump / 1000)} s: nothing old is removed for a day, or until a restart`,
        )
      }
    }
    trusted += jump
    jumpedAt = undefined
    if (newest == null || now - startedAt > reportedMs) return
    if (Math.abs(openedAt - Date.parse(newest)) <= maxDistanceMs) return
    const [present, record] = [new Date(openedAt).toISOString(), newest]
    throw new ClockError(
      `At the start the clock said ${present}, and the newest record was of ${record}: nothing old is removed, in case the clock is wrong`,
    )
  }
}

/** The latest time at which anything was recorded. */
const newestRecord = `SELECT max(at) AS newest FROM (
  SELECT max(created_at) AS at FROM sessions
  UNION ALL SELECT max(last_seen_at) FROM sessions
  UNION ALL SELECT max(created_at) FROM waitlist
  UNION ALL SELECT max(at) FROM audit_log
)`

import { ClockError } from '../store.js'
import type { SqlDatabase } from './sql-database.js'

/** The greatest plausible distance of the newest record from the present, in milliseconds. */
const maxDistanceMs = 60 * 60_000
/** How long a suspect clock is reported before it counts as right, in milliseconds. */
const reportedMs = 24 * 60 * 60_000
/** The greatest plausible jump of the clock between two checks, in milliseconds. */
const maxJumpMs = 60_000

/**
 * Makes a check that throws a ClockError while the clock may be wrong, so that no records are removed as old. A database file
 * has no clock: the clock is compared with its newest record when the file is opened, and must not jump between two checks. A
 * long unused database and a machine that slept look the same as a wrong clock, so after a day of reports the clock counts as
 * right.
 */
export async function createClockCheck({
  readLarge,
}: Pick<SqlDatabase, 'readLarge'>): Promise<() => Promise<void>> {
  const [row] = await readLarge<{ newest: string | null }>(newestRecord)
  const newest = row?.newest
  const openedAt = Date.now()
  const startedAt = performance.now()
  /** The clock minus the time since the start, at the last check that found it right. */
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

const newestRecord = `SELECT max(at) AS newest FROM (
  SELECT max(created_at) AS at FROM sessions
  UNION ALL SELECT max(last_seen_at) FROM sessions
  UNION ALL SELECT max(created_at) FROM waitlist
  UNION ALL SELECT max(at) FROM audit_log
)`

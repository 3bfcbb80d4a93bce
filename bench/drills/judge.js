// Judges the figures of a drill under load by what must hold.
import { databaseTimeoutMs } from './processes.js'

/** A request waits once for what it reads, and once for its write; the rest is for the client and a busy machine. */
const longestMs = 2 * databaseTimeoutMs + 1_500

/** What holds in every drill. */
const commonLimits = { lost: 0, doubled: 0, stale: 0, longestMs }

/** Times may be so many times as long where other drills use the machine. */
export const busyFactor = 5

/**
 * @param drill.isBusy whether other drills use the machine
 * @returns what did not hold, in words; empty if everything did
 */
export function judge({ limits, isExpected = () => false, isBusy = false }, { faults, others, ...figures }) {
  const waits = 'allServedMs' in figures && { allServedMs: longestMs }
  const exceeded = Object.entries({ ...commonLimits, ...waits, ...limits })
    .map(([name, limit]) => [name, isBusy && name.endsWith('Ms') ? limit * busyFactor : limit])
    .filter(([name, limit]) => !(figures[name] <= limit))
    .map(([name, limit]) => `${name}: ${figures[name]}, expected at most ${limit}`)
  const unexpected = Object.entries(others)
    .filter(([outcome]) => !isExpected(outcome))
    .map(([outcome, count]) => `${outcome}: ${count} requests`)
  const idle = figures.acknowledged > 0 ? [] : ['no write was acknowledged']
  return [...faults, ...exceeded, ...unexpected, ...idle]
}

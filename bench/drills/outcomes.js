// The outcomes of requests, and the figures of a load.
import { compare } from './compare.js'

/** `ok`, `unavailable` for 503 with Retry-After, or a description of any other result. */
export function outcomeOf({ status, retryAfter, error, wasSent }) {
  if (error !== undefined) return `${error}${wasSent ? '' : ', not sent'}`
  if (status < 300) return 'ok'
  if (status !== 503) return `status ${status}`
  return retryAfter === undefined ? '503 without Retry-After' : 'unavailable'
}

export const isOk = ({ outcome }) => outcome === 'ok'

/** The longest request of a history, in ms. */
const longestIn = (history) =>
  Math.round(history.reduce((longest, { sent, end }) => Math.max(longest, end - sent), 0))

/**
 * Ends a load. @returns its figures
 * @param server.query runs SQL in the database of the load
 * @param isExpected whether the fault explains an outcome other than success and 503
 */
export async function figuresOf(load, { query }, isExpected = () => false) {
  await load.stop()
  const { history } = load
  const outcomes = history.map(({ outcome }) => outcome)
  const unexpected = outcomes.filter((each) => !['ok', 'unavailable'].includes(each) && !isExpected(each))
  const { lost, doubled } = compare(history, await query('SELECT id, name, status FROM projects'), {
    isLate: true,
  })
  return {
    requests: history.length,
    acknowledged: load.acknowledged(),
    unavailable: outcomes.filter((each) => each === 'unavailable').length,
    failed: unexpected.length,
    faults: [...new Set(unexpected)],
    repeated: history.filter(({ isRepeated }) => isRepeated).length,
    longestMs: longestIn(history),
    lost,
    doubled,
    stale: load.stale(),
  }
}

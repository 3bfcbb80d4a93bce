// The outcomes of requests, and the figures that follow from them.
import { compare } from './compare.js'

/** `ok`; `unavailable` for 503 with Retry-After; or what came in place of a response that the interface has. */
export function outcomeOf({ status, retryAfter, error, wasSent }) {
  if (error !== undefined) return `${error}${wasSent ? '' : ', not sent'}`
  if (status < 300) return 'ok'
  if (status !== 503) return `status ${status}`
  return retryAfter === undefined ? '503 without Retry-After' : 'unavailable'
}

export const isOk = ({ outcome }) => outcome === 'ok'

/** The longest request of a history, in ms. */
export const longestIn = (history) =>
  Math.round(history.reduce((longest, { start, end }) => Math.max(longest, end - start), 0))

/**
 * Ends a load, and gives its figures. Times are in ms.
 * @param server.query runs SQL where the writes are
 * @param times of each round: see `makeFaults`
 */
export async function figuresOf(load, { query }, { successMs = [], allServedMs = [] } = {}) {
  await load.stop()
  const { history } = load
  const others = {}
  for (const { outcome } of history)
    if (outcome !== 'ok' && outcome !== 'unavailable') others[outcome] = (others[outcome] ?? 0) + 1
  const stored = await query('SELECT id, name, status FROM projects')
  const { lost, doubled } = compare(history, stored, { isLate: true })
  const ascending = successMs.toSorted((a, b) => a - b)
  return {
    requests: history.length,
    acknowledged: load.acknowledged(),
    unavailable: history.filter(({ outcome }) => outcome === 'unavailable').length,
    others,
    longestMs: longestIn(history),
    lost,
    doubled,
    stale: load.stale(),
    ...(successMs.length > 0 && {
      successMs: Math.round(ascending.at(-1)),
      medianSuccessMs: Math.round(ascending[ascending.length >> 1]),
      allServedMs: Math.round(Math.max(...allServedMs)),
    }),
  }
}

// The outcomes of requests, and the figures that follow from them.

/** `ok`; `unavailable` for 503 with Retry-After; or what came in place of a response that the interface has. */
export function outcomeOf({ status, retryAfter, error, wasSent }) {
  if (error !== undefined) return `${error}${wasSent ? '' : ', not sent'}`
  if (status < 300) return 'ok'
  if (status !== 503) return `status ${status}`
  return retryAfter === undefined ? '503 without Retry-After' : 'unavailable'
}

export const isOk = ({ outcome }) => outcome === 'ok'

/** The figures of a history. Times in ms. */
export function summarize(history) {
  const others = {}
  for (const { outcome } of history) {
    if (outcome !== 'ok' && outcome !== 'unavailable') others[outcome] = (others[outcome] ?? 0) + 1
  }
  return {
    requests: history.length,
    acknowledged: history.filter((entry) => entry.kind !== 'read' && isOk(entry)).length,
    unavailable: history.filter(({ outcome }) => outcome === 'unavailable').length,
    others,
    longestMs: Math.round(history.reduce((longest, { start, end }) => Math.max(longest, end - start), 0)),
  }
}

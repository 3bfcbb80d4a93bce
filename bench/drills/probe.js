// A well-behaved client in a thread of its own, so that what else this process does does not delay it.
import { percentile } from './percentile.js'
import { startThread } from './thread.js'

/**
 * Sends GET requests one after the other, until `stop`.
 * @param options.pauseMs between two requests
 * @param options.isKept whether they share a kept-alive connection; otherwise each has a connection of its own
 */
export function startProbe(url, { cookie, pauseMs = 20, isKept = true } = {}) {
  const thread = startThread('probe-thread.js', { url: String(url), cookie, pauseMs, isKept })
  return {
    /** @returns its requests: when each was sent (ms since the start), how long it took (ms), and whether it succeeded */
    stop: async () => figuresOf(await thread.stop()),
  }
}

/** Times in ms. A request without a success counts as refused. */
export function figuresOf(requests) {
  const times = requests.filter(({ isOk }) => isOk).map(({ ms }) => ms)
  return {
    requests,
    sent: requests.length,
    refused: requests.length - times.length,
    p99: percentile(times, 0.99),
    longestMs: Math.round(requests.reduce((longest, { ms }) => Math.max(longest, ms), 0)),
  }
}

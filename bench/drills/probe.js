// A well-behaved client in a thread of its own, so that what else this process does does not delay it.
import { Worker } from 'node:worker_threads'
import { percentile } from './percentile.js'

/**
 * Sends GET requests one after the other, until `stop`.
 * @param options.pauseMs between two requests
 * @param options.isKept whether they share a kept-alive connection; otherwise each has a connection of its own
 */
export function startProbe(url, { cookie, pauseMs = 20, isKept = true } = {}) {
  const worker = new Worker(new URL('probe-thread.js', import.meta.url), {
    workerData: { url: String(url), cookie, pauseMs, isKept },
  })
  const done = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  // It is awaited by `stop`, which may come later.
  done.catch(() => {})
  return {
    /** @returns its requests: when each was sent (ms since the start), how long it took (ms), and whether it succeeded */
    async stop() {
      worker.postMessage('stop')
      return figuresOf(await done)
    },
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

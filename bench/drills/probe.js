// A well-behaved client, which measures how others are served during a fault.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './client.js'
import { percentile } from './percentile.js'

/** A request without a response after this time, in ms, counts as refused. */
const timeoutMs = 10_000

/**
 * Sends GET requests one after the other, until `stop`.
 * @param options.pauseMs the pause between two requests
 */
export function startProbe(url, { path = '/v1/projects', cookie, pauseMs = 20 } = {}) {
  const send = createClient(url, { timeoutMs })
  const requests = []
  let isStopped = false
  const loop = async () => {
    const started = performance.now()
    while (!isStopped) {
      const began = performance.now()
      let response
      // The server may close an idle connection; that is no refusal.
      do response = await send({ path, cookie })
      while (response.wasReused)
      const isOk = response.status < 500
      requests.push({ at: began - started, ms: performance.now() - began, isOk })
      await sleep(pauseMs)
    }
    send.end()
  }
  const ended = loop()
  return {
    /**
     * @returns its `requests`: when each was sent (ms since the start), how long it took (ms), and whether it succeeded; and `times`,
     *   the durations of the successful ones
     */
    async stop() {
      isStopped = true
      await ended
      const times = requests.filter(({ isOk }) => isOk).map(({ ms }) => ms)
      const refused = requests.length - times.length
      return { requests, times, sent: requests.length, refused, p99: percentile(times, 0.99) }
    },
  }
}

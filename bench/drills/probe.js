// A well-behaved client.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './percentile.js'

/** How long a response may take before the request counts as refused, in ms. */
const timeout = 10_000

/**
 * Sends GET requests one after the other, until `stop`.
 * @param options.pauseMs between two requests
 * @param options.isKept whether they share a kept-alive connection; otherwise each has a connection of its own
 */
export function startProbe(url, { cookie, pauseMs = 20, isKept = true } = {}) {
  const agent = isKept && new Agent({ keepAlive: true, maxSockets: 1 })
  /** Resolves with whether the request succeeded. A kept-alive connection that was closed before is not a refusal. */
  const send = () =>
    new Promise((resolve) => {
      const fail = () => resolve(false)
      const sent = get(url, { agent, timeout, headers: cookie ? { cookie } : {} }, (response) => {
        response.on('error', fail)
        response.resume().on('end', () => resolve(response.statusCode < 500))
      })
      sent.on('timeout', () => sent.destroy())
      sent.on('error', () => (sent.reusedSocket ? resolve(send()) : fail()))
    })
  const requests = []
  let isStopped = false
  const loop = async () => {
    const started = performance.now()
    while (!isStopped) {
      const began = performance.now()
      const isOk = await send()
      requests.push({ at: began - started, ms: performance.now() - began, isOk })
      await sleep(pauseMs)
    }
    if (agent) agent.destroy()
  }
  const ended = loop()
  return {
    /** @returns its requests: when each was sent (ms since the start), how long it took (ms), and whether it succeeded */
    async stop() {
      isStopped = true
      await ended
      const times = requests.filter(({ isOk }) => isOk).map(({ ms }) => ms)
      return {
        requests,
        sent: requests.length,
        refused: requests.length - times.length,
        p99: percentile(times, 0.99),
      }
    },
  }
}

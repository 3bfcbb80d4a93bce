import { get } from 'node:http'

/** What a client without any ill intent gets: how many of its requests were served, and how long they took, in ms. */
export type Experience = { sent: number; served: number; p99: number }

/**
 * Sends GET requests one after the other, each on a connection of its own, for a time.
 * @param ms how long, in milliseconds
 */
export async function experienceOf(
  url: URL,
  ms: number,
  headers: Record<string, string> = {},
): Promise<Experience> {
  const times: number[] = []
  let sent = 0
  const end = performance.now() + ms
  while (performance.now() < end) {
    sent += 1
    const started = performance.now()
    if ((await statusOf(url, headers)) < 500) times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  return {
    sent,
    served: times.length,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY,
  }
}

/** The status of an answer; infinite where there is none within five seconds. */
const statusOf = (url: URL, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve) => {
    const none = () => resolve(Number.POSITIVE_INFINITY)
    const sent = get(url, { agent: false, headers, timeout: 5_000 }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', none)
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', none)
  })

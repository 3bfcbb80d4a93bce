import { get } from 'node:http'
import { connect, type Socket } from 'node:net'

/** Connections that never finish what they have begun, from several addresses of the loopback network. */
export type SlowClients = {
  /** How many of them the server has closed so far. */
  closed(): number
  stop(): void
}

/**
 * Opens connections that each send the head of a POST and then a byte of its body each second. One that the server closes is
 * opened again, as an attacker would.
 * @param addresses how many source addresses they come from, 127.0.1.1 and those after it
 */
export function openSlowBodies(
  url: URL,
  {
    connections,
    addresses,
    path = '/v1/waitlist',
  }: { connections: number; addresses: number; path?: string },
): SlowClients {
  const head = `POST ${path} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{`
  const sockets = new Set<Socket>()
  let closed = 0
  let isStopped = false

  const open = (number: number) => {
    if (isStopped) return
    const socket = connect({
      host: url.hostname,
      port: Number(url.port),
      localAddress: `127.0.1.${1 + (number % addresses)}`,
    })
    sockets.add(socket)
    socket.on('connect', () => socket.write(head))
    socket.on('error', () => {})
    socket.resume()
    socket.on('close', () => {
      closed += 1
      sockets.delete(socket)
      setTimeout(open, 100, number)
    })
  }
  for (let number = 0; number < connections; number += 1) open(number)
  const beat = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(' ')
  }, 1_000)

  return {
    closed: () => closed,
    stop() {
      isStopped = true
      clearInterval(beat)
      for (const socket of sockets) socket.destroy()
    },
  }
}

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

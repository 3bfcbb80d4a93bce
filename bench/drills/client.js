// Clients of the service: one request at a time on a kept-alive connection.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A client of one node.
 * @param options.timeoutMs the time limit of a response
 * @param options.isKept whether its requests share a kept-alive connection
 * @returns a function that sends a request. It resolves with the response's `status`, `headers`, `retryAfter`, `text` and `body`;
 *   or with `error`, `wasSent` (whether the request may have reached the node) and `wasReused` (whether the connection had served
 *   an earlier request)
 */
export function createClient(url, { timeoutMs = 60_000, isKept = true } = {}) {
  const agent = new Agent({ keepAlive: isKept, maxSockets: 1 })
  const send = ({ method = 'GET', path, cookie, body }) =>
    new Promise((resolve) => {
      let wasSent = false
      const sent = request(new URL(path, url), {
        method,
        agent,
        timeout: timeoutMs,
        headers: { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) },
      })
      const fail = ({ code, message }) =>
        resolve({ error: code ?? message, wasSent, wasReused: sent.reusedSocket })
      sent.on('socket', (socket) => {
        const connected = () => {
          wasSent = true
        }
        if (socket.connecting) socket.once('connect', connected)
        else connected()
      })
      sent.on('timeout', () => sent.destroy(new Error(`no response within ${timeoutMs} ms`)))
      sent.on('error', fail)
      sent.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        response.on('error', ({ code }) => resolve({ error: code, wasSent }))
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            retryAfter: response.headers['retry-after'],
            text,
            body: text === '' ? undefined : JSON.parse(text),
          }),
        )
      })
      sent.end(body && JSON.stringify(body))
    })
  return Object.assign(send, { end: () => agent.destroy() })
}

/** Repeats a request while the service is unavailable, for twenty seconds at most. @returns the last response */
export async function persist(send, request) {
  const end = performance.now() + 20_000
  for (;;) {
    const response = await send(request)
    const isUnavailable = response.status === 503 || response.error !== undefined
    if (!isUnavailable || performance.now() > end) return response
    await sleep(20)
  }
}

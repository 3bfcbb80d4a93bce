// Clients of the service: one request at a time on a kept-alive connection.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a client waits for a response before it counts as hanging for good, in ms. */
const hangingMs = 60_000

/**
 * A client of one node.
 * @returns a function that sends a request and resolves with the response's `status`, `headers`, `retryAfter`, `text` and `body`; or with
 *   `error`, and `wasSent`: whether the request may have reached the node
 */
export function createClient(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = ({ method = 'GET', path, cookie, body }) =>
    new Promise((resolve) => {
      let wasSent = false
      const sent = request(new URL(path, url), {
        method,
        agent,
        timeout: hangingMs,
        headers: { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) },
      })
      const fail = (error) => resolve({ error: error.code ?? error.message, wasSent })
      sent.on('socket', (socket) => {
        const connected = () => {
          wasSent = true
        }
        if (socket.connecting) socket.once('connect', connected)
        else connected()
      })
      sent.on('timeout', () => sent.destroy(new Error(`no response within ${hangingMs} ms`)))
      sent.on('error', fail)
      sent.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        response.on('error', fail)
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

/** Repeats a request as long as the service cannot respond, for twenty seconds at most. @returns the last response */
export async function persist(send, request) {
  const end = performance.now() + 20_000
  for (;;) {
    const response = await send(request)
    const isUnavailable = response.status === 503 || response.error !== undefined
    if (!isUnavailable || performance.now() > end) return response
    await sleep(20)
  }
}

/**
 * A client that does what a balancer does: it takes the nodes in turn, leaves out those that refuse connections or are not
 * ready, and sends to another node what was not sent, or what only reads.
 * @param nodes which are ready, see `watchNodes`
 */
export function createBalancedClient(nodes) {
  const clients = new Map()
  let turn = 0
  const clientOf = (url) => {
    if (!clients.has(url)) clients.set(url, createClient(url))
    return clients.get(url)
  }
  const send = async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const ready = nodes.ready()
      turn += 1
      const url = ready[turn % ready.length]
      const result = url ? await clientOf(url)(request) : { error: 'no node is ready', wasSent: false }
      if (!('error' in result)) return result
      if (url) nodes.failed(url)
      const mayRepeat = !result.wasSent || (request.method ?? 'GET') === 'GET'
      if (!mayRepeat || attempt === 10) return result
    }
  }
  return Object.assign(send, {
    end() {
      for (const client of clients.values()) client.end()
    },
  })
}

/** Checks every 100 ms which nodes are ready, as a balancer does. */
export function watchNodes(initial) {
  const urls = new Set(initial)
  const ready = new Set(initial)
  const probes = new Map()
  const checking = new Set()
  const checkOne = async (url) => {
    if (checking.has(url)) return
    checking.add(url)
    if (!probes.has(url)) probes.set(url, createClient(url))
    const { status } = await probes.get(url)({ path: '/readyz' })
    if (status === 200 && urls.has(url)) ready.add(url)
    else ready.delete(url)
    checking.delete(url)
  }
  const check = () => {
    for (const url of urls) void checkOne(url)
  }
  const timer = setInterval(check, 100)
  return {
    ready: () => [...ready],
    failed: (url) => ready.delete(url),
    add: (url) => urls.add(url),
    remove(url) {
      urls.delete(url)
      ready.delete(url)
    },
    close() {
      clearInterval(timer)
      for (const probe of probes.values()) probe.end()
    },
  }
}

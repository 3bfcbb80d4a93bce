import { randomUUID } from 'node:crypto'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** A node of the service. `url` is undefined while it does not run. */
export type Target = { readonly name: string; readonly url: string | undefined }

/** A request that was forwarded. */
export type Forwarded = {
  method: string
  path: string
  status: number
  /** The node that answered; undefined if none did. */
  node: string | undefined
  /** The nodes that were tried before. */
  passed: string[]
}

export type BalancerOptions = {
  /** 0 picks a free one. */
  port: number
  targets(): readonly Target[]
  /** Whether a path belongs to the service. */
  isForwarded(path: string): boolean
  /** Answers requests for all other paths. */
  serveRest(request: IncomingMessage, response: ServerResponse): unknown
  onForwarded?(forwarded: Forwarded): void
}

const healthCheckMs = 250
/** More than a node takes that is only busy: `/readyz` has a limit of 1 s for its write. */
const healthTimeoutMs = 2_000
const connectMs = 1_000
/** Longer than any response of the service takes: it waits for a connection and for a statement, 5 s each. */
const responseMs = 30_000

/**
 * Starts an HTTP balancer on loopback. It asks each node for `/readyz`, and gives requests to the ready ones in turn. A
 * request that a node did not get is sent to the next: one whose connection was refused, and a read without a response.
 * A write is never sent twice. It replaces the X-Forwarded headers of the client.
 */
export async function startBalancer(options: BalancerOptions) {
  const { targets, isForwarded, serveRest } = options
  const ready = new Set<string>()
  // Writes have a connection of their own each: a kept one may be closed by the node while a write is on its way.
  const kept = new Agent({ keepAlive: true })
  let turn = 0

  const checkHealth = async () => {
    await Promise.all(
      targets().map(async ({ url }) => {
        if (url === undefined) return
        const signal = AbortSignal.timeout(healthTimeoutMs)
        const response = await fetch(`${url}/readyz`, { signal }).catch(() => undefined)
        await response?.body?.cancel()
        if (response?.ok) ready.add(url)
        else ready.delete(url)
      }),
    )
  }

  /** The nodes in the order in which they are tried: the ready ones first. */
  const inTurn = () => {
    turn += 1
    const running = targets().filter(({ url }) => url !== undefined)
    const isReady = ({ url = '' }: Target) => ready.has(url)
    const first = running.filter(isReady)
    const start = turn % Math.max(1, first.length)
    return [...first.slice(start), ...first.slice(0, start), ...running.filter((node) => !isReady(node))]
  }

  const forward = async (client: IncomingMessage, reply: ServerResponse) => {
    const passed: string[] = []
    const report = (node?: string) => {
      const { method = '', url: path = '' } = client
      options.onForwarded?.({ method, path, status: reply.statusCode, node, passed })
    }
    for (const { name, url = '' } of inTurn()) {
      const outcome = await send(url, client, reply, kept)
      if (outcome === 'answered') return report(name)
      ready.delete(url)
      passed.push(name)
      if (outcome === 'lost') {
        refuse(reply, 502, 'The node ended before it answered. It may have carried out the request.')
        return report()
      }
    }
    refuse(reply, 503, 'No node of the service is ready.')
    report()
  }

  const server = createServer((client, reply) => {
    if (isForwarded(client.url ?? '')) void forward(client, reply)
    else void serveRest(client, reply)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const timer = setInterval(() => void checkHealth(), healthCheckMs)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Asks every node whether it is ready. @returns whether all are */
    async checkHealth(): Promise<boolean> {
      await checkHealth()
      return targets().every(({ url = '' }) => ready.has(url))
    },
    close() {
      clearInterval(timer)
      kept.destroy()
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** `unsent`: another node can take the request. `lost`: the node got it and did not answer. */
type Outcome = 'answered' | 'unsent' | 'lost'

/** Sends a request to a node, and its response to the client. The body is read once the node has accepted a connection. */
function send(url: string, client: IncomingMessage, reply: ServerResponse, kept: Agent): Promise<Outcome> {
  const { method, headers } = client
  const hasBody = 'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0'
  const isRepeatable = !hasBody && (method === 'GET' || method === 'HEAD')
  return new Promise((resolve) => {
    let isSent = false
    const upstream = request(url, {
      method,
      path: client.url,
      headers: forwardedHeaders(client),
      agent: isRepeatable ? kept : false,
    })
    const connecting = setTimeout(() => upstream.destroy(new Error('no connection')), connectMs)
    const onConnect = () => {
      clearTimeout(connecting)
      isSent = true
      if (hasBody) client.pipe(upstream)
      else upstream.end()
    }
    const onLeave = () => upstream.destroy()
    reply.once('close', onLeave)
    const settle = (outcome: Outcome) => {
      clearTimeout(connecting)
      reply.off('close', onLeave)
      resolve(outcome)
    }
    upstream.setTimeout(responseMs, () => upstream.destroy(new Error('no response')))
    upstream.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', onConnect)
      else onConnect()
    })
    upstream.once('response', (response) => {
      reply.writeHead(response.statusCode ?? 502, endToEnd(response.rawHeaders))
      // A response that breaks off ends the connection of the client, so that it is not taken for a whole one.
      pipeline(response, reply, () => settle('answered'))
    })
    upstream.once('error', () => {
      upstream.on('error', () => {})
      if (reply.headersSent || reply.destroyed) settle('answered')
      else settle(isSent && !isRepeatable ? 'lost' : 'unsent')
    })
  })
}

const hopByHop = /^(connection|keep-alive|proxy-\w+|te|trailer|transfer-encoding|upgrade)$/i
const forwarding = /^(forwarded|x-forwarded-.*|x-real-ip|x-request-id)$/i

function forwardedHeaders({ headersDistinct, headers, socket }: IncomingMessage) {
  const own = Object.entries(headersDistinct).filter(
    ([name]) => !forwarding.test(name) && (!hopByHop.test(name) || name === 'transfer-encoding'),
  )
  return {
    ...Object.fromEntries(own),
    host: headers.host ?? '',
    'x-forwarded-for': socket.remoteAddress ?? '',
    'x-forwarded-proto': 'http',
    'x-request-id': randomUUID(),
  }
}

/** The headers of a response, as a flat list, without those of the connection to the node. */
const endToEnd = (raw: readonly string[]): string[] =>
  raw.filter((_, i) => !hopByHop.test(raw[i - (i % 2)] ?? ''))

function refuse(reply: ServerResponse, status: number, error: string): void {
  reply.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' })
  reply.end(JSON.stringify({ error }))
}

import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { notInstalled } from '../../bench/drills/proxies.js'
import { type BalancerOptions, type Forwarded, startBalancer } from '../../examples/cluster/balancer.js'
import { type ProxyProgram, startTestedProxy } from './start-proxy.js'

/** Starts a node that is ready. `listener` handles other requests. */
async function startNode(name: string, listener: RequestListener = (_, response) => response.end(name)) {
  let isReady = true
  let requests = 0
  const server = createServer((request, response) => {
    if (request.url === '/readyz') return void response.writeHead(isReady ? 200 : 503).end()
    requests += 1
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(async () => void (await stop()))
  return {
    name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop,
    drain: () => {
      isReady = false
    },
    requests: () => requests,
  }
}

type Node = Awaited<ReturnType<typeof startNode>>

async function start(nodes: readonly Node[], options: Partial<BalancerOptions> = {}) {
  const forwarded: Forwarded[] = []
  const balancer = await startBalancer({
    port: 0,
    targets: () => nodes,
    isForwarded: () => true,
    serveRest: (_, response) => response.end('a file'),
    onForwarded: (one) => forwarded.push(one),
    ...options,
  })
  onTestFinished(balancer.close)
  await balancer.checkHealth()
  return { ...balancer, forwarded }
}

const echo: RequestListener = async (request, response) => response.end(await text(request))
const breakOff: RequestListener = (request) => request.socket.destroy()

/** The title of a proxy's tests, with the reason why they are skipped. */
const titled = (name: string, program: ProxyProgram) => {
  const reason = notInstalled(program)
  return reason === undefined ? name : `${name} (skipped: ${reason})`
}

const urlsOf = (nodes: readonly Node[]) => nodes.map(({ url }) => url)

type Balancer = {
  reason: string | undefined
  startWith(nodes: readonly Node[]): Promise<string>
  /** The methods of requests that the balancer repeats after a refused connection; by default all. */
  repeatsRefused?: string[]
  /** The kinds of aborted responses that the balancer also aborts; by default all. */
  breaksOff?: string[]
}

const balancers: Record<string, Balancer> = {
  'the balancer of the cluster': {
    reason: undefined,
    startWith: async (nodes) => (await start(nodes)).url,
  },
  [titled('nginx', 'nginx')]: {
    reason: notInstalled('nginx'),
    startWith: (nodes) => startTestedProxy('nginx', urlsOf(nodes)),
  },
  [titled('HAProxy', 'haproxy')]: {
    reason: notInstalled('haproxy'),
    startWith: (nodes) => startTestedProxy('haproxy', urlsOf(nodes)),
  },
  [titled('Caddy', 'caddy')]: {
    reason: notInstalled('caddy'),
    startWith: (nodes) => startTestedProxy('caddy', urlsOf(nodes)),
    // Caddy before 2.11 has closed the body already, and replies 502.
    repeatsRefused: ['GET'],
    // Caddy ends such a response as if it were complete. Responses of the service have a length.
    breaksOff: ['with a length'],
  },
}

const allMethods = ['GET', 'POST']
const allResponses = ['in chunks', 'with a length']

describe.each(Object.entries(balancers))('%s', (_, balancer) => {
  const { reason, startWith, repeatsRefused = allMethods, breaksOff = allResponses } = balancer

  it.skipIf(reason).each(repeatsRefused)(
    'sends a %s to another node if its connection is refused',
    async (method) => {
      const nodes = [await startNode('a', echo), await startNode('b', echo), await startNode('c', echo)]
      const url = await startWith(nodes)
      // The balancer still considers the stopped nodes ready.
      await nodes[0]?.stop()
      await nodes[1]?.stop()
      const init = method === 'POST' ? { method, body: 'x'.repeat(60_000) } : { method }
      for (let i = 0; i < 3; i += 1) {
        const response = await fetch(url, init)
        expect([response.status, await response.text()]).toEqual([200, init.body ?? ''])
      }
    },
  )

  it.skipIf(reason)(
    'sends a read to another node if the connection is lost before the response',
    async () => {
      const nodes = [
        await startNode('a', breakOff),
        await startNode('b', breakOff),
        await startNode('c', (_request, response) => response.end('c')),
      ]
      const url = await startWith(nodes)
      for (let i = 0; i < 3; i += 1) expect(await (await fetch(url)).text()).toBe('c')
      expect(nodes.slice(0, 2).some(({ requests }) => requests() > 0)).toBe(true)
    },
  )

  it.skipIf(reason).each(['POST', 'PATCH'])('never sends a %s twice', async (method) => {
    const nodes = [
      await startNode('a', breakOff),
      await startNode('b', breakOff),
      await startNode('c', breakOff),
    ]
    const url = await startWith(nodes)
    const response = await fetch(url, { method, body: '{"name":"Roadmap"}' })
    expect(response.status).toBe(502)
    expect(nodes.reduce((sum, { requests }) => sum + requests(), 0)).toBe(1)
  })

  it.skipIf(reason)(
    'replaces the headers of the client about its address, and forwards the rest',
    async () => {
      const tell: RequestListener = (request, response) => {
        response.setHeader('set-cookie', ['a=1', 'b=2'])
        response.end(JSON.stringify({ path: request.url, headers: request.headers }))
      }
      const nodes = [await startNode('a', tell), await startNode('b', tell), await startNode('c', tell)]
      const { hostname, port } = new URL(await startWith(nodes))
      const socket = connect(Number(port), hostname)
      const forged = [
        'X-Forwarded-For: 203.0.113.9',
        'x-forwarded-host: evil.example',
        'X-Forwarded-Proto: https',
      ]
      socket.write(
        `GET /v1/projects/a%2Fb?x=%20 HTTP/1.1\r\nHost: api.example.com\r\nCookie: session=1\r\n${forged.join('\r\n')}\r\n` +
          'Forwarded: for=203.0.113.9\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n',
      )
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
      expect(head.match(/^set-cookie: .*$/gim)).toHaveLength(2)
      const { path, headers } = JSON.parse(/\{.*\}/.exec(body)?.[0] ?? '')
      expect(path).toBe('/v1/projects/a%2Fb?x=%20')
      const { connection, 'x-forwarded-host': host = 'api.example.com', ...rest } = headers
      expect(host).toBe('api.example.com')
      expect(rest).toEqual({
        host: 'api.example.com',
        cookie: 'session=1',
        'accept-encoding': 'gzip',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{32,36}$/),
      })
    },
  )

  it.skipIf(reason).each(breaksOff)(
    'ends the connection of a client whose response %s breaks off',
    async (kind) => {
      const breakInTheMiddle: RequestListener = (request, response) => {
        if (kind === 'with a length') response.setHeader('content-length', 8)
        response.write('half')
        setTimeout(() => request.socket.destroy(), 20)
      }
      const nodes = [await startNode('a', breakInTheMiddle), await startNode('b'), await startNode('c')]
      const url = await startWith(nodes)
      const broken = nodes[0] as Node
      const outcomes: string[] = []
      // Some balancers choose the node at random.
      while (broken.requests() === 0) {
        const [outcome] = await Promise.allSettled([fetch(url).then((response) => response.text())])
        outcomes.push(outcome.status)
      }
      expect(outcomes.filter((status) => status === 'rejected')).toHaveLength(broken.requests())
    },
  )
})

const [, ...proxies] = Object.entries(balancers)
describe.each(proxies)('%s', (_, { reason, startWith }) => {
  it.skipIf(reason)('hides the paths for monitoring, which may be percent-encoded', async () => {
    const nodes = [await startNode('a'), await startNode('b'), await startNode('c')]
    const url = await startWith(nodes)
    const paths = ['/metrics', '/readyz', '/healthz?x', '/%6detrics', '/%72eady%7a', '/v1/projects']
    const statuses = paths.map(async (path) => (await fetch(url + path)).status)
    expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404, 404, 200])
  })
})

describe('the balancer of the cluster', () => {
  const textsOf = async (count: number, url: string) => {
    const texts: string[] = []
    for (let i = 0; i < count; i += 1) texts.push(await (await fetch(url)).text())
    return texts.sort()
  }

  it('sends requests to the nodes in turn', async () => {
    const { url, forwarded } = await start([await startNode('a'), await startNode('b'), await startNode('c')])
    expect(await textsOf(6, url)).toEqual(['a', 'a', 'b', 'b', 'c', 'c'])
    expect(forwarded[0]).toMatchObject({ method: 'GET', path: '/', status: 200, passed: [] })
  })

  it('sends no request to a node that is not ready, unless no node is', async () => {
    const nodes = [await startNode('a'), await startNode('b')] as const
    const { url, checkHealth } = await start(nodes)
    nodes[0].drain()
    await checkHealth()
    expect(await textsOf(4, url)).toEqual(['b', 'b', 'b', 'b'])
    nodes[1].drain()
    await checkHealth()
    expect((await fetch(url)).status).toBe(200)
  })

  it('replies 503 with Retry-After if no node accepts a request', async () => {
    const node = await startNode('a')
    const { url } = await start([node])
    await node.stop()
    const response = await fetch(url)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  })

  it('serves other paths itself', async () => {
    const { url } = await start([], { isForwarded: (path) => path.startsWith('/v1/') })
    expect(await (await fetch(`${url}/index.html`)).text()).toBe('a file')
  })
})

import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { type BalancerOptions, type Forwarded, startBalancer } from '../../examples/cluster/balancer.js'

/** Starts a node that is ready, and answers other requests as `listener` does. */
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

async function start(nodes: { name: string; url: string }[], options: Partial<BalancerOptions> = {}) {
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

const textsOf = async (count: number, url: string, init?: RequestInit) => {
  const texts: string[] = []
  for (let i = 0; i < count; i += 1) texts.push(await (await fetch(url, init)).text())
  return texts.sort()
}

it('gives requests to the nodes in turn', async () => {
  const nodes = [await startNode('a'), await startNode('b'), await startNode('c')]
  const { url } = await start(nodes)
  expect(await textsOf(6, url)).toEqual(['a', 'a', 'b', 'b', 'c', 'c'])
})

it('gives no request to a node that is not ready, unless none is', async () => {
  const nodes = [await startNode('a'), await startNode('b')] as const
  const { url, checkHealth } = await start([...nodes])
  nodes[0].drain()
  await checkHealth()
  expect(await textsOf(4, url)).toEqual(['b', 'b', 'b', 'b'])
  nodes[1].drain()
  await checkHealth()
  expect((await fetch(url)).status).toBe(200)
})

it.each(['GET', 'POST'])('sends a %s to another node if its connection is refused', async (method) => {
  const dead = await startNode('dead')
  const echo: RequestListener = async (request, response) => response.end(await text(request))
  const alive = await startNode('alive', echo)
  const { url, forwarded } = await start([dead, alive])
  // The balancer still takes it for a ready one.
  await dead.stop()
  const init = method === 'POST' ? { method, body: 'x'.repeat(60_000) } : { method }
  for (let i = 0; i < 2; i += 1) {
    const response = await fetch(url, init)
    expect([response.status, await response.text()]).toEqual([200, init.body ?? ''])
  }
  expect(forwarded.map(({ node }) => node)).toEqual(['alive', 'alive'])
  expect(forwarded.flatMap(({ passed }) => passed)).toEqual(['dead'])
})

it('sends a read to another node if the connection is lost before the response', async () => {
  const broken = await startNode('broken', (request) => request.socket.destroy())
  const { url, forwarded } = await start([broken, await startNode('whole')])
  expect(await textsOf(2, url)).toEqual(['whole', 'whole'])
  expect(forwarded.flatMap(({ passed }) => passed)).toEqual(['broken'])
})

it.each(['POST', 'PATCH'])('never sends a %s twice', async (method) => {
  const nodes = [
    await startNode('a', (request) => request.socket.destroy()),
    await startNode('b', (request) => request.socket.destroy()),
  ] as const
  const { url } = await start([...nodes])
  const response = await fetch(url, { method, body: '{"name":"Roadmap"}' })
  expect(response.status).toBe(502)
  expect(await response.json()).toEqual({ error: expect.stringContaining('may have carried out') })
  expect(nodes[0].requests() + nodes[1].requests()).toBe(1)
})

it('replies 503 with Retry-After where no node takes a request', async () => {
  const node = await startNode('a')
  const { url } = await start([node])
  await node.stop()
  const response = await fetch(url)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
})

it('does not end a response as if it were whole when it breaks off', async () => {
  const node = await startNode('a', (request, response) => {
    response.write('half')
    setTimeout(() => request.socket.destroy(), 20)
  })
  const { url } = await start([node])
  const response = await fetch(url)
  await expect(response.text()).rejects.toThrow()
})

it('replaces what the client says about its address, and passes on everything else', async () => {
  const node = await startNode('a', (request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.end(JSON.stringify({ path: request.url, headers: request.headers }))
  })
  const { url } = await start([node])
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `GET /v1/projects/%zz?x=%20 HTTP/1.1\r\nHost: ${host}\r\nCookie: session=1\r\nX-Forwarded-For: 203.0.113.9\r\n` +
      'x-forwarded-host: evil.example\r\nForwarded: for=203.0.113.9\r\nX-Real-IP: 203.0.113.9\r\nConnection: close\r\n\r\n',
  )
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head.match(/^set-cookie: .*$/gim)).toEqual(['set-cookie: a=1', 'set-cookie: b=2'])
  const { path, headers } = JSON.parse(/\{.*\}/.exec(body)?.[0] ?? '')
  expect(path).toBe('/v1/projects/%zz?x=%20')
  expect(headers).toEqual({
    host,
    cookie: 'session=1',
    connection: 'keep-alive',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

it('serves other paths itself', async () => {
  const { url } = await start([], { isForwarded: (path) => path.startsWith('/v1/') })
  expect(await (await fetch(`${url}/index.html`)).text()).toBe('a file')
})

import { createConnection } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectionsOf, openTestApp, openWire } from '../server-harness.js'

async function serve(...args: Parameters<typeof openTestApp>) {
  const opened = openTestApp(...args)
  return { ...opened, url: await opened.app.listen({ host: '127.0.0.1', port: 0 }) }
}

test.each([{ maxHeapUsedBytes: 1 }, { maxRssBytes: 1 }, { maxEventLoopDelay: -100 }])(
  'a service over %j replies 503 with Retry-After, and answers health checks nevertheless',
  async (limit) => {
    const { url } = await serve({ overload: { ...limit, sampleInterval: 50 } })
    const send = (path: string, method = 'GET') => fetch(url + path, { method })
    await expect.poll(async () => (await send('/v1/projects')).status).toBe(503)
    const refused = await send('/v1/projects', 'POST')
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await send('/auth/sign-in')).status).toBe(503)
    expect((await send('/healthz')).status).toBe(200)
  },
)

test('a service that cannot read its memory, since it cannot open more files, continues', async () => {
  const { memoryUsage } = process
  const read = vi.fn(() => {
    throw new Error('EMFILE: too many open files, uv_resident_set_memory')
  })
  process.memoryUsage = Object.assign(read, { rss: read })
  onTestFinished(() => {
    process.memoryUsage = memoryUsage
  })
  const { url } = await serve({ overload: { maxRssBytes: 1, sampleInterval: 5 } })
  await expect.poll(() => read.mock.calls.length).toBeGreaterThan(1)
  expect((await fetch(`${url}/v1/projects`)).status).toBe(401)
})

test('one address has at most a hundred connections, of a thousand in all', async () => {
  const { url } = await serve()
  const first = await openWire(url)
  for (let i = 0; i < 100; i += 1) onTestFinished((await openWire(url)).end)
  await first.closed
})

// test/http/connection-limits.test.ts has other tests of connection limits, test/http/http-server.test.ts those of time limits.
test('slow clients are disconnected, and others are served meanwhile', async () => {
  const { app, url, signIn, store } = await serve()
  const { cookie } = await signIn()
  for (let i = 0; i < 2_000; i++) {
    const project = { id: `p${i}`, name: `Project ${i}`, description: 'x'.repeat(2_000), status: 'active' }
    await store.addProject({ ...project, teamId: 'team-acme', createdAt: '2026-03-01T12:00:00.000Z' })
  }
  const head = `POST /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\ncontent-length: 100\r\n`
  const [headers, body] = [await openWire(url), await openWire(url)]
  headers.write(head)
  body.write(`${head}content-type: application/json\r\n\r\n{"name"`)
  // The time-out of idle connections that open from now on. The next one requests a long list, and does not read it.
  app.server.timeout = 600
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) }).pause()
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {}).write(`GET /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`)
  await expect.poll(() => connectionsOf(app.server)).toBe(3)

  expect((await fetch(`${url}/v1/auth/me`, { headers: { connection: 'close' } })).status).toBe(401)
  app.server.headersTimeout = 1
  app.server.requestTimeout = 1
  for (const { closed } of [headers, body]) expect(await closed).toMatch(/^HTTP\/1\.1 408 /)
  await expect.poll(() => connectionsOf(app.server)).toBe(0)
})

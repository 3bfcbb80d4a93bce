import { once } from 'node:events'
import { createConnection } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import type { Store } from '../../../src/store/store.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { connectionsOf, createTestApp, demo, openWire, type Wire } from '../server-harness.js'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(...args: Parameters<typeof createTestApp>) {
  const opened = createTestApp(...args)
  closers.push(() => opened.app.close())
  const url = await opened.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...opened, url }
}
async function wireTo(url: string) {
  const wire = await openWire(url)
  closers.push(wire.end)
  return wire
}

test('an overloaded service replies 503 with Retry-After, and answers health checks nevertheless', async () => {
  const { url, signIn } = await serve({ overload: { maxHeapUsedBytes: 1, sampleInterval: 20 } })
  const { cookie } = await signIn()
  const send = (path: string, method = 'GET') => fetch(url + path, { method, headers: { cookie } })
  await expect.poll(async () => (await send('/v1/projects')).status).toBe(503)
  const refused = await send('/v1/projects', 'POST')
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((await send('/auth/sign-in')).status).toBe(503)
  expect((await send('/healthz')).status).toBe(200)
})

test('a service within its limits refuses nothing', async () => {
  const limits = {
    maxHeapUsedBytes: 2 ** 40,
    maxRssBytes: 2 ** 40,
    sampleInterval: 20,
  }
  const { url } = await serve({ overload: limits })
  expect((await fetch(`${url}/v1/projects`)).status).toBe(401)
})

test('a service that can open no more files, and so not read its memory, goes on', async () => {
  const { memoryUsage } = process
  const read = vi.fn(() => {
    throw new Error('EMFILE: too many open files, uv_resident_set_memory')
  })
  process.memoryUsage = Object.assign(read, { rss: read })
  closers.push(() => {
    process.memoryUsage = memoryUsage
  })
  const { url } = await serve({ overload: { maxRssBytes: 1, sampleInterval: 5 } })
  await expect.poll(() => read.mock.calls.length).toBeGreaterThan(1)
  expect((await fetch(`${url}/v1/projects`)).status).toBe(401)
})

test('a connection above the limit replaces the one that has been idle longest', async () => {
  const { url } = await serve({ maxConnections: 3 })
  const wires = [await wireTo(url), await wireTo(url), await wireTo(url)] as const
  const [first, second, third] = wires
  for (const wire of [...wires, first]) await send(wire)
  for (let i = 0; i < 2; i++) await send(await wireTo(url))
  await Promise.all([second.closed, third.closed])
  await send(first)
})

test('one address has a hundred connections at most, where all are a thousand', async () => {
  const { url } = await serve()
  const first = await wireTo(url)
  await send(first)
  for (let i = 0; i < 100; i += 1) await wireTo(url)
  await first.closed
})

test('connections that wait for the service stay open, and those above the limit are closed until one ends', async () => {
  const store = createMemoryStore(demo())
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let waiting = 0
  const addToWaitlist: Store['addToWaitlist'] = async (entry) => {
    waiting += 1
    await released
    return store.addToWaitlist(entry)
  }
  const { url } = await serve({ maxConnections: 3, store: { ...store, addToWaitlist } })
  const busy = [await wireTo(url), await wireTo(url), await wireTo(url)] as const
  const body = '{"email":"a@b.example"}'
  for (const wire of busy) {
    wire.write(
      `POST /v1/waitlist HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
  }
  await expect.poll(() => waiting).toBe(3)
  const beyond = await wireTo(url)
  expect(await beyond.closed).toBe('')
  release()
  for (const wire of busy) await wire.until((received) => received.includes('HTTP/1.1 200'))
  await send(await wireTo(url))
  await busy[0].closed
})

/** Sends a request on a connection, and waits for its response. */
async function send(wire: Wire): Promise<void> {
  const count = (received: string) => received.split('AUTH_REQUIRED').length
  let before = 0
  await wire.until((received) => {
    before ||= count(received)
    return true
  })
  wire.write('GET /v1/projects HTTP/1.1\r\nhost: a\r\n\r\n')
  await wire.until((received) => count(received) > before)
}

test('slow clients are disconnected, and others are served meanwhile', async () => {
  const { app, url, signIn, store } = await serve()
  const { cookie } = await signIn()
  for (let i = 0; i < 2_000; i++) {
    const project = { id: `p${i}`, name: `Project ${i}`, description: 'x'.repeat(2_000), status: 'active' }
    await store.addProject({ ...project, teamId: 'team-acme', createdAt: '2026-03-01T12:00:00.000Z' })
  }

  const slow: Promise<string>[] = []
  let closed = 0
  for (let i = 0; i < 40; i++) {
    const headers = await wireTo(url)
    headers.write('GET /v1/projects HTTP/1.1\r\nhost: a\r\nx-slow: ')
    const body = await wireTo(url)
    body.write(
      `POST /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\n`,
    )
    body.write('content-length: 100\r\n\r\n{"name"')
    slow.push(headers.closed, body.closed)
  }
  for (const each of slow) void each.then(() => closed++)
  // The time-out of idle connections that open from now on.
  app.server.timeout = 600
  for (let i = 0; i < 10; i++) await readNothing(url, cookie)

  for (let i = 0; i < 20; i++) expect((await fetch(`${url}/v1/auth/me`)).status).toBe(401)
  expect(closed).toBe(0)

  // Their time is over.
  app.server.headersTimeout = 1
  app.server.requestTimeout = 1
  for (const received of await Promise.all(slow)) expect(received).toMatch(/^HTTP\/1\.1 408 /)
  // The connections that read nothing are closed; those of this test's own client stay open for a while.
  const own = 5
  await expect.poll(() => connectionsOf(app.server)).toBeLessThan(own)
  expect((await fetch(`${url}/v1/auth/me`)).status).toBe(401)
})

/** Requests a long list, and does not read the response. */
async function readNothing(url: string, cookie: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) }).pause()
  closers.push(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`)
}

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AppOptions } from '../../../src/server/app.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { connectionsOf, demo, openTestApp, openWire } from '../server-harness.js'
import { unchangedStore } from './unchanged-store.js'

/** A server that has cached the list and the session bundle of a session. */
async function serve(options: Partial<AppOptions> = {}) {
  const opened = openTestApp({ store: unchangedStore(createMemoryStore(demo())), ...options })
  const listed = vi.spyOn(opened.store, 'listProjects')
  const named = vi.spyOn(opened.store, 'listProjectNames')
  const url = await opened.app.listen({ host: '127.0.0.1', port: 0 })
  const { cookie } = await opened.signIn()
  const send = async (requestLine: string, ...headers: string[]): Promise<string> => {
    const wire = await openWire(url)
    const lines = [requestLine, ...headers, `cookie: ${cookie}`, 'connection: close']
    wire.write(`${lines.join('\r\n')}\r\n\r\n`)
    return wire.closed
  }
  const get = (path: string, ...headers: string[]) => send(`GET ${path} HTTP/1.1`, 'host: a', ...headers)
  for (const path of ['/v1/projects', '/v1/auth/me']) await get(path)
  opened.lines.length = 0
  for (const loads of [listed, named]) loads.mockClear()
  const countLoads = () => listed.mock.calls.length + named.mock.calls.length
  return { ...opened, url, cookie, countLoads, send, get }
}

const statusOf = (response: string) => Number(response.split(' ')[1])

describe('a cached response', () => {
  test.each(['/v1/projects', '/v1/auth/me'])(
    'to %s has the bytes of one that is not cached',
    async (path) => {
      for (const allowedOrigins of [[], ['https://app.example.com']]) {
        const cached = await serve({ allowedOrigins })
        const uncached = await serve({
          allowedOrigins,
          store: createMemoryStore(demo()),
          now: cached.clock.now,
        })
        const comparable = (response: string) => response.replace(/^(date|x-request-id): .*$/gim, '$1')
        const response = await cached.get(path)
        expect(comparable(response)).toBe(comparable(await uncached.get(path)))
        expect(/^vary: Origin\r$/m.test(response)).toBe(allowedOrigins.length > 0)
        expect(statusOf(response)).toBe(200)
        expect(cached.countLoads()).toBe(0)
        expect(uncached.countLoads()).toBe(1)
      }
    },
  )

  test('is logged and counted', async () => {
    const onRequestComplete = vi.fn()
    const { get, lines } = await serve({ onRequestComplete })
    onRequestComplete.mockClear()
    await get('/v1/projects', 'x-request-id: one')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        operation: 'listProjects',
        status: 200,
        clientRequestId: 'one',
        sessionId: expect.stringMatching(/^ses_/),
        teamId: 'team-acme',
        msg: 'request',
      }),
    ])
    expect(onRequestComplete.mock.calls).toEqual([
      [{ operation: 'listProjects', status: 200, ms: expect.any(Number) }],
    ])
  })

  test('has its own request id', async () => {
    const { get } = await serve()
    const responses = await Promise.all(Array.from({ length: 10 }, () => get('/v1/projects')))
    expect(new Set(responses.map((response) => /x-request-id: (.*)\r/.exec(response)?.[1])).size).toBe(10)
  })

  test('can be read by a page of an allowed origin, and of no other', async () => {
    const { get } = await serve({ allowedOrigins: ['https://app.example.com'] })
    const allowed = 'access-control-allow-origin: https://app.example.com\r\n'
    expect(await get('/v1/projects', 'origin: https://app.example.com')).toContain(allowed)
    expect(await get('/v1/projects', 'origin: https://evil.example')).not.toContain('access-control')
  })

  test('is not sent for a request without Host, or with two', async () => {
    const { send, get } = await serve()
    expect(statusOf(await send('GET /v1/projects HTTP/1.1'))).toBe(400)
    expect(statusOf(await send('GET /v1/projects HTTP/1.0'))).toBe(200)
    expect(statusOf(await get('/v1/projects', 'host: b'))).toBe(400)
  })

  test('is not sent for two cookies, or none', async () => {
    const { get, url, cookie } = await serve()
    expect(statusOf(await get('/v1/projects', `cookie: ${cookie}`))).toBe(401)
    expect((await fetch(`${url}/v1/projects`)).status).toBe(401)
  })

  test('is not sent under overload', async () => {
    const { get } = await serve({ overload: { maxHeapUsedBytes: 1, sampleInterval: 20 } })
    await expect.poll(async () => statusOf(await get('/v1/projects'))).toBe(503)
  })

  test('has no body for HEAD, and is not sent for other methods', async () => {
    const { send } = await serve()
    const head = await send('HEAD /v1/projects HTTP/1.1', 'host: a')
    expect(head).toMatch(/^HTTP\/1\.1 200 .*\r\ncontent-length: [1-9]\d*\r\n.*\r\n\r\n$/s)
    expect(statusOf(await send('DELETE /v1/projects HTTP/1.1', 'host: a'))).toBe(405)
  })

  test('is the last on its connection when the server closes', async () => {
    const { app, url, cookie } = await serve()
    const wire = await openWire(url)
    const get = `GET /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n`
    // The connection is in use: its request is on its way.
    wire.write(get)
    await expect.poll(() => connectionsOf(app.server)).toBe(1)
    const closed = app.close()
    wire.write('\r\n')
    expect(await wire.closed).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
    await closed
  })

  test('to a client that is gone affects no other', async () => {
    const { url, cookie, get, lines } = await serve()
    const wire = await openWire(url)
    wire.write(`GET /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`.repeat(50))
    wire.end()
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(statusOf(await get('/v1/projects'))).toBe(200)
  })

  test('is sent in the order of pipelined requests', async () => {
    const { url, cookie } = await serve()
    const wire = await openWire(url)
    onTestFinished(wire.end)
    const paths = ['/v1/projects', '/v1/nowhere', '/v1/auth/me', '/v1/projects?', '/v1/auth/me']
    wire.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`).join(''))
    const starts = /\r\n\r\n\{"(\w+)"/g
    const received = await wire.until((text) => [...text.matchAll(starts)].length === paths.length)
    const first = [...received.matchAll(starts)].map(([, key]) => key)
    expect(first).toEqual(['projects', 'error', 'user', 'projects', 'user'])
  })
})

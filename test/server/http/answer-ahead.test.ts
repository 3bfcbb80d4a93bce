import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AppOptions } from '../../../src/server/app.js'
import type { ChangeFeed } from '../../../src/store/change-feed.js'
import { connectionsOf, createTestApp, openWire } from '../server-harness.js'

// What is kept is answered ahead of the routes and their hooks; nobody can tell.

const changes: ChangeFeed = {
  version: () => 'the same',
  since: async () => ({ cursor: '0', teams: undefined }),
}

/** A server that has kept the list and the session bundle of a session. */
async function serve(options: Partial<AppOptions> = {}) {
  const made = createTestApp({ changes, ...options })
  const caller = vi.spyOn(made.store, 'caller')
  const routed = vi.fn()
  made.app.addHook('onRequest', (request, _, done) => done(routed(request.url)))
  const url = await made.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => made.app.close())
  const { cookie } = await made.signIn()
  const ask = async (target: string, ...headers: string[]): Promise<string> => {
    const wire = await openWire(url)
    wire.write(`${target}\r\n${[...headers, `cookie: ${cookie}`, 'connection: close'].join('\r\n')}\r\n\r\n`)
    return wire.closed
  }
  const get = (path: string, ...headers: string[]) => ask(`GET ${path} HTTP/1.1`, 'host: a', ...headers)
  for (const path of ['/v1/projects', '/v1/auth/me']) await get(path)
  made.lines.length = 0
  caller.mockClear()
  routed.mockClear()
  return { ...made, url, cookie, caller, routed, ask, get }
}

const statusOf = (answer: string) => Number(answer.split(' ')[1])

describe('a kept answer', () => {
  test.each(['/v1/projects', '/v1/auth/me'])('to %s is what its route would answer', async (path) => {
    for (const allowedOrigins of [[], ['https://app.example.com']]) {
      const { get, caller, routed } = await serve({ allowedOrigins })
      const same = (answer: string) => answer.replace(/^date: .*$/im, '')
      const ahead = await get(path, 'x-request-id: one')
      // A query has no meaning, and leads to the route.
      expect(same(ahead)).toBe(same(await get(`${path}?`, 'x-request-id: one')))
      expect(ahead).toContain('\r\nx-request-id: one\r\n')
      expect(/^vary: Origin\r$/m.test(ahead)).toBe(allowedOrigins.length > 0)
      expect(statusOf(ahead)).toBe(200)
      expect(caller).not.toHaveBeenCalled()
      expect(routed.mock.calls).toEqual([[`${path}?`]])
    }
  })

  test('is logged and counted like every other', async () => {
    const onAnswer = vi.fn()
    const { get, lines } = await serve({ onAnswer })
    onAnswer.mockClear()
    for (const path of ['/v1/projects', '/v1/projects?']) await get(path, 'x-request-id: one')
    const [ahead, byRoute] = lines.map((line) => ({ ...JSON.parse(line), time: 0, ms: 0 }))
    expect(ahead).toEqual(byRoute)
    expect(ahead).toMatchObject({ operation: 'listProjects', status: 200, requestId: 'one' })
    expect(onAnswer.mock.calls.map(([answered]) => ({ ...answered, ms: 0 }))).toEqual([
      { operation: 'listProjects', status: 200, ms: 0 },
      { operation: 'listProjects', status: 200, ms: 0 },
    ])
  })

  test('has an id that no other answer has', async () => {
    const { get } = await serve()
    const paths = Array.from({ length: 10 }, (_, i) => `/v1/projects${i % 2 ? '?' : ''}`)
    const answers = await Promise.all(paths.map((path) => get(path)))
    expect(new Set(answers.map((answer) => /x-request-id: (.*)\r/.exec(answer)?.[1])).size).toBe(10)
  })

  test('is given to a page of an allowed origin to read, and to no other', async () => {
    const { get } = await serve({ allowedOrigins: ['https://app.example.com'] })
    const allowed = 'access-control-allow-origin: https://app.example.com\r\n'
    expect(await get('/v1/projects', 'origin: https://app.example.com')).toContain(allowed)
    expect(await get('/v1/projects', 'origin: https://evil.example')).not.toContain('access-control')
  })

  test('is refused to who says not, or twice, whom the request is for', async () => {
    const { ask, get } = await serve()
    expect(statusOf(await ask('GET /v1/projects HTTP/1.1'))).toBe(400)
    expect(statusOf(await ask('GET /v1/projects HTTP/1.0'))).toBe(200)
    expect(statusOf(await get('/v1/projects', 'host: b'))).toBe(400)
  })

  test('is refused to two cookies, and to none', async () => {
    const { get, url, cookie } = await serve()
    expect(statusOf(await get('/v1/projects', `cookie: ${cookie}`))).toBe(401)
    expect((await fetch(`${url}/v1/projects`)).status).toBe(401)
  })

  test('is refused while there is too much to do', async () => {
    const { get } = await serve({ overload: { maxHeapUsedBytes: 1, sampleInterval: 20 } })
    await expect.poll(async () => statusOf(await get('/v1/projects'))).toBe(503)
  })

  test('has no body for HEAD, and is no answer to other methods', async () => {
    const { ask } = await serve()
    const head = await ask('HEAD /v1/projects HTTP/1.1', 'host: a')
    expect(head).toMatch(/^HTTP\/1\.1 200 .*\r\ncontent-length: [1-9]\d*\r\n.*\r\n\r\n$/s)
    expect(statusOf(await ask('DELETE /v1/projects HTTP/1.1', 'host: a'))).toBe(405)
  })

  test('is the last on its connection once the server closes', async () => {
    const { app, url, cookie, routed } = await serve()
    const wire = await openWire(url)
    const get = `GET /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n`
    // The connection is in use: its request is on its way.
    wire.write(get)
    await expect.poll(() => connectionsOf(app.server)).toBe(1)
    const closed = app.close()
    wire.write('\r\n')
    expect(await wire.closed).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
    await closed
    expect(routed).not.toHaveBeenCalled()
  })

  test('to a client that is gone harms nobody', async () => {
    const { url, cookie, get, lines } = await serve()
    const wire = await openWire(url)
    wire.write(`GET /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`.repeat(50))
    wire.end()
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(statusOf(await get('/v1/projects'))).toBe(200)
  })

  test('comes in its turn on a connection with requests after one another', async () => {
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

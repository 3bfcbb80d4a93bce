import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { operationMethods } from '../../../src/contract/route.js'
import { createControlClient } from '../../../src/mock/http/control-client.js'
import { type DevServer, startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'

let server: DevServer
beforeAll(async () => {
  server = await startDevServer({ fixtures: parseState(fixture), port: 0 })
})
afterEach(() => server.mock.controls.reset())
afterAll(() => server.close())

/** Writes bytes to a connection and returns everything that comes back. */
async function sendRaw(request: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(request)
  return text(socket)
}

describe('the dev server', () => {
  it('answers with the function that the handler of MSW calls too', async () => {
    const spy = vi.spyOn(server.mock, 'answer')
    onTestFinished(() => void vi.restoreAllMocks())
    for (const path of ['/v1/projects', '/v1/nothing', '/auth/sign-in', '/docs/errors/auth-required']) {
      await (await fetch(server.url + path)).arrayBuffer()
    }
    const results = await Promise.all(spy.mock.results.map(({ value }) => value))
    expect(results.filter((result) => result?.reply)).toHaveLength(4)
  })

  it('does not share sessions between clients', async () => {
    const signIn = await fetch(`${server.url}/auth/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ session: 'acme-owner' }),
      redirect: 'manual',
    })
    const cookie = signIn.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    expect((await fetch(`${server.url}/v1/auth/me`, { headers: { cookie } })).status).toBe(200)
    expect((await fetch(`${server.url}/v1/auth/me`)).status).toBe(401)
    expect((await fetch(`${server.url}/v1/auth/me`, { headers: { cookie: 'theme=dark' } })).status).toBe(401)
  })

  it.each([
    ['TRACE', '/v1/projects', 405],
    ['TRACE', '/nothing', 404],
    ['PROPFIND', '/v1/projects', 405],
    ['GET', '/nothing', 404],
    ['GET', '/v1/%', 404],
    ['GET', '/v1/projects/%', 405],
    ['GET', '//v1/projects', 404],
  ])('answers %s %s with %i', async (method, path, status) => {
    const response = await sendRaw(`${method} ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(response).toContain('"docsUrl"')
  })

  it('ignores the body of a GET, and keeps the connection in order', async () => {
    const head = 'host: a\r\ncookie: session=acme-owner\r\n'
    const response = await sendRaw(
      `GET /v1/projects HTTP/1.1\r\n${head}content-length: 5\r\n\r\nhello` +
        `GET /v1/auth/me HTTP/1.1\r\n${head}connection: close\r\n\r\n`,
    )
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(response).toContain('"devMode":true')
  })

  it('answers a HEAD with the headers of a GET and no body', async () => {
    const response = await sendRaw(
      'HEAD /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: session=acme-owner\r\nconnection: close\r\n\r\n',
    )
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(response).toMatch(/content-type: application\/json; charset=utf-8\r\n/)
    expect(response.endsWith('\r\n\r\n')).toBe(true)
  })

  it('refuses a body over the limit, and accepts one of exactly that length', async () => {
    const post = (length: number) =>
      fetch(`${server.url}/v1/projects`, {
        method: 'POST',
        headers: { cookie: 'session=acme-owner', 'content-type': 'application/json' },
        body: `{"name":"Long"}${' '.repeat(length - 15)}`,
      })
    expect((await post(65_536)).status).toBe(201)
    expect((await post(65_537)).status).toBe(413)
  })

  it('stops waiting when the client disconnects during a delay', async () => {
    const client = createControlClient(server.url)
    await client.call('setDelay', { ms: 60_000, operation: 'listProjects' })
    const entry = (async () => {
      // From the first entry: it may begin to follow when the request has ended already.
      for await (const event of client.follow(new AbortController().signal, 0))
        if ('request' in event && event.request.status === 0) return event
    })()
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('GET /v1/projects HTTP/1.1\r\nhost: a\r\n\r\n')
    await once(socket, 'connect')
    // Answered after the request above has arrived.
    await (await fetch(`${server.url}/docs`)).text()
    socket.destroy()
    expect(await entry).toMatchObject({ request: { status: 0, why: 'the client gave up' } })
  })
})

describe('CORS', () => {
  const preflight = (origin: string) =>
    fetch(`${server.url}/v1/projects`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'content-type, prefer',
      },
    })

  it('allows the methods of the contract to pages of this machine', async () => {
    const { status, headers } = await preflight('http://localhost:5173')
    expect([status, headers.get('access-control-allow-methods')]).toEqual([204, operationMethods.join(', ')])
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(headers.get('access-control-allow-headers')).toBe('content-type, prefer')
    expect(headers.get('access-control-allow-credentials')).toBe('true')
  })

  it('allows nothing to other pages', async () => {
    const { status, headers } = await preflight('https://evil.example')
    expect([status, headers.get('vary')]).toEqual([405, 'Origin'])
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('adds its headers to replies, so that the page can read them', async () => {
    const headers = { origin: 'http://localhost:5173' }
    for (const path of ['/v1/projects', '/nothing', '/openapi.json']) {
      const response = await fetch(server.url + path, { headers })
      expect(response.headers.get('access-control-allow-origin'), path).toBe(headers.origin)
    }
  })
})

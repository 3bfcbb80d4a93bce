import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { operationMethods } from '../../../src/contract/route.js'
import { type DevServer, type DevServerOptions, startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'

type Headers = Record<string, string>

const start = (options: Partial<DevServerOptions> = {}) =>
  startDevServer({ fixtures: parseState(fixture), port: 0, ...options })

async function startFor(options: Partial<DevServerOptions>): Promise<DevServer> {
  const server = await start(options)
  onTestFinished(() => server.close())
  return server
}

/** Sends a request with any headers: fetch would not send Sec-Fetch-Site. */
const send = ({ url }: DevServer, method: string, path: string, headers: Headers, body = '') =>
  new Promise<{ status: number; headers: object; text: string }>((resolve, reject) => {
    // Node adds no Content-Length to DELETE.
    const all = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url + path, { method, headers: all }, async (response) => {
      if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy()
      const content = response.destroyed ? '' : await text(response)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: content })
    })
    sent.on('error', reject)
    sent.end(body)
  })

const evil = 'https://evil.example'
const foreign: Headers[] = [
  { origin: evil },
  { origin: 'null' },
  { origin: evil, 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
]

let server: DevServer
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.close())

describe('a change by a page of another site', () => {
  // The conformance suite checks the responses of the interface.
  test.each(foreign)('is refused at every path: %j', async (headers) => {
    for (const [method, path] of [
      ['POST', '/nothing'],
      ['DELETE', '/v1/projects'],
    ] as const) {
      const { status, text } = await send(server, method, path, headers, '{}')
      expect([status, JSON.parse(text).code], path).toEqual([403, 'CROSS_SITE_REFUSED'])
    }
  })

  test('changes nothing, and is logged without its body', async () => {
    const before = await server.mock.export()
    const body = '{"name":"\u001b[2J"}'
    await send(server, 'POST', '/v1/projects?secret', { origin: evil, cookie: 'session=active' }, body)
    expect(await server.mock.export()).toEqual(before)
    expect((await server.mock.controls.log.read()).at(-1)).toMatchObject({
      status: 403,
      code: 'CROSS_SITE_REFUSED',
      why: 'origin check: a page of another site',
      curl: `curl -i -X POST ${server.url}/v1/projects -H 'origin: ${evil}'`,
    })
  })

  test('is accepted from the same site, from clients other than browsers, and from pages of this machine', async () => {
    const own: Headers[] = [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { origin: server.url },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' },
      { origin: 'http://192.168.0.7:4010', host: '192.168.0.7:4010' },
    ]
    for (const headers of own) {
      expect((await send(server, 'POST', '/v1/projects', headers)).status, JSON.stringify(headers)).toBe(401)
    }
    expect((await send(server, 'GET', '/v1/projects', { origin: evil })).status).toBe(401)
  })

  test('needs an allowed origin, if there is a list', async () => {
    const app = 'http://localhost:5173'
    const listed = await startFor({ allowedOrigins: [app] })
    const post = async (origin: string) => (await send(listed, 'POST', '/v1/projects', { origin })).status
    expect(await Promise.all([app, listed.url, 'http://localhost:5174', evil].map(post))).toEqual([
      401, 401, 403, 403,
    ])
    const read = (origin: string) => send(listed, 'GET', '/v1/projects', { origin })
    expect((await read(app)).headers).toMatchObject({ 'access-control-allow-origin': app })
    expect((await read('http://localhost:5174')).headers).not.toHaveProperty('access-control-allow-origin')
    const signOut = (returnTo: string) =>
      send(listed, 'POST', `/auth/sign-out?returnTo=${returnTo}`, { accept: 'text/html' })
    expect((await signOut(`${app}/x`)).headers).toMatchObject({ location: `${app}/x` })
    expect((await signOut('http://localhost:5174/x')).headers).toMatchObject({ location: '/' })
  })

  test('is reported once, if only the mock allows its origin', async () => {
    const onCrossOrigin = vi.fn()
    const { url, ...rest } = await startFor({ onCrossOrigin })
    const from = (origin: string) => send({ url, ...rest }, 'POST', '/v1/projects', { origin })
    for (const origin of [url, evil, 'http://localhost:5173', 'http://localhost:5174']) await from(origin)
    expect(onCrossOrigin.mock.calls).toEqual([['http://localhost:5173']])

    const listed = await startFor({ onCrossOrigin, allowedOrigins: ['http://localhost:5173'] })
    await send(listed, 'POST', '/v1/projects', { origin: 'http://localhost:5173' })
    expect(onCrossOrigin).toHaveBeenCalledTimes(1)
  })
})

describe('a request to a host', () => {
  const statusOf = async (hosts: string[], host: string, path = '/v1/projects') =>
    (await send(await startFor({ hosts }), 'GET', path, { host })).status

  test.each([
    ['127.0.0.1', 'evil.example'],
    ['127.0.0.1', 'evil.example:4010'],
    ['127.0.0.1', '127.0.0.1.evil.example'],
    ['127.0.0.1', '192.168.0.7'],
    ['0.0.0.0', 'evil.example'],
    ['box.local', 'other.local'],
    ['127.0.0.1', 'a b'],
  ])(
    'that the mock at %s does not know is refused, as a page could give itself the name: %s',
    async (known, host) => {
      for (const path of ['/v1/projects', '/docs', '/__dev/state']) {
        expect(await statusOf([known], host, path), path).toBe(403)
      }
    },
  )

  test.each([
    ['127.0.0.1', 'localhost:4010'],
    ['127.0.0.1', 'app.localhost'],
    ['127.0.0.1', '[::1]:4010'],
    // The Android emulator's address of its machine.
    ['127.0.0.1', '10.0.2.2:4010'],
    ['192.168.0.7', '192.168.0.7:4010'],
    ['0.0.0.0', '192.168.0.7:4010'],
    ['::', '[fe80::1]:4010'],
    ['Box.local', 'BOX.local:4010'],
  ])('known to the mock at %s is answered: %s', async (known, host) => {
    expect(await statusOf(['0.0.0.1', known], host)).toBe(401)
  })

  test('is refused with the option that allows it', async () => {
    const { text } = await send(await startFor({ hosts: [] }), 'GET', '/v1/projects', {
      host: 'evil.example',
    })
    expect(JSON.parse(text)).toMatchObject({
      code: 'CROSS_SITE_REFUSED',
      error: 'The mock does not know the host evil.example. Start it with --allowed-host to use this name.',
    })
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

  test('allows the methods of the contract to pages of this machine', async () => {
    const { status, headers } = await preflight('http://localhost:5173')
    expect([status, headers.get('access-control-allow-methods')]).toEqual([204, operationMethods.join(', ')])
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(headers.get('access-control-allow-headers')).toBe('content-type, prefer')
    expect(headers.get('access-control-allow-credentials')).toBe('true')
  })

  test('allows nothing to other pages', async () => {
    const { status, headers } = await preflight(evil)
    expect([status, headers.get('vary')]).toEqual([405, 'Origin'])
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('adds its headers to replies, so that the page can read them', async () => {
    const headers = { origin: 'http://localhost:5173' }
    for (const path of ['/v1/projects', '/nothing', '/openapi.json']) {
      const response = await fetch(server.url + path, { headers })
      expect(response.headers.get('access-control-allow-origin'), path).toBe(headers.origin)
    }
  })
})

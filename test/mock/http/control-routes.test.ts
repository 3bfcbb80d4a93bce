import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { controlEndpoints, followPath } from '../../../src/mock/controls/control-endpoints.js'
import { controlRefusal, inNetworks } from '../../../src/mock/http/control-routes.js'
import { type DevServer, startDevServer } from '../../../src/mock/http/dev-server.js'
import { createControlClient, type MockEvent } from '../../../src/mock/surfaces/control-client.js'
import { parseState } from '../../../src/store/state-file.js'
import { createTestApp } from '../../server/server-harness.js'

let server: DevServer
beforeAll(async () => {
  server = await startDevServer({ fixtures: parseState(fixture), port: 0 })
})
afterEach(() => server.mock.controls.reset())
afterAll(() => server.close())

/** Sends a request with any headers, including Host and Origin. */
const send = (method: string, path: string, headers: Record<string, string>, body = '') =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    // Node adds no Content-Length to GET and DELETE.
    const length = { 'content-length': Buffer.byteLength(body) }
    const sent = request(server.url + path, { method, headers: { ...headers, ...length } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
        // An event stream does not end.
        if (response.headers['content-type']?.startsWith('text/event-stream')) sent.destroy()
      })
      response.on('close', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

describe('the address that may control the mock', () => {
  const refusal = (remoteAddress: string, host: string, networks?: string[]) =>
    controlRefusal({ socket: { remoteAddress }, headers: { host } } as never, inNetworks(networks))

  it('is that of this machine, or in a network of --allow-control, which the refusal suggests', () => {
    expect(refusal('127.0.0.1', 'localhost:4010')).toBeUndefined()
    // A client through a published port of a container.
    expect(refusal('172.17.0.1', 'localhost:4010')).toMatch(
      /comes from 172\.17\.0\.1\. .* --allow-control 172\.17\.0\.1 /,
    )
    expect(refusal('172.17.0.1', 'localhost:4010', ['172.17.0.0/16'])).toBeUndefined()
    expect(refusal('::ffff:172.17.0.1', '192.168.1.7:4010', ['172.17.0.1'])).toBeUndefined()
    expect(refusal('fd00::7', '[fd00::1]:4010', ['fd00::/8'])).toBeUndefined()
    expect(refusal('10.0.0.1', 'localhost:4010', ['172.17.0.0/16'])).toContain('--allow-control')
    // Any site may have a name that resolves to the mock.
    expect(refusal('172.17.0.1', 'rebound.test', ['172.17.0.0/16'])).toContain('Host')
  })

  it.each(['host', '172.17.0.0/33', '172.17.0.0/x', ''])(
    'cannot be in %s, which is not a network',
    (network) => {
      expect(() => inNetworks([network])).toThrow('is not a network')
    },
  )
})

const controls = [
  ...Object.values(controlEndpoints).map((endpoint) => endpoint.split(' ') as [Method, string]),
  ['GET', followPath] as const,
  ['GET', '/__dev/nothing'] as const,
]
const json = { 'content-type': 'application/json' }

describe('the control plane', () => {
  it.each(controls)('refuses %s %s to other hosts and origins', async (method, path) => {
    const before = await server.mock.export()
    const foreign: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: 'evil.example:4010' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost.evil.example' },
      { origin: 'https://evil.example' },
      { origin: 'http://localhost.evil.example' },
      { origin: 'http://192.168.0.7:4010' },
      { origin: 'null' },
      { origin: 'file://' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      const { status, text } = await send(method, path, { ...json, ...headers }, '{}')
      expect([status, JSON.parse(text).error], JSON.stringify(headers)).toEqual([403, expect.any(String)])
    }
    expect(await server.mock.export()).toEqual(before)
  })

  it('accepts pages of this machine, from any port', async () => {
    const own: Record<string, string>[] = [
      { host: 'localhost:4010' },
      { host: 'app.localhost' },
      { host: '[::1]:4010' },
      { origin: 'http://localhost:5173' },
      { origin: server.url },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]
    for (const headers of own) {
      expect((await send('GET', '/__dev/sessions', headers)).status, JSON.stringify(headers)).toBe(200)
    }
  })

  const unsafe = controls.filter(([method]) => method !== 'GET')
  it.each(unsafe)('accepts %s %s with JSON only', async (method, path) => {
    const types = ['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
    for (const type of [...types, 'application/jsonx', 'text/plain; application/json']) {
      const { status } = await send(method, path, type ? { 'content-type': type } : {}, '{}')
      expect(status, type).toBe(415)
    }
    for (const body of ['', '{', 'x', '[1', '\u0000']) {
      expect((await send(method, path, json, body)).status, body).toBe(422)
    }
    expect((await send(method, path, json, '{"unknown":1}')).status).toBe(422)
  })

  it('refuses the preflight of another site', async () => {
    const { status } = await send('OPTIONS', '/__dev/reset', {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
    })
    expect(status).toBe(403)
  })

  it('answers 404 for another method and for another path', async () => {
    expect((await send('PUT', '/__dev/log', json, '{}')).status).toBe(404)
    expect((await send('GET', '/__dev/nothing', {})).status).toBe(404)
  })
})

it('does not exist in production', async () => {
  const { app } = createTestApp()
  for (const [method, path] of [...controls, ['GET', '/__dev/'] as const, ['GET', '/'] as const]) {
    const { statusCode } = await app.inject({ method, url: path, headers: json, payload: '{}' })
    expect(statusCode, `${method} ${path}`).toBe(404)
  }
  await app.close()
})

describe('the log over HTTP', () => {
  it('is streamed from the last known entry, with the changes by controls', async () => {
    const client = createControlClient(server.url)
    await client.call('clearLog')
    await fetch(`${server.url}/v1/auth/me`)
    const known = (await client.call('log')).at(-1)?.id ?? 0
    await fetch(`${server.url}/v1/projects`, { headers: { cookie: 'session=acme-viewer' } })

    const stop = new AbortController()
    const events: MockEvent[] = []
    for await (const event of client.follow(stop.signal, known)) {
      events.push(event)
      if (events.length === 1) await client.call('setDelay', { ms: 1 })
      if (events.length === 2) await fetch(`${server.url}/v1/waitlist`, { method: 'POST' })
      if (events.length === 3) break
    }
    expect(events).toEqual([
      { request: expect.objectContaining({ path: '/v1/projects', session: 'acme-viewer', why: 'handler' }) },
      { change: true },
      { request: expect.objectContaining({ path: '/v1/waitlist', status: 400, why: 'validation' }) },
    ])
  })

  it('is replayed completely to a client from before a restart of the server', async () => {
    await fetch(`${server.url}/v1/auth/me`)
    for await (const event of createControlClient(server.url).follow(new AbortController().signal, 99_999)) {
      expect(event).toMatchObject({ request: { path: expect.any(String) } })
      break
    }
  })

  it('stores the latest thousand entries', async () => {
    const client = createControlClient(server.url)
    const get = () => fetch(`${server.url}/v1/nothing`).then((response) => response.arrayBuffer())
    for (let i = 0; i < 51; i++) await Promise.all(Array.from({ length: 20 }, get))
    const log = await client.call('log')
    expect(log).toHaveLength(1000)
    expect((log.at(-1)?.id ?? 0) - (log[0]?.id ?? 0)).toBe(999)
  })
})

it('refuses a state with 16 MB of faults immediately, and continues', async () => {
  const length = 16 * 1024 * 1024
  const start = '{"version":1,"teams":['
  const body = `${start}${'{},'.repeat(Math.floor((length - start.length - 4) / 3))}{}]}`
  const before = await server.mock.export()
  const refused = await send('PUT', '/__dev/state', json, body)
  expect(refused.status).toBe(422)
  expect(JSON.parse(refused.text).faults).toHaveLength(100)
  expect(await server.mock.export()).toEqual(before)
  expect((await send('GET', '/__dev/sessions', {})).status).toBe(200)
})

describe('a wait over HTTP', () => {
  const wait = async (signal?: AbortSignal) => {
    const run = vi.spyOn(server.mock.controls, 'run')
    const sent = fetch(`${server.url}/__dev/calls/wait`, {
      ...{ method: 'POST', headers: json, signal },
      body: JSON.stringify({ target: 'listProjects', timeout: 60_000 }),
    })
    sent.catch(() => {})
    await expect.poll(() => run.mock.results).toHaveLength(1)
    const waiting = run.mock.results[0]?.value
    run.mockRestore()
    return { sent, waiting }
  }

  it('ends when its client has gone', async () => {
    const client = new AbortController()
    const { waiting } = await wait(client.signal)
    client.abort()
    await expect(waiting).rejects.toThrow('it was aborted')
  })
})

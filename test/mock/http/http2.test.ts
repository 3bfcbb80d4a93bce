import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createServer as createHttp2Server,
  createSecureServer,
  type Http2SecureServer,
  type Http2Server,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2'
import { request as requestHttps } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServer as createVite, type InlineConfig } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sendResponse, toRequest } from '../../../src/mock/http/node-http.js'
import { dashboardApi } from '../../../src/mock/vite.js'
import { emptyFolder } from '../../cli/cli-process.js'

const asOwner = { cookie: 'session=acme-owner' }
const json = { 'content-type': 'application/json' }

/** A key that both sides know takes the place of a certificate, which Node cannot make. */
const cipher = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const
const key = Buffer.alloc(16)
const tls = {
  ...cipher,
  pskCallback: () => ({ psk: key, identity: 'page' }),
  checkServerIdentity: () => undefined,
} satisfies SecureClientSessionOptions
const secure = { ...cipher, pskCallback: () => key }

const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port

function config(): InlineConfig {
  const root = emptyFolder()
  writeFileSync(`${root}/index.html`, '<!doctype html><title>The front end</title>')
  return { root, configFile: false, logLevel: 'silent', plugins: [dashboardApi()] }
}

/** Vite's own server, which speaks HTTP/2 where it has `https`. */
async function startVite(): Promise<string> {
  const vite = await createVite({ ...config(), server: { host: '127.0.0.1', port: 0, https: secure } })
  onTestFinished(() => vite.close())
  await vite.listen()
  return `https://127.0.0.1:${portOf(vite.httpServer as Server)}`
}

/** An HTTP/2 server of the application's own that has Vite as a middleware. */
async function startMiddleware(): Promise<string> {
  const vite = await createVite({ ...config(), server: { middlewareMode: true, ws: false } })
  onTestFinished(() => vite.close())
  const server = createSecureServer(secure, vite.middlewares as never)
  return (await listening(server)).replace('http:', 'https:')
}

async function listening(server: Http2Server | Http2SecureServer): Promise<string> {
  onTestFinished(() => void server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${portOf(server)}`
}

/** One connection, with all of its requests. */
function connectTo(url: string) {
  const session: ClientHttp2Session = connect(url, tls)
  onTestFinished(() => session.destroy())
  const open = (method: string, path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream =>
    session.request({ ':method': method, ':path': path, ...headers }, { endStream: false })
  const ask = async (method: string, path: string, headers: OutgoingHttpHeaders = {}, body = '') => {
    const stream = open(method, path, headers).end(body)
    const [answer] = await once(stream, 'response')
    return { status: answer[':status'], headers: answer, text: await text(stream) }
  }
  const control = async (method: string, path: string, body?: object) =>
    JSON.parse((await ask(method, `/__dev/${path}`, json, body && JSON.stringify(body))).text)
  return { session, open, ask, control }
}

/** Reads what comes until it has the words. */
const until = (stream: ClientHttp2Stream, words: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let read = ''
    stream.setEncoding('utf8').on('data', (part) => {
      read += part
      if (read.includes(words)) resolve(read)
    })
    stream.once('close', () => reject(new Error(`ended after ${read}`)))
  })

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve: (value: Value) => resolve(value) }
}

describe.each([
  ['Vite with https', startVite],
  ['Vite behind an HTTP/2 server', startMiddleware],
])('the mock over HTTP/2, in %s', (_, start) => {
  it('serves the interface, the pages and the worker script', async () => {
    const url = await start()
    const { ask } = connectTo(url)
    const refused = await ask('GET', '/v1/projects')
    expect([refused.status, JSON.parse(refused.text).docsUrl]).toEqual([
      401,
      `${url}/docs/errors/auth-required`,
    ])
    expect((await ask('GET', '/v1/auth/me', asOwner)).text).toContain('"devMode":true')
    const made = await ask('POST', '/v1/projects', { ...asOwner, ...json }, '{"name":"Roadmap"}')
    expect(made.status).toBe(201)
    expect(await ask('HEAD', '/v1/projects', asOwner)).toMatchObject({ status: 200, text: '' })
    expect((await ask('GET', '/auth/sign-in')).text).toContain('acme-viewer')
    expect((await ask('POST', '/auth/sign-out')).status).toBe(204)
    expect((await ask('GET', '/docs/errors/auth-required')).text).toContain('AUTH_REQUIRED')
    expect((await ask('GET', '/__dev/')).text).toContain('workbench.js')
    const script = await ask('GET', '/mockServiceWorker.js')
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript'])
  })

  it('puts together the cookies that a browser sends apart', async () => {
    const { ask } = connectTo(await start())
    const apart = (...cookie: string[]) => ask('GET', '/v1/projects', { cookie } as OutgoingHttpHeaders)
    expect((await apart('theme=dark', 'session=acme-owner')).status).toBe(200)
    expect((await apart('session=acme-owner', 'session=globex-owner')).status).toBe(401)
  })

  it('lets this machine alone control it, by the name that was asked for', async () => {
    const { ask } = connectTo(await start())
    const controlled = async (headers: OutgoingHttpHeaders) =>
      (await ask('GET', '/__dev/sessions', headers)).status
    expect(await controlled({ ':authority': 'localhost:5173' })).toBe(200)
    expect(await controlled({ origin: 'https://localhost:5173' })).toBe(200)
    expect(await controlled({ ':authority': 'evil.example' })).toBe(403)
    expect(await controlled({ ':authority': 'evil.example', host: '127.0.0.1' })).toBe(403)
    expect(await controlled({ origin: 'https://evil.example' })).toBe(403)
  })

  it('breaks one request and leaves the others of its connection alone', async () => {
    const { open, ask, control } = connectTo(await start())
    const log = open('GET', '/__dev/log/follow?since=0').end()
    const told = until(log, '"status":200')
    await control('PUT', 'scenarios', { target: 'listProjects', outcome: 'drop', times: 1 })
    await expect(ask('GET', '/v1/projects', asOwner)).rejects.toThrow('NGHTTP2_INTERNAL_ERROR')
    expect((await ask('GET', '/v1/projects', asOwner)).status).toBe(200)
    expect(await told).toContain('scenario listProjects drop, 0 left')
  })

  it('lets a request wait until the client gives up, and notes that it did', async () => {
    const { open, ask, control } = connectTo(await start())
    const log = open('GET', '/__dev/log/follow?since=0').end()
    await once(log, 'response')
    await control('PUT', 'scenarios', { target: 'getSession', outcome: 'hang', times: 1 })
    const hanging = open('GET', '/v1/auth/me', asOwner).end()
    const answered = vi.fn()
    hanging.on('response', answered)
    await until(log, 'scenario getSession hang, 0 left')
    hanging.close()
    await once(hanging, 'close')
    expect(answered).not.toHaveBeenCalled()

    await control('PUT', 'delay', { ms: 60_000, operation: 'listProjects' })
    const slow = open('GET', '/v1/projects', asOwner).end()
    const left = until(log, 'the client gave up')
    // A second request says that the first has arrived.
    expect((await ask('GET', '/v1/auth/me', asOwner)).status).toBe(200)
    slow.close()
    await left
  })

  it('takes a client that leaves within its body for no fault of its own', async () => {
    const { open, ask } = connectTo(await start())
    const faults = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => faults.mockRestore())
    const stream = open('POST', '/v1/projects', { ...asOwner, ...json, 'content-length': 100 })
    stream.write('{"name":')
    expect((await ask('GET', '/v1/projects', asOwner)).status).toBe(200)
    stream.close(8)
    await once(stream, 'close')
    expect((await ask('GET', '/v1/projects', asOwner)).status).toBe(200)
    expect(faults).not.toHaveBeenCalled()
  })
})

describe('a request and an answer of HTTP/2', () => {
  it('is refused where the client left within its body', async () => {
    const outcome = deferred<unknown>()
    const server = createHttp2Server((incoming, outgoing) => {
      toRequest(incoming, outgoing, new URL('http://a/'), 100).catch(outcome.resolve)
      stream.close(8)
    })
    const stream = connectTo(await listening(server)).open('POST', '/')
    stream.write('{')
    expect(await outcome.promise).toBeInstanceOf(Error)
  })

  it('stops its source when the client leaves', async () => {
    const cancelled = deferred<void>()
    const events = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel: () => cancelled.resolve(),
    })
    const response = new Response(events, { headers: { 'content-type': 'text/event-stream' } })
    const server = createHttp2Server((_, outgoing) => void sendResponse(response, outgoing).catch(() => {}))
    const stream = connectTo(await listening(server))
      .open('GET', '/')
      .end()
    await until(stream, 'data: 1')
    stream.close(8)
    await cancelled.promise
  })
})

it('answers HTTP/1.1 on the same port as Vite does, with https too', async () => {
  const url = await startVite()
  const sent = requestHttps(`${url}/v1/projects`, { ...tls, headers: asOwner }).end()
  const [answer] = await once(sent, 'response')
  expect([answer.httpVersion, answer.statusCode]).toEqual(['1.1', 200])
  expect(await text(answer)).toContain('"projects"')
})

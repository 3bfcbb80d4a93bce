import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { constants, createSecureServer, type OutgoingHttpHeaders } from 'node:http2'
import { request as requestHttps } from 'node:https'
import type { Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServer as createVite, type InlineConfig } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { dashboardApi } from '../../../src/mock/vite.js'
import { emptyFolder } from '../../cli/cli-process.js'
import { connectTo, json, listen, portOf, readUntil, tlsClient, tlsServer } from './http2-client.js'

const asOwner = { cookie: 'session=acme-owner' }

function config(): InlineConfig {
  const root = emptyFolder()
  writeFileSync(`${root}/index.html`, '<!doctype html><title>The front end</title>')
  return { root, configFile: false, logLevel: 'silent', plugins: [dashboardApi()] }
}

/** Vite's own server, which uses HTTP/2 with `https`. */
async function startVite(): Promise<string> {
  const vite = await createVite({ ...config(), server: { host: '127.0.0.1', port: 0, https: tlsServer } })
  onTestFinished(() => vite.close())
  await vite.listen()
  return `https://127.0.0.1:${portOf(vite.httpServer as Server)}`
}

/** An HTTP/2 server of the application that uses Vite as middleware. */
async function startMiddleware(): Promise<string> {
  const vite = await createVite({ ...config(), server: { middlewareMode: true, ws: false } })
  onTestFinished(() => vite.close())
  const server = createSecureServer(tlsServer, vite.middlewares as never)
  return (await listen(server)).replace('http:', 'https:')
}

describe.each([
  ['Vite with https', startVite],
  ['Vite behind an HTTP/2 server', startMiddleware],
])('the mock over HTTP/2, in %s', (_, start) => {
  it('serves the interface, the pages and the worker script', async () => {
    const url = await start()
    const { send } = connectTo(url)
    const refused = await send('GET', '/v1/projects')
    expect([refused.status, JSON.parse(refused.text).docsUrl]).toEqual([
      401,
      `${url}/docs/errors/auth-required`,
    ])
    expect((await send('GET', '/v1/auth/me', asOwner)).text).toContain('"devMode":true')
    const created = await send('POST', '/v1/projects', { ...asOwner, ...json }, '{"name":"Roadmap"}')
    expect(created.status).toBe(201)
    expect(await send('HEAD', '/v1/projects', asOwner)).toMatchObject({ status: 200, text: '' })
    expect((await send('GET', '/auth/sign-in')).text).toContain('acme-viewer')
    expect((await send('POST', '/auth/sign-out')).status).toBe(204)
    expect((await send('GET', '/docs/errors/auth-required')).text).toContain('AUTH_REQUIRED')
    const script = await send('GET', '/mockServiceWorker.js')
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript'])
  })

  it('joins the cookies that a browser sends as separate headers', async () => {
    const { send } = connectTo(await start())
    const listWith = (...cookie: string[]) => send('GET', '/v1/projects', { cookie } as OutgoingHttpHeaders)
    expect((await listWith('theme=dark', 'session=acme-owner')).status).toBe(200)
    expect((await listWith('session=acme-owner', 'session=globex-owner')).status).toBe(401)
  })

  it('lets only this machine control it, and checks :authority', async () => {
    const { send } = connectTo(await start())
    const statusOfControl = async (headers: OutgoingHttpHeaders) =>
      (await send('GET', '/__dev/sessions', headers)).status
    expect(await statusOfControl({ ':authority': 'localhost:5173' })).toBe(200)
    expect(await statusOfControl({ origin: 'https://localhost:5173' })).toBe(200)
    expect(await statusOfControl({ ':authority': 'evil.example' })).toBe(403)
    expect(await statusOfControl({ ':authority': 'evil.example', host: '127.0.0.1' })).toBe(403)
    expect(await statusOfControl({ origin: 'https://evil.example' })).toBe(403)
  })

  it('breaks one request, but not the others of its connection', async () => {
    const { open, send, control } = connectTo(await start())
    const log = open('GET', '/__dev/log/follow?since=0').end()
    const entries = readUntil(log, '"status":200')
    await control('PUT', 'scenarios', { target: 'listProjects', outcome: 'drop', times: 1 })
    await expect(send('GET', '/v1/projects', asOwner)).rejects.toThrow('NGHTTP2_INTERNAL_ERROR')
    expect((await send('GET', '/v1/projects', asOwner)).status).toBe(200)
    expect(await entries).toContain('scenario listProjects drop, next request')
  })

  it('uses a limited outcome up by a response that the client took, and not by a cancelled one', async () => {
    const { session, open, send, control } = connectTo(await start())
    await control('PUT', 'scenarios', { target: 'listProjects', outcome: 'RATE_LIMITED', times: 1 })
    const receive = async (initialWindowSize: number) => {
      session.settings({ initialWindowSize })
      await once(session, 'localSettings')
    }
    // The server can send the headers, but no byte of the body.
    await receive(0)
    const cancelled = open('GET', '/v1/projects', asOwner).end()
    await once(cancelled, 'response')
    cancelled.close(constants.NGHTTP2_CANCEL)
    await receive(65_535)
    const statuses = [await send('GET', '/v1/projects', asOwner), await send('GET', '/v1/projects', asOwner)]
    expect(statuses.map(({ status }) => status)).toEqual([429, 200])
    const log: { aborted?: boolean }[] = await control('GET', 'log')
    expect(log.map(({ aborted }) => aborted)).toEqual([true, undefined, undefined])
  })

  it('leaves a request open until the client gives up, and logs that', async () => {
    const { open, send, control } = connectTo(await start())
    const log = open('GET', '/__dev/log/follow?since=0').end()
    await once(log, 'response')
    await control('PUT', 'scenarios', { target: 'getSession', outcome: 'hang', times: 1 })
    const hanging = open('GET', '/v1/auth/me', asOwner).end()
    const answered = vi.fn()
    hanging.on('response', answered)
    await readUntil(log, 'scenario getSession hang, next request')
    hanging.close()
    await once(hanging, 'close')
    expect(answered).not.toHaveBeenCalled()

    await control('PUT', 'delay', { ms: 60_000, target: 'listProjects' })
    const slow = open('GET', '/v1/projects', asOwner).end()
    const left = readUntil(log, 'the client gave up')
    // The response arrives after the first request.
    expect((await send('GET', '/v1/auth/me', asOwner)).status).toBe(200)
    slow.close()
    await left
  })

  it('reports no error if a client disconnects while sending its body', async () => {
    const { open, send } = connectTo(await start())
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => errors.mockRestore())
    const stream = open('POST', '/v1/projects', { ...asOwner, ...json, 'content-length': 100 })
    stream.write('{"name":')
    expect((await send('GET', '/v1/projects', asOwner)).status).toBe(200)
    stream.close(8)
    await once(stream, 'close')
    expect((await send('GET', '/v1/projects', asOwner)).status).toBe(200)
    expect(errors).not.toHaveBeenCalled()
  })
})

it('answers HTTP/1.1 on the same port, as Vite does, also with https', async () => {
  const url = await startVite()
  const sent = requestHttps(`${url}/v1/projects`, { ...tlsClient, headers: asOwner }).end()
  const [response] = await once(sent, 'response')
  expect([response.httpVersion, response.statusCode]).toEqual(['1.1', 200])
  expect(await text(response)).toContain('"projects"')
})

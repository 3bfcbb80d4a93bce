import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { connectToMock } from '../../../src/mock/control.js'
import { HandlersError } from '../../../src/mock/handlers/handlers-error.js'
import { openHandlersFile } from '../../../src/mock/handlers/handlers-file.js'
import { startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'
import { emptyFolder } from '../../cli/cli-process.js'
import { withModules } from '../with-modules.js'

const handlersText = `
import { http, HttpResponse, passthrough } from 'msw'
import { invoice } from './invoice'
type Echo = { request: Request }
export const handlers = [
  http.get('/api/invoices', ({ cookies }) => HttpResponse.json(
    { invoice, session: cookies.session },
    { headers: { 'access-control-expose-headers': 'x-total', 'x-total': '1' } },
  )),
  http.post('*/api/echo', async ({ request }: Echo) => HttpResponse.arrayBuffer(await request.arrayBuffer())),
  http.get('/api/cookies', () => {
    const response = HttpResponse.text('set')
    response.headers.append('set-cookie', 'a=1')
    response.headers.append('set-cookie', 'b=2')
    return response
  }),
  http.get('/v1/projects', ({ request }) =>
    new URL(request.url).searchParams.has('own') ? HttpResponse.json('own') : undefined),
  http.get('/v1/auth/me', () => passthrough()),
  http.get('/api/nothing', () => passthrough()),
  http.get('/api/throws', () => { throw new Error('thrown on purpose') }),
]
`

async function start(text = handlersText, tsconfig?: string) {
  const folder = withModules(emptyFolder())
  mkdirSync(join(folder, 'mocks'))
  if (tsconfig !== undefined) writeFileSync(join(folder, 'tsconfig.json'), tsconfig)
  const file = join(folder, 'mocks/handlers.ts')
  const write = (invoice: string) => writeFileSync(join(folder, 'mocks/invoice.ts'), invoice)
  write('export const invoice: string = "first"')
  writeFileSync(file, text)
  const reloads: (string | undefined)[] = []
  const errors: unknown[] = []
  const { url, mock, close } = await startDevServer({
    fixtures: parseState(demo),
    port: 0,
    handlers: file,
    onHandlers: (error) => reloads.push(error?.message),
    onError: (error) => errors.push(error),
  })
  onTestFinished(close)
  const get = (path: string, init?: RequestInit) =>
    fetch(url + path, { ...init, headers: { cookie: 'session=acme-owner', ...init?.headers } })
  return { get, write, file, reloads, errors, url, log: mock.controls.log }
}

const firstOf = (handlers: unknown) => (handlers as { info: { header: string } }[])[0]?.info.header

const until = (condition: () => boolean) => expect.poll(condition).toBe(true)

describe('a file of handlers of a dev server', () => {
  it('imports by the paths of the tsconfig.json above it', async () => {
    const text = handlersText.replace("'./invoice'", "'@/invoice'")
    const paths = '{ "compilerOptions": { "paths": { "@/*": ["./mocks/*"] } } } // with a comment'
    const { get, write } = await start(text, paths)
    expect(await (await get('/api/invoices')).json()).toMatchObject({ invoice: 'first' })
    write('export const invoice: string = "second"')
    const invoice = async () => (await (await get('/api/invoices')).json()).invoice
    await expect.poll(invoice).toBe('second')
  })

  it('is loaded beside a tsconfig.json that extends a missing file', async () => {
    const { get } = await start(handlersText, '{ "extends": "./.generated/tsconfig.json" }')
    expect((await get('/api/invoices')).status).toBe(200)
  })

  it('answers first, with relative paths and cookies; the mock answers the other requests', async () => {
    const { get } = await start()
    expect(await (await get('/api/invoices')).json()).toEqual({ invoice: 'first', session: 'acme-owner' })
    expect(await (await get('/v1/projects?own')).json()).toBe('own')
    expect((await (await get('/v1/projects')).json()).projects).toHaveLength(4)
    expect((await (await get('/v1/auth/me')).json()).user.email).toBe('ada@acme.example')
    expect((await get('/api/nothing')).status).toBe(404)
    expect((await get('/api/other')).status).toBe(404)
  })

  it('is in the log of each space, and accepts forced outcomes, a delay and custom responses', async () => {
    const { get, log, url } = await start()
    await get('/api/invoices?page=2')
    expect((await get('/api/orders/7', { headers: { 'x-requested-with': 'fetch' } })).status).toBe(404)
    const unknown = await (await get('/api/nothing')).text()
    expect((await log.entry(3)).response?.body?.text).toBe(unknown)
    for (const id of [2, 3]) expect(await log.send(id)).toMatchObject({ status: 404, why: 'no handler' })
    expect(
      (await log.read()).map(({ target, kind, status, session }) => [target, kind, status, session]),
    ).toEqual([
      ['GET /api/invoices', 'handler', 200, 'acme-owner'],
      ['GET /api/orders/:id', 'unanswered', 404, 'acme-owner'],
      ['GET /api/nothing', 'unanswered', 404, 'acme-owner'],
      ['GET /api/orders/:id', 'unanswered', 404, 'acme-owner'],
      ['GET /api/nothing', 'unanswered', 404, 'acme-owner'],
    ])
    const remote = connectToMock(url)
    await remote.scenarios.set({ target: 'GET /api/invoices', outcome: 503, times: null })
    await remote.scenarios.set({
      target: 'GET /api/orders/:id',
      response: { body: { order: 1 } },
      times: null,
    })
    expect((await get('/api/invoices')).status).toBe(503)
    expect(await (await get('/api/orders/8')).json()).toEqual({ order: 1 })
    expect((await get('/api/invoices', { headers: { 'x-mock-space': 'other' } })).status).toBe(200)
    const targets = await remote.targets.list()
    expect(targets.filter(({ target }) => target === 'GET /api/nothing')).toHaveLength(1)
    expect((await remote.targets.export()).text).toContain("http.get('*/api/orders/:id'")
    await remote.scenarios.set({ target: 'GET /api/orders/:id', outcome: 'drop', times: null })
    await expect(get('/api/orders/9')).rejects.toThrow()
    await remote.scenarios.clear()
    const dropped = (await remote.log.read()).at(-1)
    expect(dropped).toMatchObject({ status: 0 })
    expect(await remote.log.send(dropped?.id ?? 0)).toMatchObject({ status: 404, why: 'no handler' })
  })

  it.each(['text/plain', 'application/zip'])(
    'streams what a handler streams, with its length: %s',
    async (type) => {
      const { get, log } = await start(`
import { http, HttpResponse } from 'msw'
export const handlers = [http.get('/api/stream', () => new HttpResponse(new ReadableStream({
  start(controller) { controller.enqueue(new TextEncoder().encode('first')) },
}), { headers: { 'content-type': '${type}', 'content-length': '10' } }))]`)
      const controller = new AbortController()
      const { body } = await get('/api/stream', { signal: controller.signal })
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      expect(new TextDecoder().decode((await reader.read()).value)).toBe('first')
      controller.abort()
      const stored = type === 'text/plain' ? { length: 5, text: 'first' } : { length: 10 }
      expect((await log.entry(1)).response?.body).toEqual(stored)
    },
  )

  it('forwards a response that a handler has fetched, and any status with its text', async () => {
    const origin = createServer((request, response) => {
      response.setHeader('content-encoding', 'gzip').setHeader('content-type', 'application/json')
      const body = gzipSync('{"from":"elsewhere"}')
      // Without a length, as proxies send what they compress.
      if (request.url === '/chunked') response.write(body)
      response.end(request.url === '/chunked' ? undefined : body)
    })
    await new Promise<void>((listening) => origin.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void origin.close())
    const { get } = await start(`
import { gzipSync } from 'node:zlib'
import { http, HttpResponse } from 'msw'
const origin = 'http://127.0.0.1:${(origin.address() as AddressInfo).port}'
const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
export const handlers = [
  http.get('/api/fetched', () => fetch(origin)),
  http.get('/api/chunked', () => fetch(origin + '/chunked')),
  http.get('/api/copied', async () => {
    const { body, headers } = await fetch(origin + '/chunked')
    return new HttpResponse(body, { headers })
  }),
  http.get('/api/patched', async () => {
    const response = await fetch(origin)
    return HttpResponse.json(await response.json(), response)
  }),
  http.get('/api/encoded', () => HttpResponse.arrayBuffer(new Uint8Array(gzipSync('{"from":"elsewhere"}')).buffer, { headers })),
  http.get('/api/labelled', () => HttpResponse.json({ from: 'elsewhere' }, { headers: { 'content-encoding': 'br' } })),
  http.get('/api/status', () => new HttpResponse('odd', { status: 999, statusText: 'Odd', headers: { 'content-length': '9' } })),
]`)
    for (const path of ['fetched', 'chunked', 'copied', 'patched', 'encoded', 'labelled'])
      expect(await (await get(`/api/${path}`)).json(), path).toEqual({ from: 'elsewhere' })
    const odd = await get('/api/status')
    expect([odd.status, odd.statusText, await odd.text()]).toEqual([999, 'Odd', 'odd'])
  })

  it('may have server-sent events and WebSockets, which Node does not support', async () => {
    const printed = vi.spyOn(console, 'log')
    onTestFinished(() => void printed.mockRestore())
    const { get } = await start(`
import { sse, ws } from 'msw'
export const handlers = [
  ws.link('ws://chat.test').addEventListener('connection', () => {}),
  sse('/api/events', ({ client }) => {
    client.send({ id: '1', data: 'first' })
    client.close()
  }),
]`)
    const events = await get('/api/events', { headers: { accept: 'text/event-stream' } })
    expect(events.headers.get('content-type')).toBe('text/event-stream')
    expect(await events.text()).toBe('id:1\ndata:first\n\n')
    expect(printed).not.toHaveBeenCalled()
  })

  it('receives bodies larger than those of the interface, and answers with bytes and several cookies', async () => {
    const { get } = await start()
    const body = Uint8Array.from({ length: 100_000 }, (_, i) => i % 256)
    const echo = await get('/api/echo', { method: 'POST', body })
    expect(new Uint8Array(await echo.arrayBuffer())).toEqual(body)
    const cookies = await get('/api/cookies')
    expect(cookies.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(cookies.headers.get('content-security-policy')).toBeNull()
  })

  it('receives bodies up to 64 MiB; beyond, the client gets 413 with an explanation', async () => {
    const { get, errors } = await start(`
import { http, HttpResponse } from 'msw'
export default [http.post('/api/size', async ({ request }) => HttpResponse.text(String((await request.arrayBuffer()).byteLength)))]`)
    const send = (bytes: number) => get('/api/size', { method: 'POST', body: new Uint8Array(bytes) })
    const limit = 64 * 1024 * 1024
    expect(await (await send(limit)).text()).toBe(String(limit))
    const refused = await send(limit + 1)
    expect([refused.status, (await refused.json()).error]).toEqual([
      413,
      expect.stringContaining('longer than 64 MiB'),
    ])
    expect(errors).toEqual([])
  })

  it('lets pages of other origins send any method, and read its responses', async () => {
    const { get } = await start()
    const origin = 'http://localhost:5173'
    const response = await get('/api/invoices', { headers: { origin } })
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-expose-headers')).toMatch(/^x-total, allow, /)
    const preflight = { origin, 'access-control-request-method': 'DELETE' }
    const { headers } = await get('/api/invoices/7', { method: 'OPTIONS', headers: preflight })
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain('DELETE')
  })

  it('answers 500 if a handler throws, also to pages of other origins, logs that, and reports the error', async () => {
    const { get, errors, log } = await start()
    const origin = 'http://localhost:5173'
    const response = await get('/api/throws', { headers: { origin } })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([500, origin])
    expect(await response.json()).toMatchObject({ code: 'INTERNAL_ERROR' })
    expect(errors).toEqual([expect.objectContaining({ message: 'thrown on purpose' })])
    expect(await log.read()).toMatchObject([
      {
        target: 'GET /api/throws',
        status: 500,
        why: expect.stringMatching(/^the handler threw: Error: thrown on purpose \(handlers\.ts:\d+\)$/),
      },
    ])
  })

  it('is reloaded when an imported module changes, and stays if that is invalid', async () => {
    const { get, write, reloads } = await start()
    const invoice = async () => (await (await get('/api/invoices')).json()).invoice
    write('export const invoice: string = "second"')
    await until(() => reloads.length === 1)
    expect(await invoice()).toBe('second')
    write('export const invoice: string = ')
    await until(() => reloads.length === 2)
    expect(await invoice()).toBe('second')
    write('export const invoice: string = "third"')
    await until(() => reloads.length === 3)
    expect(await invoice()).toBe('third')
    expect(reloads).toEqual([undefined, expect.stringContaining('invoice.ts'), undefined])
  })

  it('is reloaded when an editor saves it by renaming another file', async () => {
    const { get, file, reloads } = await start()
    writeFileSync(`${file}~`, "import { http } from 'msw'\nexport default []")
    renameSync(`${file}~`, file)
    await until(() => reloads.length === 1)
    expect((await get('/api/invoices')).status).toBe(404)
    expect(reloads).toEqual([undefined])
  })

  it('is reloaded after its folder was replaced, as by another branch', async () => {
    const { get, file, reloads, write } = await start()
    rmSync(join(file, '..'), { recursive: true })
    // Long enough for the mock to look for the file; no event tells of that.
    await setTimeout(300)
    mkdirSync(join(file, '..'))
    writeFileSync(file, handlersText)
    write('export const invoice: string = "replaced"')
    await until(() => reloads.includes(undefined))
    const invoice = async () => (await (await get('/api/invoices')).json()).invoice
    await expect.poll(invoice).toBe('replaced')
    write('export const invoice: string = "edited"')
    await expect.poll(invoice).toBe('edited')
  })

  /** A file whose second version is being loaded until `finish` is called. */
  async function loadSlowly() {
    const file = join(withModules(emptyFolder()), 'handlers.ts')
    const loading = { began: false, finish: () => {} }
    const finished = new Promise<void>((resolve) => {
      loading.finish = resolve
    })
    Object.assign(globalThis, { slowHandlers: { loading, finished } })
    const write = (name: string, before = '') =>
      writeFileSync(
        file,
        `import { http } from 'msw'\n${before}\nexport default [http.get('/${name}', () => {})]`,
      )
    write('first')
    const { handlers, close } = await openHandlersFile(file)
    onTestFinished(close)
    const name = () => firstOf(handlers())
    write('second', 'globalThis.slowHandlers.loading.began = true\nawait globalThis.slowHandlers.finished')
    await until(() => loading.began)
    return { loading, write, name, close }
  }

  it('is reloaded when it is saved while it is being loaded', async () => {
    const { loading, write, name } = await loadSlowly()
    write('third')
    loading.finish()
    await until(() => name() === 'GET /third')
    expect(name()).toBe('GET /third')
  })

  it('is no longer watched if it is closed while it is being loaded', async () => {
    const watchers = async () => {
      // A closed watcher ends with the next event-loop turn.
      for (let i = 0; i < 2; i += 1) await new Promise(setImmediate)
      return process.getActiveResourcesInfo().filter((name) => name === 'StatWatcher').length
    }
    const before = await watchers()
    const { loading, name, close } = await loadSlowly()
    expect(await watchers()).toBeGreaterThan(before)
    close()
    loading.finish()
    await until(() => name() === 'GET /second')
    expect(await watchers()).toBe(before)
  })

  const esm = (name: string) => `export const name = '${name}'`
  const commonJs = (name: string) => `exports.name = '${name}'`
  const importsPart = (part: string) =>
    `import { http } from 'msw'\nimport { name } from './${part}'\nexport default [http.get('/' + name, () => {})]`
  const requiresPart = (part: string) =>
    `const { http } = require('msw')\nconst { name } = require('./${part}')\nmodule.exports = { handlers: [http.get('/' + name, () => {})] }`

  it.each([
    ['handlers.mjs', 'part.mjs', importsPart, esm, {}],
    ['handlers.js', 'part.js', importsPart, esm, { type: 'module' }],
    ['handlers.js', 'part.cjs', importsPart, commonJs, { type: 'module' }],
    ['handlers.js', 'part.js', requiresPart, commonJs, {}],
    ['handlers.cjs', 'part.cjs', requiresPart, commonJs, { type: 'module' }],
    ['handlers.ts', 'part.mjs', importsPart, esm, {}],
    ['handlers.ts', 'part.cjs', importsPart, commonJs, { type: 'module' }],
  ])('reloads %s when the imported %s changes', async (name, part, text, partText, manifest) => {
    const folder = withModules(emptyFolder())
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, part), partText('first'))
    writeFileSync(join(folder, name), text(part))
    const reloads: (string | undefined)[] = []
    const opened = await openHandlersFile(join(folder, name), (error) => reloads.push(error?.message))
    onTestFinished(opened.close)
    expect(firstOf(opened.handlers())).toBe('GET /first')
    writeFileSync(join(folder, part), partText('second'))
    await until(() => reloads.length > 0)
    expect([reloads, firstOf(opened.handlers())]).toEqual([[undefined], 'GET /second'])
  })

  it('sets import.meta.url and __dirname for each of its files', async () => {
    const folder = withModules(emptyFolder())
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data/name.txt'), 'read')
    writeFileSync(
      join(folder, 'data/read.ts'),
      `import { readFileSync } from 'node:fs'
      const text = readFileSync(new URL('name.txt', import.meta.url), 'utf8')
      export const name = text + (__dirname === import.meta.dirname)`,
    )
    writeFileSync(join(folder, 'handlers.ts'), importsPart('data/read'))
    const opened = await openHandlersFile(join(folder, 'handlers.ts'))
    onTestFinished(opened.close)
    expect(firstOf(opened.handlers())).toBe('GET /readtrue')
  })

  it('does not reload other modules of the process, but all modules that it imports', async () => {
    const folder = withModules(emptyFolder())
    const [file, other, part] = ['handlers.ts', 'other.cjs', 'part.ts'].map((name) => join(folder, name))
    writeFileSync(other as string, 'module.exports = {}')
    const load = createRequire(import.meta.url)
    const before = load(other as string)
    const open = async (name: string) => {
      writeFileSync(part as string, `export const name = '/${name}'`)
      const opened = await openHandlersFile(file as string)
      onTestFinished(opened.close)
      return firstOf(opened.handlers())
    }
    writeFileSync(
      file as string,
      "import { http } from 'msw'\nimport { name } from './part'\nexport default [http.get(name, () => {})]",
    )
    expect(await open('first')).toBe('GET /first')
    expect(await open('second')).toBe('GET /second')
    expect(load(other as string)).toBe(before)
  })

  it.each([
    ['exports no handlers', 'export const other = []', 'it exports no list of MSW handlers'],
    ['exports something else', 'export default [1]', 'it exports no list of MSW handlers'],
    ['imports a missing package', "import 'no-such-package'\nexport default []", 'no-such-package'],
  ])('keeps the server from starting if it %s', async (_, text, message) => {
    await expect(start(text)).rejects.toThrow(message)
  })

  it('keeps the server from starting if its folder does not exist', async () => {
    const file = join(emptyFolder(), 'none', 'handlers.ts')
    await expect(openHandlersFile(file)).rejects.toThrow(HandlersError)
  })
})

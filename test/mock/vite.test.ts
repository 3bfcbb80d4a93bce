import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { build, createLogger, createServer, type InlineConfig, type Plugin, preview } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ErrorBody } from '../../src/contract/schemas.js'
import { connectToMock } from '../../src/mock/control.js'
import { dashboardApi, type VitePluginOptions } from '../../src/mock/vite.js'
import { emptyFolder } from '../cli/cli-process.js'

import { exchange } from '../conformance/raw-exchange.js'
import { withModules } from './with-modules.js'

const demo = readFileSync(new URL('../../fixtures/demo.json', import.meta.url), 'utf8')
const asOwner = { headers: { cookie: 'session=acme-owner' } }

/** Creates the root folder of a small front end. */
function frontEnd(): string {
  const root = emptyFolder()
  writeFileSync(`${root}/index.html`, '<!doctype html><title>The front end</title><div id="root"></div>')
  return root
}

const config = (root: string, options?: VitePluginOptions): InlineConfig => {
  // Its type is that of Vite.
  const plugin: Plugin = dashboardApi(options)
  return { root, configFile: false, logLevel: 'silent', plugins: [plugin] }
}

const urlOf = (server: unknown) => `http://127.0.0.1:${(server as { address(): AddressInfo }).address().port}`

async function openVite(
  options?: VitePluginOptions,
  root = frontEnd(),
  { server, ...more }: InlineConfig = {},
) {
  const address = { host: '127.0.0.1', port: 0, ...server }
  const vite = await createServer({ ...config(root, options), ...more, server: address })
  onTestFinished(() => vite.close())
  await vite.listen()
  return { vite, url: urlOf(vite.httpServer) }
}
const startVite = async (options?: VitePluginOptions, root?: string) => (await openVite(options, root)).url

/** Serves with a listener until the test ends. */
async function serveWith(listener?: RequestListener): Promise<string> {
  const server = createHttpServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return urlOf(server)
}

describe('dashboard-api/vite', () => {
  it('serves the scripts of its pages below a base', async () => {
    const { url } = await openVite(undefined, frontEnd(), { base: '/app/' })
    const html = await (await fetch(`${url}/app/`, { headers: { accept: 'text/html' } })).text()
    const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path]) => path)
    expect(scripts).toContain('/app/@dashboard-api/page-bridge')
    for (const path of scripts) {
      const { status, headers } = await fetch(url + path)
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/javascript'])
    }
  })

  it("serves the interface on Vite's own port, next to the front end", async () => {
    const url = await startVite()
    expect((await fetch(`${url}/v1/projects`)).status).toBe(401)
    expect(await (await fetch(`${url}/v1/auth/me`, asOwner)).json()).toMatchObject({ devMode: true })
    const created = await fetch(`${url}/v1/projects`, {
      method: 'POST',
      headers: { ...asOwner.headers, 'content-type': 'application/json' },
      body: '{"name":"Roadmap"}',
    })
    expect(created.status).toBe(201)
    expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('The front end')
  })

  it('serves the sign-in page, and the page that docsUrl links to', async () => {
    const url = await startVite()
    expect(await (await fetch(`${url}/auth/sign-in?returnTo=/here`)).text()).toContain('acme-viewer')
    const { docsUrl } = (await (await fetch(`${url}/v1/projects`)).json()) as { docsUrl: string }
    expect(new URL(docsUrl).origin).toBe(url)
    expect(await (await fetch(docsUrl)).text()).toContain('AUTH_REQUIRED')
  })

  it('answers invalid headers and paths as production does', async () => {
    const baseUrl = await startVite()
    const answerTo = async (line: string, ...headers: string[]) => {
      const lines = [`${line} HTTP/1.1`, 'host: 127.0.0.1', 'connection: close', ...headers, '', '']
      const [response] = await exchange({ baseUrl }, lines.join('\r\n'))
      const { code } = ErrorBody.parse(JSON.parse(response?.body ?? ''))
      return [response?.status, code]
    }
    expect(await answerTo('GET /v1/projects', 'host: b')).toEqual([400, 'VALIDATION_FAILED'])
    expect(await answerTo('GET /v1/projects', 'x-mock-space: a b')).toEqual([400, 'VALIDATION_FAILED'])
    expect(await answerTo('GET /v1/./projects')).toEqual([404, 'NOT_FOUND'])
  })

  it('leaves other paths to the application', async () => {
    const url = await startVite()
    for (const path of ['/auth/callback', '/auth/sign-in/help', '/docs', '/openapi.json', '/v10']) {
      const page = await fetch(url + path, { headers: { accept: 'text/html' } })
      expect(await page.text(), path).toContain('The front end')
    }
  })

  it('serves the worker script of the installed MSW, with the type of a script', async () => {
    const root = frontEnd()
    mkdirSync(`${root}/public`)
    writeFileSync(`${root}/public/mockServiceWorker.js`, '// an old copy')
    const url = await startVite({}, root)
    const script = await fetch(`${url}/mockServiceWorker.js?v=1`)
    for (const { headers } of [script, await fetch(`${url}/base/mockServiceWorker.js`)]) {
      expect(headers.get('content-type')).toMatch(/^text\/javascript/)
    }
    const installed = new URL('../../node_modules/msw/lib/mockServiceWorker.js', import.meta.url)
    expect(await script.text()).toBe(readFileSync(installed, 'utf8'))
  })

  it("reads a fixture relative to Vite's root, and starts with the persona", async () => {
    const root = frontEnd()
    writeFileSync(`${root}/state.json`, JSON.stringify({ ...JSON.parse(demo), projects: [] }))
    const url = await startVite({ fixtures: 'state.json', session: 'globex-owner' }, root)
    expect(await (await fetch(`${url}/v1/projects`, asOwner)).json()).toEqual({ projects: [] })
    const active = await fetch(`${url}/v1/auth/me`, { headers: { cookie: 'session=active' } })
    expect(await active.json()).toMatchObject({ organization: { orgCode: 'org_globex' } })
  })

  it.each<[string, VitePluginOptions, RegExp]>([
    ['a fixture that is missing', { fixtures: 'none.json' }, /none\.json:\n.*no such file/],
    [
      'a fixture with a fault',
      { fixtures: 'faulty.json' },
      /faulty\.json:\nline 1, column 26: projects\[0\]\.name: /,
    ],
    [
      'a persona that is unknown',
      { fixtures: 'state.json', session: 'nobody' },
      /state\.json:\nThere is no persona "nobody"/,
    ],
    ['a wrong delay', { delay: 'long' }, /"long" is not a delay/],
    ['a wrong clock', { clock: { at: 'now' } }, /"now" is not a time/],
    ['a file of handlers that is missing', { handlers: 'missing.ts' }, /missing\.ts/],
  ])('keeps Vite from starting with %s', async (_, options, message) => {
    const root = frontEnd()
    writeFileSync(`${root}/state.json`, demo)
    writeFileSync(`${root}/faulty.json`, '{"version":1,"projects":[{"id":"p"}]}')
    await expect(startVite(options, root)).rejects.toThrow(message)
  })

  it('keeps Vite from starting if NODE_ENV is production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(startVite()).rejects.toThrow('dashboard-api/vite does not run where NODE_ENV is production')
  })

  it('answers if Vite is middleware of another server', async () => {
    const vite = await createServer({ ...config(frontEnd()), server: { middlewareMode: true, ws: false } })
    onTestFinished(() => vite.close())
    const url = await serveWith(vite.middlewares)
    const refused = await fetch(`${url}/v1/projects`)
    expect(await refused.json()).toMatchObject({ docsUrl: `${url}/docs/errors/auth-required` })
    expect((await fetch(`http://localhost:${new URL(url).port}/v1/projects`, asOwner)).status).toBe(200)
  })

  it.each([true, false])('watches no file once Vite is closed, as middleware: %s', async (middlewareMode) => {
    const root = withModules(frontEnd())
    writeFileSync(`${root}/state.json`, demo)
    writeFileSync(`${root}/handlers.js`, 'export default []')
    const watchers = () => process.getActiveResourcesInfo().filter((name) => name === 'StatWatcher').length
    const options = { fixtures: 'state.json', handlers: 'handlers.js' }
    const server = { middlewareMode, ws: false as const, watch: null, host: '127.0.0.1', port: 0 }
    const before = watchers()
    const vite = await createServer({ ...config(root, options), server })
    expect(watchers()).toBeGreaterThan(before)
    if (!middlewareMode) {
      await vite.listen()
      await vite.restart()
    }
    await vite.close()
    await expect.poll(watchers).toBeLessThanOrEqual(before)
  })

  it('answers with custom handlers first, and leaves other paths to Vite', async () => {
    const root = withModules(frontEnd())
    writeFileSync(
      `${root}/handlers.js`,
      `import { http, HttpResponse, passthrough } from 'msw'
      export default [
        http.get('/', () => passthrough()),
        http.get('/api/invoices', () => HttpResponse.json(['own'])),
        http.post('/api/invoices', async ({ request }) => HttpResponse.json(await request.json(), { status: 201 })),
      ]`,
    )
    const url = await startVite({ handlers: 'handlers.js', session: 'acme-owner' }, root)
    expect(await (await fetch(`${url}/api/invoices`)).json()).toEqual(['own'])
    const created = await fetch(`${url}/api/invoices`, { method: 'POST', body: '{"id":1}' })
    expect([created.status, await created.json()]).toEqual([201, { id: 1 }])
    expect((await fetch(`${url}/v1/projects`)).status).toBe(200)
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('The front end')

    const { log, scenarios } = connectToMock(url)
    await fetch(`${url}/api/orders/7`)
    expect((await log.read()).at(-1)).toMatchObject({ target: 'GET /api/orders/:id', status: 0 })
    await scenarios.set({ target: 'GET /api/orders/:id', response: { body: { order: 1 } }, times: null })
    expect(await (await fetch(`${url}/api/orders/8`)).json()).toEqual({ order: 1 })
    await scenarios.set({ target: 'GET /api/invoices', outcome: 503, times: null })
    expect((await fetch(`${url}/api/invoices`)).status).toBe(503)
  })

  it('answers paths below /v1/ that the interface lacks with 404, or leaves them to Vite', async () => {
    const unknown = async (url: string) =>
      (await fetch(`${url}/v1/invoices`, { headers: { accept: 'text/html' } })).text()
    expect(await unknown(await startVite())).toContain('NOT_FOUND')
    expect(await unknown(await startVite({ unknown: 'pass' }))).toContain('The front end')
  })

  it('warns once of a page at another name of this machine, to which the browser sends no session cookie', async () => {
    const customLogger = createLogger('silent')
    const warn = vi.spyOn(customLogger, 'warn')
    const { url } = await openVite({}, frontEnd(), { customLogger })
    const headers = { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }
    for (let i = 0; i < 2; i += 1) await fetch(`${url}/v1/projects`, { headers })
    const advice = `the page at http://localhost:5173 and the mock at ${url} are two sites`
    expect(warn.mock.calls.filter(([text]) => text.includes(advice))).toHaveLength(1)
  })

  it('accepts the options of `dev`, reloads fixtures, and keeps its state', async () => {
    const root = frontEnd()
    writeFileSync(`${root}/state.json`, demo)
    const options: VitePluginOptions = {
      fixtures: 'state.json',
      session: 'acme-owner',
      delay: '1-2',
      clock: { at: '2026-01-01T00:00:00Z' },
      seed: 1,
      persist: 'saved.json',
      snapshots: 'snapshots',
    }
    const url = await startVite(options, root)
    const created = await fetch(`${url}/v1/projects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Saved"}',
    })
    expect((await created.json()).project.createdAt).toBe('2026-01-01T00:00:00.000Z')
    const control = (path: string, init?: RequestInit) =>
      fetch(`${url}/__dev/${path}`, { headers: { 'content-type': 'application/json' }, ...init })
    expect((await (await control('delay')).json()).all).toBe('1-2')
    await control('snapshots/save', { method: 'POST', body: '{"name":"one"}' })
    expect(JSON.parse(readFileSync(`${root}/snapshots/one.json`, 'utf8')).projects).toHaveLength(7)
    expect(JSON.parse(readFileSync(`${root}/saved.json`, 'utf8')).projects).toHaveLength(7)

    writeFileSync(`${root}/state.json`, JSON.stringify({ ...JSON.parse(demo), projects: [] }))
    const list = async () => (await (await fetch(`${url}/v1/projects`)).json()).projects
    const saved = () => JSON.parse(readFileSync(`${root}/saved.json`, 'utf8')).projects
    await expect.poll(async () => [await list(), saved()]).toEqual([[], []])
  })

  it('prints the address of its page', async () => {
    const lines: string[] = []
    const customLogger = { ...createLogger('info'), info: (line: string) => void lines.push(line) }
    const { vite: server } = await openVite({}, frontEnd(), { customLogger })
    server.printUrls()
    const [url] = server.resolvedUrls?.local ?? []
    expect(lines.at(-1)).toMatch(new RegExp(`Mock: +${url}__dev/$`))
    expect(await (await fetch(`${url}__dev/`)).text()).toContain('<title>')
  })

  it('serves only the worker script and the workbench of the page with `server: false`', async () => {
    const url = await startVite({ server: false })
    const html = { headers: { accept: 'text/html' } }
    for (const path of ['/', '/v1/projects', '/auth/sign-in', '/__dev/']) {
      const page = await (await fetch(url + path, html)).text()
      expect(page, path).toContain('The front end')
      expect(page, path).not.toContain('<meta name="dashboard-api"')
      expect(page, path).toContain('<meta name="dashboard-api-workbench" content="/__dev/workbench">')
    }
    const workbench = await fetch(`${url}/__dev/workbench`)
    expect(workbench.headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self' http://localhost:*",
    )
    expect(await workbench.text()).toMatch(
      /content="default-src 'none'; script-src 'sha256-[^']+'; connect-src/,
    )
    expect((await fetch(`${url}/mockServiceWorker.js`)).headers.get('content-type')).toMatch(/javascript/)
    const announced = await (await fetch(await startVite(), html)).text()
    expect(announced).toContain('<meta name="dashboard-api" content="mock">')
  })

  it('says that it answers no WebSocket, where handlers have one', async () => {
    const customLogger = createLogger('silent')
    const warn = vi.spyOn(customLogger, 'warn')
    const root = withModules(frontEnd())
    writeFileSync(
      `${root}/handlers.js`,
      `import { ws } from 'msw'
      export const handlers = [ws.link('ws://localhost:5173/chat').addEventListener('connection', () => {})]`,
    )
    const { url } = await openVite({ handlers: 'handlers.js' }, root, { customLogger })
    await fetch(`${url}/v1/projects`)
    expect(warn).toHaveBeenCalledWith(
      expect.stringMatching(/^dashboard-api: .*handlers\.js has WebSocket handlers/),
    )
  })

  it('has no effect on a build, and warns at its preview', async () => {
    const root = frontEnd()
    // The plugin would fail to start with this fixture.
    const options = { fixtures: 'missing.json' }
    await build(config(root, options))
    const customLogger = createLogger('silent')
    const warn = vi.spyOn(customLogger, 'warn')
    const server = await preview({
      ...config(root, options),
      customLogger,
      preview: { host: '127.0.0.1', port: 0 },
    })
    onTestFinished(() => server.close())
    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining('vite preview serves the build without the mock'),
    )
    const url = urlOf(server.httpServer)
    expect(await (await fetch(`${url}/v1/projects`, asOwner)).text()).toContain('The front end')
    expect(await (await fetch(`${url}/mockServiceWorker.js`)).text()).toContain('The front end')
  })
})

/** A server behind Vite, which answers with the request that it received. */
const startBackend = () =>
  serveWith(async (incoming, outgoing) => {
    const body = await text(incoming)
    outgoing.end(`${incoming.method} ${body.length} ${body.slice(0, 20)}`)
  })

describe('bodies behind dashboard-api/vite', () => {
  const json = { ...asOwner.headers, 'content-type': 'application/json' }
  const handlers = `
import { graphql, http, HttpResponse } from 'msw'
export default [
  graphql.query('GetUser', () => HttpResponse.json({ data: { user: 1 } })),
  http.post('/api/left', async ({ request }) => { await request.text() }),
  http.post('/api/size', async ({ request }) => HttpResponse.text(String((await request.text()).length))),
]`

  it.each(['POST', 'PUT', 'DELETE'])(
    'of a %s that the mock leaves reach the proxy completely',
    async (method) => {
      const proxy = await startBackend()
      const root = withModules(frontEnd())
      writeFileSync(`${root}/handlers.ts`, handlers)
      const { url } = await openVite({ proxy, handlers: 'handlers.ts' }, root, {
        server: { proxy: { '/api/': proxy, '/graphql': proxy } },
      })
      const send = async (path: string, body: string) =>
        (await fetch(url + path, { method, headers: json, body })).text()
      for (const path of ['/v1/other', '/api/other', '/api/left', '/graphql']) {
        expect(await send(path, '{"a":1}')).toBe(`${method} 7 {"a":1}`)
        const large = 'x'.repeat(3_000_000)
        expect(await send(path, large)).toBe(`${method} 3000000 ${large.slice(0, 20)}`)
        expect(await send(path, '')).toBe(`${method} 0 `)
      }
      if (method !== 'POST') return
      expect(await (await fetch(`${url}/v1/other?a=b`)).text()).toBe('GET 0 ')
      expect((await fetch(`${url}/v1/projects`)).status).toBe(401)
      expect((await fetch(`${url}/v1/projects`, { method: 'DELETE' })).status).toBe(405)
      expect(await send('/graphql', '{"query":"query GetUser { user }"}')).toBe('{"data":{"user":1}}')
      expect(await send('/graphql', '{"query":"query Other { user }"}')).toContain('POST 32')
      expect(await send('/api/size', 'x'.repeat(1_000_000))).toBe('1000000')
    },
  )

  /** Vite as a middleware behind another one that has read the body, as express.json() does. */
  async function startBehind(
    parse: (body: string) => unknown,
    root = frontEnd(),
    options: VitePluginOptions = {},
  ): Promise<string> {
    const server = { middlewareMode: true, hmr: false, ws: false } as const
    const vite = await createServer({ ...config(root, options), server })
    onTestFinished(() => vite.close())
    return serveWith(async (incoming, outgoing) => {
      Object.assign(incoming, { body: parse(await text(incoming)) })
      vite.middlewares(incoming, outgoing)
    })
  }
  const create = (url: string) =>
    fetch(`${url}/v1/projects`, { method: 'POST', headers: json, body: '{"name":"Parsed before"}' })

  it('that a middleware has read are taken from request.body', async () => {
    const url = await startBehind((body) => body && JSON.parse(body))
    const created = await create(url)
    expect([created.status, (await created.json()).project.name]).toEqual([201, 'Parsed before'])
    expect((await fetch(`${url}/v1/projects`, asOwner)).status).toBe(200)
  })

  it('that a middleware has read as a form are taken, a name that was sent again too', async () => {
    const root = withModules(frontEnd())
    writeFileSync(
      `${root}/handlers.ts`,
      `import { http, HttpResponse } from 'msw'
export default [http.post('/api/echo', async ({ request }) => HttpResponse.text(await request.text()))]`,
    )
    const url = await startBehind(() => ({ a: '1', b: ['2', '3'] }), root, { handlers: 'handlers.ts' })
    const response = await fetch(`${url}/api/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=1&b=2&b=3',
    })
    expect(await response.text()).toBe('a=1&b=2&b=3')
  })

  it('that a middleware has read and dropped are refused with an explanation', async () => {
    const refused = await create(await startBehind(() => undefined))
    expect(refused.status).toBe(500)
    expect((await refused.json()).error).toMatch(
      /^Another middleware has read the body .* Put the mock before that middleware\.$/,
    )
  })
})

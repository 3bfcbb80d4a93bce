import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getResponse } from 'msw'
import type { Browser, Page } from 'playwright-core'
import { type Plugin, rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMock } from '../../src/mock/create-mock.js'
import { launchBrowser } from '../../test/browser/launch.js'

const run = promisify(execFile)
const devtools = 'chrome-devtools-frontend@1.0.1705227'
const baseUrl = 'http://har.test'

// Imports a file as the Network panel does (NetworkLogView.onLoadFromFile), up to the list of requests.
const entry = `
import { HARRoot } from './node_modules/chrome-devtools-frontend/front_end/models/har/HARFormat.ts'
import { Importer } from './node_modules/chrome-devtools-frontend/front_end/models/har/Importer.ts'

globalThis.importHar = async (text) => {
  const requests = Importer.requestsFromHARLog(new HARRoot(JSON.parse(text)).log)
  return Promise.all(requests.map(async (request) => ({
    url: request.url(),
    method: request.requestMethod,
    type: request.resourceType().name(),
    status: request.statusCode,
    mimeType: request.mimeType,
    requestHeaders: Object.fromEntries(request.requestHeaders().map(({ name, value }) => [name, value])),
    responseHeaders: Object.fromEntries(request.responseHeaders.map(({ name, value }) => [name, value])),
    sent: await request.requestFormData(),
    received: (await request.requestContentData()).text,
    start: request.startTime,
    duration: request.duration,
  })))
}`

/** The build of the developer tools generates this module. */
const locales = `export const LOCALES = ['en-US'], BUNDLED_LOCALES = LOCALES, DEFAULT_LOCALE = 'en-US'
export const REMOTE_FETCH_PATTERN = '', LOCAL_FETCH_PATTERN = ''`
const generated: Plugin = {
  name: 'generated-modules',
  resolveId: (id) => (id.endsWith('/locales.js') ? '\0locales' : undefined),
  load: (id) => (id === '\0locales' ? locales : undefined),
}

type Imported = {
  url: string
  type: string
  method: string
  status: number
  mimeType: string
  requestHeaders: Record<string, string>
  responseHeaders: Record<string, string>
  sent: string | null
  received: string
  start: number
  duration: number
}

describe(`the log as an HTTP Archive, imported in Chromium by ${devtools}`, () => {
  let folder: string
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-api-devtools-'))
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    await run(
      'npm',
      ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', devtools],
      {
        cwd: folder,
      },
    )
    await writeFile(join(folder, 'entry.js'), entry)
    const bundle = await rolldown({
      cwd: folder,
      input: 'entry.js',
      platform: 'browser',
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      plugins: [generated],
      // The module for Node is never loaded.
      external: /^node:/,
      onLog: () => {},
    })
    await bundle.write({ dir: join(folder, 'out') })
    browser = await launchBrowser()
    page = await browser.newPage()
    await page.route('http://devtools.test/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
      const body = await readFile(join(folder, 'out', pathname))
      return route.fulfill({ contentType: 'text/javascript', body })
    })
    await page.goto('http://devtools.test/')
    await page.addScriptTag({
      type: 'module',
      content: "await import('/entry.js'); globalThis.isReady = true",
    })
    await page.waitForFunction(() => Reflect.get(globalThis, 'isReady'))
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const importHar = (text: string): Promise<Imported[]> =>
    page.evaluate((har) => Reflect.get(globalThis, 'importHar')(har), text)

  it('has every request with method, address, status, headers, bodies and times', async () => {
    const mock = createMock({ baseUrl, session: 'acme-owner' })
    expect(await importHar(JSON.stringify(await mock.log.har()))).toEqual([])
    const send = (path: string, init?: RequestInit) =>
      getResponse(mock.handlers, new Request(baseUrl + path, init))
    const headers = { 'content-type': 'application/json', authorization: 'secret' }
    const body = JSON.stringify({ name: 'Äpfel \u{1f34e} <script> 日本語' })
    await send('/v1/projects', { method: 'POST', headers, body })
    await send('/v1/projects', { method: 'POST', headers, body: '{"name":""}' })
    await send('/v1/projects?a=b')
    await send('/v1/projects', { method: 'HEAD' })
    await mock.scenarios.set({ target: 'listProjects', outcome: 'drop', times: 1 })
    await send('/v1/projects')
    await mock.scenarios.set({
      target: 'listProjects',
      response: { status: 502, text: '<h1>', unchecked: true },
      times: null,
    })
    await send('/v1/projects')
    await mock.chaos.set({ errorRate: 1, outcomes: ['SERVICE_UNAVAILABLE'], delay: 20 })
    await send('/v1/auth/me')

    const details = await Promise.all((await mock.log.read()).map(({ id }) => mock.log.entry(id)))
    const imported = await importHar(JSON.stringify(await mock.log.har()))
    expect(imported).toHaveLength(7)
    // The panel shows requests in the order in which they were sent.
    for (const [i, request] of imported.entries()) {
      const logged = details[i]
      expect(request).toMatchObject({
        url: logged?.request.url,
        method: logged?.method,
        status: logged?.status,
        requestHeaders: logged?.request.headers,
        responseHeaders: logged?.response?.headers ?? {},
        sent: logged?.request.body?.text ?? null,
      })
      if (logged?.method !== 'HEAD') expect(request.received ?? '').toBe(logged?.response?.body?.text ?? '')
      expect(request.duration * 1000).toBeCloseTo(logged?.ms ?? -1, 3)
      expect((request.start + request.duration) * 1000).toBeCloseTo(Date.parse(logged?.time ?? ''), -1)
    }
    expect(imported.map(({ status }) => status)).toEqual([201, 422, 200, 200, 0, 502, 503])
    expect(imported[0]).toMatchObject({
      sent: body,
      mimeType: 'application/json; charset=utf-8',
      type: 'fetch',
      received: expect.stringContaining('🍎'),
    })
    expect(JSON.stringify(imported)).not.toContain('secret')
  })
})

import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { type DevServerOptions, startDevServer } from '../../src/mock/http/dev-server.js'
import { parseState } from '../../src/store/state-file.js'
import { launchBrowser } from '../browser/launch.js'

// The sign-in page of the mock, at other names and behind proxies. Over http, browsers send Sec-Fetch-Site only to names of
// localhost.

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser(['app.test', 'www.app.test', 'mock.test'])
})
afterAll(() => browser?.close())

async function openPage(): Promise<Page> {
  const context = await browser.newContext()
  context.setDefaultTimeout(60_000)
  onTestFinished(() => context.close())
  return context.newPage()
}

async function startMock(options: Partial<DevServerOptions> = {}) {
  const mock = await startDevServer({
    fixtures: parseState(fixture),
    port: 0,
    hosts: ['mock.test'],
    ...options,
  })
  onTestFinished(() => mock.close())
  return { ...mock, port: Number(new URL(mock.url).port) }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

/** Serves an application: `/there` redirects to its other name. */
const startApplication = async () => {
  const server = createServer((incoming, response) => {
    if (incoming.url === '/there')
      response.writeHead(302, { location: `http://www.app.test:${port}/arrived` })
    else response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>The application</title>')
  })
  const port = await listen(server)
  return port
}

const choose = (page: Page) => page.getByRole('button', { name: /^acme-viewer/ }).click()

describe('the sign-in page of the mock', () => {
  test('returns to an allowed origin after redirects, at a name that is not of this machine', async () => {
    const app = await startApplication()
    const { port } = await startMock({ allowedOrigins: [`http://app.test:${app}`] })
    const page = await openPage()
    for (const [to, arrives] of [
      [`http://app.test:${app}/`, `http://app.test:${app}/`],
      [`http://app.test:${app}/there`, `http://www.app.test:${app}/arrived`],
    ] as const) {
      await page.goto(`http://mock.test:${port}/auth/sign-in?returnTo=${encodeURIComponent(to)}`)
      await choose(page)
      await page.waitForURL(arrives)
    }
    expect(await page.context().cookies(`http://mock.test:${port}`)).toContainEqual(
      expect.objectContaining({ name: 'session', value: 'acme-viewer' }),
    )
  })

  test('returns to another port of the name that was requested', async () => {
    const app = await startApplication()
    const { port } = await startMock()
    const page = await openPage()
    const to = `http://mock.test:${app}/`
    await page.goto(`http://mock.test:${port}/auth/sign-in?returnTo=${encodeURIComponent(to)}`)
    await choose(page)
    await page.waitForURL(to)
    // The mock accepts requests of that page: 403 is the missing permission of the persona.
    const status = await page.evaluate(async (url) => {
      const init = { method: 'POST', credentials: 'include', body: '{}' } as const
      const headers = { 'content-type': 'application/json' }
      return (await fetch(url, { ...init, headers })).status
    }, `http://mock.test:${port}/v1/projects`)
    expect(status).toBe(403)
  })

  test.each([{}, { 'referrer-policy': 'no-referrer' }])(
    'works behind a proxy that strips a prefix and sets headers: %j',
    async (headers) => {
      const mock = await startMock({ hosts: ['app.test'] })
      const proxy = createServer((incoming, response) => {
        const { url = '', method } = incoming
        if (!url.startsWith('/api/')) return void response.end('The application')
        const to = { port: mock.port, path: url.slice('/api'.length), method, headers: incoming.headers }
        const sent = request({ host: '127.0.0.1', ...to }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...headers })
          answer.pipe(response)
        })
        incoming.pipe(sent)
      })
      const site = `http://app.test:${await listen(proxy)}`
      const page = await openPage()
      await page.goto(`${site}/api/auth/sign-in?returnTo=${encodeURIComponent('/shop?tab=a')}`)
      await choose(page)
      await page.waitForURL(`${site}/shop?tab=a`)
      const me = await page.evaluate(async () => (await fetch('/api/v1/auth/me')).json())
      expect(me).toMatchObject({ user: { email: 'vera@acme.example' } })
    },
  )

  test('is shown in a frame of a page of this machine', async () => {
    const { url } = await startMock()
    const frame = `<!doctype html><iframe src="${url}/auth/sign-in?returnTo=/docs"></iframe>`
    const preview = createServer((_, response) => response.setHeader('content-type', 'text/html').end(frame))
    const page = await openPage()
    await page.goto(`http://localhost:${await listen(preview)}/`)
    await page.frameLocator('iframe').getByRole('button', { name: 'acme-viewer' }).click()
    await page.frameLocator('iframe').locator('h2').first().waitFor()
    expect(await page.context().cookies()).toContainEqual(expect.objectContaining({ value: 'acme-viewer' }))
  })

  test('is not a form for pages of other sites', async () => {
    const { url } = await startMock()
    const post = (headers: Record<string, string>) =>
      fetch(`${url}/auth/sign-in`, {
        method: 'POST',
        body: 'session=acme-owner',
        headers,
        redirect: 'manual',
      })
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ origin: 'null' })).status).toBe(303)
  })
})

import { readFileSync } from 'node:fs'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createServer, type Plugin } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { type DevServerOptions, startDevServer } from '../../src/mock/http/dev-server.js'
import { dashboardApi } from '../../src/mock/vite.js'
import { parseState } from '../../src/store/state-file.js'
import { launchBrowser } from '../browser/launch.js'
import { type MockSite, serveMockSite } from '../browser/mock-site.js'
import { certify } from '../cli/certify.js'
import { emptyFolder } from '../cli/cli-process.js'
import { openShadowRoots } from './open-shadow-roots.js'

// Pages whose mock is a server: with policies, at a name of the LAN, in a frame of another site, at another name than the mock.

let browser: Browser
let site: MockSite
let app: Buffer

beforeAll(async () => {
  browser = await launchBrowser(['mock.lan', 'app.localhost'])
  site = await serveMockSite()
  app = Buffer.from(await (await fetch(`${site.url}/app.js`)).arrayBuffer())
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

async function startDev(options: Partial<DevServerOptions> = {}) {
  const dev = await startDevServer({
    fixtures: parseState(fixture),
    port: 0,
    hosts: ['mock.lan'],
    ...options,
  })
  onTestFinished(dev.close)
  const lastReason = async () => (await dev.mock.controls.log.read()).at(-1)?.why
  return { ...dev, port: new URL(dev.url).port, lastReason }
}

/** Serves an application with the launcher at /app/, and leaves other requests to `next`. */
const application =
  (policy?: string) =>
  ({ url = '' }: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const files: Record<string, [type: string, content: string | Buffer]> = {
      '/app/': [
        'text/html',
        '<!doctype html><title>App</title><script type="module" src="/start.js"></script>',
      ],
      '/start.js': [
        'text/javascript',
        "import { connectToMock, mockPanel } from '/app.js'; mockPanel(connectToMock(location.origin))",
      ],
      '/app.js': ['text/javascript', app],
    }
    const [type, content] = files[url] ?? []
    if (type === undefined) {
      next()
      return
    }
    if (policy) response.setHeader('content-security-policy', policy)
    response.setHeader('content-type', type).end(content)
  }

/** Serves the application, which passes other requests on to `dev`. */
async function startBesideDev(policy?: string): Promise<string> {
  const { port } = await startDev()
  const serve = application(policy)
  return listen(
    createHttpServer((incoming, response) =>
      serve(incoming, response, () => {
        const { method, url: path, headers } = incoming
        const sent = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.headers)
          answer.pipe(response)
        })
        sent.on('error', () => response.destroy())
        response.on('close', () => sent.destroy())
        incoming.pipe(sent)
      }),
    ),
  )
}

async function startVite(policy?: string): Promise<string> {
  const site: Plugin = {
    name: 'application',
    configureServer({ middlewares }) {
      middlewares.use(application(policy))
    },
  }
  const vite = await createServer({
    root: emptyFolder(),
    configFile: false,
    logLevel: 'silent',
    plugins: [site, dashboardApi()],
    server: { host: 'localhost', port: 0, allowedHosts: ['mock.lan'] },
  })
  onTestFinished(() => vite.close())
  await vite.listen()
  return String(((vite.httpServer as Server).address() as AddressInfo).port)
}

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((listening) => server.listen(0, listening))
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  context.setDefaultTimeout(15_000)
  onTestFinished(() => context.close())
  await openShadowRoots(context)
  return context
}

const launcherOf = (place: Pick<Page, 'getByRole'>) => place.getByRole('complementary', { name: 'Mock' })

async function openWorkbench(page: Page): Promise<string> {
  await launcherOf(page).getByRole('button', { name: /^Mock/ }).click()
  const opened = page
    .frameLocator('iframe')
    .getByRole('button', { name: /^You are/ })
    .first()
  const told = page.getByRole('region', { name: 'Workbench of the mock' }).getByRole('alert')
  let result = ''
  const settled = async () => {
    result = (await opened.isVisible()) ? 'opened' : (await told.allTextContents()).join()
    return result
  }
  await expect.poll(settled, { timeout: 30_000 }).not.toBe('')
  return result
}

describe.each([
  ['dev', startBesideDev],
  ['the plugin of Vite', startVite],
])('a page with the launcher of a mock in %s', (_, start) => {
  it.each([
    ['no policy', undefined, 'opened'],
    ["script-src 'self'", "script-src 'self'", 'opened'],
    ['no styles', "style-src 'none'", 'opened'],
    ['trusted types', "require-trusted-types-for 'script'", 'opened'],
    ['no frames', "frame-src 'none'", /^The workbench has not started in this frame: .*\/__dev\//],
  ])(
    'with %s signs in, and opens the workbench, or says that it has none',
    async (_policy, policy, result) => {
      const port = await start(policy)
      const context = await newContext()
      const page = await context.newPage()
      await page.goto(`http://localhost:${port}/app/`)
      await launcherOf(page).getByLabel('Persona').selectOption('acme-viewer')
      const me = () => page.evaluate(async () => (await (await fetch('/v1/auth/me')).json()).user?.email)
      await expect.poll(me).toBe('vera@acme.example')
      const told = await openWorkbench(page)
      expect(told).toEqual(typeof result === 'string' ? result : expect.stringMatching(result))
    },
  )

  it('at a name of the LAN, which may not control the mock, says so in the launcher, on the console and in the frame', async () => {
    const port = await start()
    const context = await newContext()
    const page = await context.newPage()
    const said = page.waitForEvent('console', (message) => message.text().startsWith('The launcher'))
    await page.goto(`http://mock.lan:${port}/app/`)
    const refusal = 'The Host header must name this machine'
    expect((await said).text()).toContain(refusal)
    expect(await launcherOf(page).getByRole('button', { name: /^Mock/ }).getAttribute('title')).toContain(
      refusal,
    )
    await openWorkbench(page)
    await page.frameLocator('iframe').getByText(refusal).waitFor()
  })

  it('says in a frame of another site that the browser stores no cookie', async () => {
    const port = await start()
    const context = await newContext()
    const outer = await listen(
      createHttpServer(({ url }, response) =>
        response
          .setHeader('content-type', 'text/html')
          .end(`<iframe style="width:900px;height:700px" src="http://localhost:${port}${url}"></iframe>`),
      ),
    )
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${outer}/app/`)
    const framed = page.frameLocator('iframe')
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await launcherOf(framed).getByLabel('Persona').selectOption('acme-viewer')
    await expect
      .poll(() => said)
      .toContain('The launcher of the mock: The browser has not taken the session cookie of this page.')

    await page.goto(`http://127.0.0.1:${outer}/auth/sign-in?returnTo=/app/`)
    await framed.getByRole('button', { name: /^acme-owner/ }).waitFor()
    await expect
      .poll(() => framed.getByRole('alert').allInnerTexts())
      .toEqual([expect.stringContaining('The browser stores no cookie of this page in this frame')])
    const tab = context.waitForEvent('page')
    await framed.getByRole('link', { name: 'Open it in a tab' }).click()
    const opened = await tab
    await opened.getByRole('button', { name: /^acme-owner/ }).waitFor()
    expect(await opened.getByRole('alert').isVisible()).toBe(false)
    await opened.getByRole('button', { name: /^acme-owner/ }).click()
    await opened.waitForURL('**/app/')
    const me = await opened.evaluate(async () => (await (await fetch('/v1/auth/me')).json()).user.email)
    expect(me).toBe('ada@acme.example')
  })
})

describe('a page and a mock at two addresses', () => {
  /** Signs in at the mock, and asks it from a page. @returns the response, and why the mock gave it */
  async function ask(pageHost: string, mockHost: string, { isHttps = false } = {}) {
    const cwd = emptyFolder()
    if (isHttps) certify(cwd, 'localhost')
    const tls = isHttps
      ? { cert: readFileSync(`${cwd}/localhost.pem`), key: readFileSync(`${cwd}/localhost-key.pem`) }
      : undefined
    const told: string[] = []
    const dev = await startDev({ tls, onTwoSites: (advice) => told.push(advice) })
    const port = await listen(
      createHttpServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>App')),
    )
    const context = await newContext()
    const url = `${isHttps ? 'https' : 'http'}://${mockHost}:${dev.port}`
    const opened = await context.newPage()
    await opened.goto(`${url}/auth/sign-in`)
    await opened.getByRole('button', { name: /^acme-owner/ }).click()
    await opened.waitForURL(`${url}/`)
    await opened.goto(`http://${pageHost}:${port}/`)
    const status = await opened.evaluate(
      (address) =>
        fetch(`${address}/v1/auth/me`, { credentials: 'include' }).then(
          (response) => response.status,
          () => 'refused by the browser',
        ),
      url,
    )
    return { status, why: await dev.lastReason(), told }
  }

  it('are one site on other ports of a name', async () => {
    expect(await ask('localhost', 'localhost')).toEqual({ status: 200, why: 'handler', told: [] })
  })

  it.each([
    ['localhost', '127.0.0.1', 401, 'Call the mock at http://localhost:'],
    ['127.0.0.1', 'localhost', 401, 'Call the mock at http://127.0.0.1:'],
    ['app.localhost', 'localhost', 401, 'Call the mock at http://app.localhost:'],
    ['mock.lan', 'localhost', 'refused by the browser', 'Use one name for both'],
  ])(
    'are two sites as the browser says: the page at %s, the mock at %s',
    async (pageHost, mockHost, status, advice) => {
      const answer = await ask(pageHost, mockHost)
      expect(answer.status).toBe(status)
      expect(answer.why).toMatch(
        /^session check: the page at \S+ and the mock at \S+ are two sites: the browser sends no session cookie\./,
      )
      expect(answer.told).toEqual([expect.stringContaining(advice)])
    },
  )

  it('are two sites with http and https of one name', async () => {
    const { status, why, told } = await ask('localhost', 'localhost', { isHttps: true })
    expect(status).toBe(401)
    expect(why).toMatch(/are two sites: .* Open the page at https:\/\/localhost:\d+$/)
    expect(told).toHaveLength(1)
  })

  it('are two sites of which the browser says nothing over plain http: the reason is what was sent', async () => {
    const { status, why, told } = await ask('localhost', 'mock.lan')
    expect([status, why, told]).toEqual([401, 'session check: no cookie', []])
  })
})

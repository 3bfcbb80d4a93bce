import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createServer, type InlineConfig } from 'vite'
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

/**
 * Serves a page with the launcher by Vite, below a base.
 * @param config a proxy to a mock, or the plugin
 */
async function serveApplication(
  base: string,
  config: InlineConfig,
  { policy, tls }: Surroundings,
  mockUrl?: string,
) {
  const root = emptyFolder()
  mkdirSync(`${root}/public`)
  writeFileSync(
    `${root}/index.html`,
    '<!doctype html><title>App</title><script type="module" src="/start.js"></script>',
  )
  writeFileSync(
    `${root}/public/start.js`,
    `import { connectToMock, mockPanel } from './app.js'\nmockPanel(connectToMock(${mockUrl ? JSON.stringify(mockUrl) : 'location.origin'}))`,
  )
  writeFileSync(`${root}/public/app.js`, app)
  const vite = await createServer({
    ...config,
    root,
    base,
    configFile: false,
    logLevel: 'silent',
    server: {
      ...config.server,
      host: 'localhost',
      port: 0,
      allowedHosts: ['mock.lan'],
      ...(policy !== undefined && { headers: { 'content-security-policy': policy } }),
      ...(tls && { https: tls }),
    },
  })
  onTestFinished(() => vite.close())
  await vite.listen()
  return String(((vite.httpServer as Server).address() as AddressInfo).port)
}

type Surroundings = { policy?: string; tls?: DevServerOptions['tls'] }

/** A page whose server passes requests for the mock on to `dev`. */
async function startBesideDev(base: string, surroundings: Surroundings = {}): Promise<string> {
  const { url } = await startDev()
  return serveApplication(
    base,
    { server: { proxy: { '^/(v1|auth|docs|__dev)/': { target: url } } } },
    surroundings,
  )
}

const startPlugin = (base: string, surroundings: Surroundings = {}): Promise<string> =>
  serveApplication(base, { plugins: [dashboardApi()] }, surroundings)

/** A certificate of localhost. */
function certificate(): NonNullable<DevServerOptions['tls']> {
  const folder = emptyFolder()
  certify(folder, 'localhost')
  const read = (name: string) => readFileSync(`${folder}/${name}.pem`)
  return { cert: read('localhost'), key: read('localhost-key') }
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

/** Opens a page that keeps the faults on its console. */
async function newPage(): Promise<{ page: Page; faults: string[] }> {
  const page = await (await newContext()).newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  return { page, faults }
}

const launcherOf = (place: Pick<Page, 'getByRole'>) => place.getByRole('complementary', { name: 'Mock' })

async function openWorkbench(page: Page): Promise<string> {
  await launcherOf(page).getByRole('button', { name: /^Mock/ }).click()
  // By its title: the name has the persona, and is longer if requests without a cookie have another one.
  const opened = page.frameLocator('iframe').getByTitle('Personas (p)')
  const told = page.getByRole('region', { name: 'Workbench of the mock' }).getByRole('alert')
  let result = ''
  const settled = async () => {
    result = (await opened.isVisible()) ? 'opened' : (await told.allTextContents()).join()
    return result
  }
  await expect.poll(settled, { timeout: 30_000 }).not.toBe('')
  return result
}

/** Signs in by the launcher. @returns the address of the user, as the page then gets it */
async function signIn(page: Page): Promise<string> {
  const signedIn = page.waitForResponse((response) => response.request().method() === 'PUT')
  await launcherOf(page).getByLabel('Persona').selectOption('acme-viewer')
  await (await signedIn).finished()
  return page.evaluate(async () => (await (await fetch('/v1/auth/me')).json()).user?.email)
}

describe.each([
  ['dev, at /', startBesideDev, '/'],
  ['dev, at /app/', startBesideDev, '/app/'],
  ['the plugin of Vite, at /', startPlugin, '/'],
  ['the plugin of Vite, at /app/', startPlugin, '/app/'],
])('a page with the launcher of a mock in %s', (_, start, base) => {
  it.each([
    ['no policy', undefined, 'opened'],
    ["script-src 'self'", "script-src 'self'", 'opened'],
    ['no styles', "style-src 'none'", 'opened'],
    ['trusted types', "require-trusted-types-for 'script'", 'opened'],
    ["connect-src 'self'", "connect-src 'self'", 'opened'],
    ['no frames', "frame-src 'none'", /^The workbench has not started in this frame: .*\/__dev\//],
  ])(
    'with %s signs in, and opens the workbench, or says that it has none',
    async (_policy, policy, result) => {
      const port = await start(base, { policy })
      const { page, faults } = await newPage()
      await page.goto(`http://localhost:${port}${base}`)
      expect(await signIn(page)).toBe('vera@acme.example')
      expect(faults).toEqual([])
      const told = await openWorkbench(page)
      expect(told).toEqual(typeof result === 'string' ? result : expect.stringMatching(result))
      if (result === 'opened') expect(faults).toEqual([])
    },
  )

  it('over https signs in, and opens the workbench', async () => {
    const port = await start(base, { tls: certificate() })
    const { page, faults } = await newPage()
    await page.goto(`https://localhost:${port}${base}`)
    expect(await signIn(page)).toBe('vera@acme.example')
    expect(await openWorkbench(page)).toBe('opened')
    expect(faults).toEqual([])
  })

  it("with connect-src 'none' says in the launcher and on the console that no answer has reached the page", async () => {
    const port = await start(base, { policy: "connect-src 'none'" })
    const { page, faults } = await newPage()
    const said = page.waitForEvent('console', (message) => message.text().startsWith('The launcher'))
    const url = `http://localhost:${port}`
    await page.goto(`${url}${base}`)
    expect((await said).text()).toContain(`No answer from ${url} has reached this page`)
    expect(await launcherOf(page).getByRole('button', { name: /^Mock/ }).getAttribute('title')).toContain(
      'the console of the browser tells why',
    )
    await expect
      .poll(() => faults)
      .toContainEqual(expect.stringMatching(/__dev.*Content Security Policy.*connect-src 'none'/))
    // Its frame has the policy of the mock.
    expect(await openWorkbench(page)).toBe('opened')
  })

  it('at a name of the LAN, which may not control the mock, says so in the launcher, on the console and in the frame', async () => {
    const port = await start(base)
    const context = await newContext()
    const page = await context.newPage()
    const said = page.waitForEvent('console', (message) => message.text().startsWith('The launcher'))
    await page.goto(`http://mock.lan:${port}${base}`)
    const refusal = 'The Host header must name this machine'
    expect((await said).text()).toContain(refusal)
    expect(await launcherOf(page).getByRole('button', { name: /^Mock/ }).getAttribute('title')).toContain(
      refusal,
    )
    await openWorkbench(page)
    await page.frameLocator('iframe').getByText(refusal).waitFor()
  })

  it('says in a frame of another site that the browser stores no cookie', async () => {
    const port = await start(base)
    const context = await newContext()
    const outer = await listen(
      createHttpServer(({ url }, response) =>
        response
          .setHeader('content-type', 'text/html')
          .end(`<iframe style="width:900px;height:700px" src="http://localhost:${port}${url}"></iframe>`),
      ),
    )
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${outer}${base}`)
    const framed = page.frameLocator('iframe')
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await launcherOf(framed).getByLabel('Persona').selectOption('acme-viewer')
    await expect
      .poll(() => said)
      .toContain('The launcher of the mock: The browser has not taken the session cookie of this page.')

    await page.goto(`http://127.0.0.1:${outer}/auth/sign-in?returnTo=${base}`)
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
    await opened.waitForURL(({ pathname }) => pathname === base)
    const me = await opened.evaluate(async () => (await (await fetch('/v1/auth/me')).json()).user.email)
    expect(me).toBe('ada@acme.example')
  })
})

describe('a page and a mock at two addresses', () => {
  /** Signs in at the mock, and asks it from a page. @returns the response, and why the mock gave it */
  async function ask(pageHost: string, mockHost: string, { isHttps = false } = {}) {
    const tls = isHttps ? certificate() : undefined
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
    // The page of the mock, which adds its view.
    await opened.waitForURL(({ pathname }) => pathname === '/')
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

describe('the launcher of a page at another origin than the mock', () => {
  /** @returns what the launcher says on the console, and the faults that the browser has told before */
  async function open(scheme: string, mockHost: string, policy?: string) {
    const dev = await startDev()
    const url = `http://${mockHost}:${dev.port}`
    const tls = scheme === 'https' ? certificate() : undefined
    const port = await serveApplication('/', {}, { policy, tls }, url)
    const { page, faults } = await newPage()
    const said: string[] = []
    page.on('console', (message) => message.text().startsWith('The launcher') && said.push(message.text()))
    await page.goto(`${scheme}://localhost:${port}/`)
    return { page, faults, said, unreached: `No answer from ${url} has reached this page (Failed to fetch)` }
  }

  it.each(['http', 'https'])(
    'over %s reads the mock, and says of a change that no answer has reached the page',
    async (scheme) => {
      const { page, faults, said, unreached } = await open(scheme, 'localhost')
      await launcherOf(page).getByLabel('Persona').selectOption('acme-viewer')
      await expect.poll(() => said).toEqual([expect.stringContaining(unreached)])
      await expect
        .poll(() => faults)
        .toContainEqual(expect.stringMatching(/sessions\/active.*blocked by CORS policy.*preflight/))
    },
  )

  it.each([
    [
      'a policy that forbids its address',
      'http',
      'localhost',
      "connect-src 'self'",
      /Content Security Policy/,
    ],
    ['mixed content, at a name of the LAN', 'https', 'mock.lan', undefined, /^Mixed Content: /],
  ])('with %s says that no answer has reached the page', async (_, scheme, mockHost, policy, fault) => {
    const { faults, said, unreached } = await open(scheme, mockHost, policy)
    await expect.poll(() => said).toEqual([expect.stringContaining(unreached)])
    await expect.poll(() => faults).toContainEqual(expect.stringMatching(fault))
  })
})

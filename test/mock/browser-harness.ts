import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type MockSite, serveMockSite } from '../browser/mock-site.js'
import { browserOfFile } from '../browser/visit.js'

/** Serves a site, and opens a page for each test of the file. */
export function setUpMockSite() {
  const browser = browserOfFile()
  let site: MockSite
  let context: BrowserContext
  let page: Page
  let warnings: string[]

  beforeAll(async () => {
    site = await serveMockSite()
  })
  afterAll(() => site?.close())
  beforeEach(async () => {
    site.reset()
    context = await browser().newContext({ baseURL: site.url })
    context.setDefaultTimeout(60_000)
    warnings = []
    await newPage()
  })
  afterEach(() => context.close())

  async function newPage(): Promise<void> {
    page = await context.newPage()
    page.on('console', (message) => {
      const isFailedRequest = message.text().startsWith('Failed to load resource')
      if (/warning|error/.test(message.type()) && !isFailedRequest) warnings.push(message.text())
    })
  }

  /** Opens the application, which starts the mock. @returns the error of the start, or an empty string */
  async function open(path = '/'): Promise<string> {
    await page.goto(path)
    return page.evaluate(() =>
      globalThis.starting.then(
        () => '',
        (error) => `${error.name}: ${error.message}`,
      ),
    )
  }

  /** Sends a request with the fetch of the page. */
  const send = (url: string, init?: RequestInit) =>
    page.evaluate(
      async ({ url, init }) => {
        const response = await fetch(url, init)
        const text = await response.text()
        return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
      },
      { url, init },
    )

  return {
    get site() {
      return site
    },
    get page() {
      return page
    },
    /** The warnings and errors in the console of the page, except failed requests. */
    get warnings() {
      return warnings
    },
    newPage,
    open,
    send,
    /** The address of the signed-in user of the page, or the status of the refusal. */
    async me(base = '', init?: RequestInit): Promise<string | number> {
      const { status, body } = await send(`${base}/v1/auth/me`, init)
      return body.user?.email ?? status
    },
    createProject: (name: string) =>
      send('/v1/projects', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      }),
    async projectNames(): Promise<string[]> {
      return (await send('/v1/projects')).body.projects.map(({ name }: { name: string }) => name)
    },
    cookie: () => page.evaluate(() => document.cookie),
    usePersona: (id: string) => page.evaluate((persona) => globalThis.mock.session.use(persona), id),
    signInByForm: (persona: string) =>
      send('/auth/sign-in', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `session=${persona}`,
      }),
  }
}

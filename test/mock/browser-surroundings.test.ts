import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../browser/launch.js'
import { type MockSite, serveMockSite } from '../browser/mock-site.js'

// Problems that users of MSW have reported, tried with the mock in a page.

let browser: Browser
let site: MockSite
beforeAll(async () => {
  browser = await launchBrowser(['app.test'])
  site = await serveMockSite()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const started = (page: Page): Promise<string> =>
  page.evaluate(() => globalThis.starting.then(() => 'started', String))

const email = (page: Page) =>
  page.evaluate(async () => (await (await fetch('/v1/auth/me')).json()).user?.email)

describe('the mock in a page', () => {
  let pages: Page[]
  let said: string[]
  beforeEach(() => {
    site.reset()
    site.options = { session: 'acme-owner' }
    pages = []
    said = []
  })
  afterEach(() => Promise.all(pages.map((page) => page.context().close())))

  async function open(url: string, options = {}): Promise<Page> {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    pages.push(page)
    page.on('console', (message) => said.push(message.text()))
    await page.goto(url)
    return page
  }

  it('works over http at another name than localhost, where a browser has no workers', async () => {
    const page = await open(`${site.url.replace('127.0.0.1', 'app.test')}/`)
    expect(await started(page)).toBe('started')
    expect(await email(page)).toBe('ada@acme.example')
    expect(said).toEqual([])
    expect(site.reached).toEqual([])
  })

  it('explains why it cannot start where Playwright blocks workers', async () => {
    const page = await open(`${site.url}/`, { serviceWorkers: 'block' })
    expect(await started(page)).toMatch(/'block' has none: use dashboard-api\/playwright there\. \(.+\)$/s)
  })

  it('continues after another tab is closed, after a hard reload, and after going back', async () => {
    const page = await open(`${site.url}/`)
    expect(await started(page)).toBe('started')
    const other = await page.context().newPage()
    await other.goto(`${site.url}/`)
    expect(await started(other)).toBe('started')
    await other.close()
    expect(await email(page)).toBe('ada@acme.example')

    const loaded = page.waitForEvent('load')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Page.reload', { ignoreCache: true })
    await loaded
    // MSW reloads a page that has no worker.
    await expect.poll(() => email(page).catch(() => undefined)).toBe('ada@acme.example')

    await page.goto(`${site.url}/folder/`)
    expect(await started(page)).toBe('started')
    await page.goBack()
    expect(await started(page)).toBe('started')
    expect(await email(page)).toBe('ada@acme.example')
  })

  it.each(['before it is loaded', 'while it runs'])(
    'creates projects while Playwright has stopped the clock of the page, %s',
    async (moment) => {
      const page = await open('about:blank')
      const stop = async () => {
        await page.clock.install()
        await page.clock.pauseAt(Date.now() + 1_000)
      }
      if (moment === 'before it is loaded') await stop()
      await page.goto(`${site.url}/`)
      expect(await started(page)).toBe('started')
      if (moment === 'while it runs') await stop()
      const create = () =>
        page.evaluate(async () => {
          const headers = { 'content-type': 'application/json' }
          return (await fetch('/v1/projects', { method: 'POST', headers, body: '{"name":"New"}' })).status
        })
      expect([await create(), await create()]).toEqual([201, 409])
    },
  )
})

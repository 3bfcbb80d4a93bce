import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mockPanel } from '../../src/mock/panel.js'
import { faintTexts, isTooWide } from '../browser/contrast.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { setUpMockSite } from './browser-harness.js'

declare global {
  // What the panel of the test reports, and what removes it.
  var removePanel: () => void
  var changes: number
  var listeners: number
}

const browser = setUpMockSite()
const panel = () => browser.page.getByRole('complementary', { name: 'Mock' })
const launcher = () => panel().getByRole('button', { name: /^Mock/ })
const control = (name: string) => panel().getByRole('button', { name, exact: true })
const persona = () => panel().getByLabel('Persona')
const entries = () => panel().getByRole('region', { name: 'Log', exact: true }).getByRole('listitem')
const says = (text: string) => panel().getByRole('status').filter({ hasText: text }).waitFor()

const show = (page: Page) =>
  page.evaluate(() => {
    const { mock } = globalThis
    globalThis.changes = 0
    globalThis.listeners ??= 0
    const onChange: typeof mock.onChange = (listener) => {
      const unsubscribe = mock.onChange(listener)
      globalThis.listeners += 1
      return () => {
        globalThis.listeners -= 1
        unsubscribe()
      }
    }
    globalThis.removePanel = globalThis.app.mockPanel(
      { ...mock, onChange },
      {
        onChange: () => {
          globalThis.changes += 1
        },
      },
    )
  })

/** Opens the application as a persona, and the panel over it. */
async function openPanel(): Promise<void> {
  browser.site.options = { session: 'acme-owner' }
  await browser.open()
  await show(browser.page)
  await launcher().click()
  await persona().waitFor()
}

describe('the panel in the page', () => {
  it('switches persona, forces outcomes, sets the delay, and steps through the history', async () => {
    await openPanel()
    await persona().selectOption('acme-viewer')
    await expect.poll(() => browser.me()).toBe('vera@acme.example')
    await persona().selectOption('signed out')
    await expect.poll(() => browser.me()).toBe(401)
    await persona().selectOption('acme-owner')
    await expect.poll(() => browser.me()).toBe('ada@acme.example')

    await panel().getByLabel('Operation or scenario').selectOption('createProject')
    await panel().getByLabel('Outcome', { exact: true }).selectOption('PROJECT_NAME_TAKEN')
    await panel().getByLabel('once').check()
    await control('Force').click()
    const forced = panel().getByRole('list', { name: 'Forced' })
    await forced.getByText('createProject PROJECT_NAME_TAKEN, 1 left').waitFor()
    expect((await browser.createProject('Roadmap')).status).toBe(409)
    await forced.waitFor({ state: 'hidden' })
    await panel().getByLabel('once').uncheck()
    await panel().getByLabel('Operation or scenario').selectOption('empty')
    await control('Force').click()
    await forced.getByText('empty').waitFor()
    expect(await browser.projectNames()).toEqual([])
    await control('Clear empty').click()
    await expect.poll(() => browser.projectNames()).toHaveLength(4)

    await panel().getByRole('textbox', { name: 'Delay, ms' }).fill('5-6')
    await panel().getByRole('textbox', { name: 'Delay, ms' }).press('Enter')
    const delay = () => browser.page.evaluate(() => globalThis.mock.delay.get())
    await expect.poll(delay).toMatchObject({ all: '5-6' })
    await control('Delay, ms: 0').click()
    await expect.poll(delay).toMatchObject({ all: '0' })
    await panel().getByRole('textbox', { name: 'Delay, ms' }).fill('soon')
    await panel().getByRole('textbox', { name: 'Delay, ms' }).press('Enter')
    await says('"soon" is not a delay')

    await control('Fail, %: 100').click()
    await panel()
      .getByText(/chaos: 100 % fail, seed/)
      .waitFor()
    expect(await browser.me()).toBeOneOf([500, 503])
    await control('Fail, %: 0').click()
    await expect.poll(() => browser.me()).toBe('ada@acme.example')

    await browser.page.evaluate(() => {
      globalThis.changes = 0
    })
    await browser.createProject('Roadmap')
    await control('Undo').click()
    await says('Undone: createProject')
    expect(await browser.projectNames()).not.toContain('Roadmap')
    await control('Redo').click()
    await says('Made again: createProject')
    expect(await browser.projectNames()).toContain('Roadmap')
    await control('Reset').click()
    await says('Everything was reset.')
    expect(await browser.projectNames()).not.toContain('Roadmap')
    expect(await browser.page.evaluate(() => globalThis.changes)).toBe(3)
    expect(browser.warnings).toEqual([])
  })

  it('shows the latest entries of the log, with bodies and cause, and rewinds to one', async () => {
    await openPanel()
    await panel().getByText('No requests yet.').waitFor()
    for (let number = 1; number <= 55; number++) await browser.me()
    await browser.createProject('Roadmap')
    await entries().first().getByText('POST /v1/projects').waitFor()
    expect(await entries().count()).toBe(50)
    await entries().first().getByText('POST /v1/projects').click()
    const body = (title: string) => entries().first().getByRole('region', { name: title })
    await body('Response body').getByText('"name": "Roadmap"').waitFor()
    expect(await body('Request body').textContent()).toContain('"name": "Roadmap"')
    await entries().first().getByText('acme-owner, decided by: handler').waitFor()
    await body('What it changed')
      .getByText(/^projects .* added$/)
      .waitFor()

    for (const colorScheme of ['light', 'dark'] as const) {
      await browser.page.emulateMedia({ colorScheme })
      expect(await faintTexts(browser.page)).toEqual([])
    }

    await control('Send again').click()
    await says('Sent as request 57: 409.')
    await entries().first().getByText('409').waitFor()
    await control('Rewind to before it').click()
    await says('Done: rewind to before request 56. Changed records: 1.')
    expect(await browser.projectNames()).not.toContain('Roadmap')
    await browser.page.evaluate(() => globalThis.mock.log.clear())
    await expect.poll(() => entries().count()).toBe(0)
  })

  it('is used with the keyboard, and its keys are not those of the page', async () => {
    browser.site.options = { session: 'acme-owner' }
    await browser.open()
    await show(browser.page)
    await launcher().waitFor()
    const { keyboard } = browser.page
    const pressed = await browser.page.evaluateHandle(() => {
      const keys: string[] = []
      document.addEventListener('keydown', ({ key }) => keys.push(key))
      return keys
    })
    const focused = (name: string) =>
      expect.poll(() => control(name).evaluate((button) => button.matches(':focus'))).toBe(true)

    await launcher().focus()
    await keyboard.press('Enter')
    await focused('Close')
    await keyboard.press('Tab')
    await expect.poll(() => persona().evaluate((select) => select.matches(':focus'))).toBe(true)
    await keyboard.press('Tab')
    await keyboard.type('/')
    await keyboard.press('Escape')
    await expect.poll(() => launcher().evaluate((button) => button.matches(':focus'))).toBe(true)
    expect(await pressed.jsonValue()).toEqual([])
  })

  it('is as it was left after a reload, fits on a phone, and can be removed', async () => {
    await openPanel()
    await control('Move').click()
    await browser.page.setViewportSize({ width: 390, height: 800 })
    await browser.open()
    await show(browser.page)
    await persona().waitFor()
    expect(await panel().boundingBox()).toMatchObject({ x: 12 })
    expect(await isTooWide(browser.page)).toBe(false)
    const box = await panel().locator('.drawer').boundingBox()
    expect(box?.width).toBe(366)

    // Another call replaces it, and nothing of the first one is left.
    const listeners = () => browser.page.evaluate(() => globalThis.listeners)
    await show(browser.page)
    await persona().waitFor()
    expect([await panel().count(), await listeners()]).toEqual([1, 1])
    await browser.page.evaluate(() => globalThis.removePanel())
    expect([await panel().count(), await listeners()]).toEqual([0, 0])
    // It is removed before it was shown.
    await browser.page.evaluate(() => globalThis.app.mockPanel(globalThis.mock)())
    await wait(100)
    expect(await panel().count()).toBe(0)
    expect(browser.warnings).toEqual([])
  })

  it('looks the same in a page with hostile styles and a strict Content-Security-Policy', async () => {
    const policy = "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'none'"
    browser.site.head = `<meta http-equiv="content-security-policy" content="${policy}">`
    await openPanel()
    const look = () =>
      panel().evaluate((aside) =>
        [aside, ...aside.querySelectorAll('*')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          const { color, backgroundColor, font, letterSpacing, visibility } = getComputedStyle(element)
          return [
            element.localName,
            x,
            y,
            width,
            height,
            color,
            backgroundColor,
            font,
            letterSpacing,
            visibility,
          ]
        }),
      )
    await expect.poll(async () => (await panel().getByRole('option').count()) > 10).toBe(true)
    const before = await look()
    const titleBefore = await browser.page.locator('h1').boundingBox()
    await browser.page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(`
        html { font-size: 40px; direction: rtl; }
        body { transform: translateX(300px); opacity: 0.1; overflow: hidden; height: 20px; }
        body * { color: red !important; font: 30px serif !important; letter-spacing: 4px !important;
          display: none !important; visibility: hidden !important; zoom: 2; filter: blur(9px) !important;
          transform: scale(3) !important; --surface: red !important; --ink: red !important; }
        button, input, select { border: 9px solid red !important; }
        .drawer, .launcher, .row, .content { width: 1000px !important; }`)
      document.adoptedStyleSheets = [sheet]
    })
    expect(await look()).toEqual(before)
    await browser.page.evaluate(() => {
      document.adoptedStyleSheets = []
    })
    // Its own styles apply to nothing in the page.
    await browser.page.evaluate(() => globalThis.removePanel())
    expect(await browser.page.locator('h1').boundingBox()).toEqual(titleBefore)
    expect(browser.warnings).toEqual([])
  })

  it('controls the mock of a server at the origin of the page, by connectToMock', async () => {
    const server = await startDevServer()
    onTestFinished(server.close)
    const { page } = browser
    const app = await page.request.get(`${browser.site.url}/app.js`)
    await page.route('**/app.js', (route) => route.fulfill({ response: app }))
    await page.route('**/app/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<title>The application</title><script type="module">
          import { connectToMock, mockPanel } from '/app.js'
          mockPanel(connectToMock(location.origin))
        </script>`,
      }),
    )
    await page.goto(`${server.baseUrl}/app/`)
    await launcher().filter({ hasText: 'signed out' }).click()
    await persona().selectOption('acme-viewer')
    await expect.poll(() => browser.me()).toBe('vera@acme.example')
    await entries().first().getByText('GET /v1/auth/me').waitFor()
    await persona().selectOption('signed out')
    await expect.poll(() => browser.me()).toBe(401)
  })
})

describe('the panel without a page', () => {
  it('is not shown: nothing happens in Node', async () => {
    const { createMock } = await import('../../src/mock/create-mock.js')
    const remove = mockPanel(createMock())
    expect(remove()).toBeUndefined()
    expect(globalThis.document).toBeUndefined()
  })
})

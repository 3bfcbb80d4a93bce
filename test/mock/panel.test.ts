import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mockPanel } from '../../src/mock/panel.js'
import { faintTexts, isTooWide } from '../browser/contrast.js'
import { startDevServer } from '../conformance/start-dev-server.js'
import { setUpMockSite } from './browser-harness.js'
import { openShadowRoots } from './open-shadow-roots.js'

declare global {
  // Functions and counts of the panel under test.
  var removePanel: () => void
  var changes: number
  var listeners: number
}

const browser = setUpMockSite()
const panel = () => browser.page.getByRole('complementary', { name: 'Mock' })
const launcher = () => panel().getByRole('button', { name: /^Mock/ })
const persona = () => panel().getByLabel('Persona')
const undo = () => panel().getByRole('button', { name: 'Undo' })
const dock = () => browser.page.getByRole('region', { name: 'Workbench of the mock' })
const inDock = (name: string) => dock().getByRole('button', { name })
const workbench = () => browser.page.frameLocator('iframe')

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

/** Opens the application as a persona, with the launcher over it. */
async function openApplication(): Promise<void> {
  await openShadowRoots(browser.page)
  browser.site.options = { session: 'acme-owner' }
  await browser.open()
  await show(browser.page)
  await persona().waitFor()
}

async function openWorkbench(): Promise<void> {
  await launcher().click()
  await workbench().getByText('Connected to the mock in the page').waitFor({ state: 'attached' })
  await workbench().getByRole('button', { name: 'You are acme-owner' }).waitFor()
}

describe('the launcher in a page', () => {
  it('is invisible to testing tools', async () => {
    browser.site.options = { session: 'acme-owner' }
    browser.site.head = '<ul><li>The only item</ul>'
    await browser.open()
    const count = () =>
      Promise.all(
        ['li', 'button', 'option', 'iframe']
          .map((name) => browser.page.locator(name).count())
          .concat(
            (['button', 'listitem', 'complementary'] as const).map((role) =>
              browser.page.getByRole(role).count(),
            ),
          ),
      )
    const before = await count()
    expect(before[0]).toBe(1)
    await show(browser.page)
    const host = browser.page.locator('dashboard-api-panel')
    await expect.poll(() => host.count()).toBe(1)
    expect(await count()).toEqual(before)
    expect(await host.evaluate(({ shadowRoot }) => shadowRoot)).toBeNull()
    expect(await host.evaluate((element) => element.matches(':popover-open'))).toBe(true)
  })

  it('switches the persona, undoes, and shows forced outcomes', async () => {
    await openApplication()
    await persona().selectOption('acme-viewer')
    await expect.poll(() => browser.me()).toBe('vera@acme.example')
    await persona().selectOption('signed out')
    await expect.poll(() => browser.me()).toBe(401)
    await persona().selectOption('acme-owner')
    await expect.poll(() => browser.me()).toBe('ada@acme.example')
    expect(await browser.page.evaluate(() => globalThis.changes)).toBe(3)

    await browser.createProject('Roadmap')
    await expect.poll(() => undo().getAttribute('title')).toContain('Roadmap was created')
    await undo().click()
    await expect.poll(() => undo().getAttribute('title')).toContain('you became acme-owner')
    expect(await browser.projectNames()).not.toContain('Roadmap')
    expect(await browser.page.evaluate(() => globalThis.changes)).toBe(4)

    await browser.page.evaluate(async () => {
      await globalThis.mock.scenarios.set({
        target: 'createProject',
        outcome: 'PROJECT_NAME_TAKEN',
        times: null,
      })
      await globalThis.mock.chaos.set({ errorRate: 0.5 })
    })
    await launcher().filter({ hasText: 'Mock · 1 forced · chaos' }).waitFor()
    expect(browser.warnings).toEqual([])
  })

  it('can be moved, fits on a phone, is legible, and leaves nothing behind', async () => {
    await openApplication()
    const box = await launcher().boundingBox()
    await browser.page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5)
    await browser.page.mouse.down()
    await browser.page.mouse.move(40, 40)
    await browser.page.mouse.up()
    await browser.page.setViewportSize({ width: 390, height: 800 })
    await browser.open()
    await show(browser.page)
    await expect.poll(() => panel().boundingBox()).toMatchObject({ x: 12, y: 12 })
    expect(await isTooWide(browser.page)).toBe(false)
    for (const colorScheme of ['light', 'dark'] as const) {
      await browser.page.emulateMedia({ colorScheme })
      expect(await faintTexts(browser.page)).toEqual([])
    }

    // Another call replaces the launcher.
    const listeners = () => browser.page.evaluate(() => globalThis.listeners)
    await show(browser.page)
    expect([await panel().count(), await listeners()]).toEqual([1, 1])
    await browser.page.evaluate(() => globalThis.removePanel())
    expect([await panel().count(), await listeners()]).toEqual([0, 0])
    expect(browser.warnings).toEqual([])
  })

  it('looks the same in a page with hostile styles and a strict Content-Security-Policy', async () => {
    const policy = "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'none'"
    browser.site.head = `<meta http-equiv="content-security-policy" content="${policy}">`
    await openApplication()
    await expect.poll(async () => (await persona().locator('option').count()) > 5).toBe(true)
    const look = () =>
      panel().evaluate((aside) =>
        [aside, ...aside.querySelectorAll('*')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          const style = getComputedStyle(element)
          const names = ['color', 'background-color', 'font', 'letter-spacing', 'visibility']
          return [
            element.localName,
            x,
            y,
            width,
            height,
            ...names.map((name) => style.getPropertyValue(name)),
          ]
        }),
      )
    const before = await look()
    const titleBefore = await browser.page.locator('h1').boundingBox()
    await browser.page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(`
        html { font-size: 40px; direction: rtl; }
        body { transform: translateX(300px); opacity: 0.1; overflow: hidden; height: 20px; }
        body * { color: red !important; font: 30px serif !important; letter-spacing: 4px !important;
          display: none !important; visibility: hidden !important; zoom: 2; filter: blur(9px) !important;
          transform: scale(3) !important; --raised: red !important; --ink: red !important; }
        button, select { border: 9px solid red !important; }`)
      document.adoptedStyleSheets = [sheet]
    })
    expect(await look()).toEqual(before)
    await browser.page.evaluate(() => {
      document.adoptedStyleSheets = []
    })
    await openWorkbench()
    // The styles of the launcher do not affect the page.
    await browser.page.evaluate(() => globalThis.removePanel())
    expect(await browser.page.locator('h1').boundingBox()).toEqual(titleBefore)
    expect(browser.warnings).toEqual([])
  })

  it('does not react to the keys of the page', async () => {
    await openApplication()
    const pressed = await browser.page.evaluateHandle(() => {
      const keys: string[] = []
      document.addEventListener('keydown', ({ key }) => keys.push(key))
      return keys
    })
    await launcher().focus()
    await browser.page.keyboard.press('/')
    await browser.page.keyboard.press('Enter')
    await inDock('Close').focus()
    await browser.page.keyboard.press('Escape')
    await expect.poll(() => launcher().evaluate((button) => button.matches(':focus'))).toBe(true)
    expect(await dock().count()).toBe(0)
    expect(await pressed.jsonValue()).toEqual([])
  })

  it('moves the focus to the workbench once, when a user opens it', async () => {
    let load = () => {}
    const loading = new Promise<void>((resolve) => {
      load = resolve
    })
    browser.site.head = '<meta name="dashboard-api-workbench" content="/workbench">'
    await browser.page.route('**/workbench', async (route) => {
      await loading
      await route.fulfill({ contentType: 'text/html', body: '<p>Loaded' })
    })
    await openApplication()
    await launcher().dblclick()
    await dock().waitFor()
    const frame = browser.page.locator('iframe')
    expect(await frame.count()).toBe(1)
    const hasFocus = (element: Element) => element.matches(':focus-within')
    expect(await frame.evaluate(hasFocus)).toBe(true)
    // If the user moves the focus while the page loads, it stays there.
    await inDock('Close').focus()
    load()
    await workbench().getByText('Loaded').waitFor()
    await browser.page.waitForLoadState()
    expect(await inDock('Close').evaluate(hasFocus)).toBe(true)

    await browser.open()
    await show(browser.page)
    await workbench().getByText('Loaded').waitFor()
    expect(await browser.page.evaluate(() => document.activeElement?.localName)).toBe('body')
  })

  it('controls the mock of a server at the origin of the page, with the workbench of that server', async () => {
    const server = await startDevServer()
    onTestFinished(server.close)
    const { page } = browser
    await openShadowRoots(page)
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
    await persona().selectOption('acme-viewer')
    await expect.poll(() => browser.me()).toBe('vera@acme.example')
    await launcher().click()
    await workbench()
      .getByText(`Connected to ${new URL(server.baseUrl).host}`)
      .waitFor({ state: 'attached' })
    await workbench().getByRole('row').filter({ hasText: '/v1/auth/me' }).first().waitFor()
    await inDock('Close').click()
    await persona().selectOption('signed out')
    await expect.poll(() => browser.me()).toBe(401)
    // It is a step, as on every other surface.
    await undo().click()
    await expect.poll(() => browser.me()).toBe('vera@acme.example')
  })
})

describe('the workbench of a mock in the page', () => {
  it('shows the requests, forces an outcome at a request, and changes persona and data', async () => {
    await openApplication()
    await openWorkbench()
    await browser.createProject('Roadmap')
    const row = workbench().getByRole('row').filter({ hasText: 'POST' })
    await row.hover()
    await row.getByRole('button', { name: 'Outcome of POST /v1/projects' }).click()
    const choice = (name: RegExp | string) => workbench().locator('.picker').getByRole('option', { name })
    await choice(/409 PROJECT_NAME_TAKEN/).click()
    const end = workbench().getByRole('button', { name: 'End createProject: 409 PROJECT_NAME_TAKEN' })
    await end.waitFor()
    expect((await browser.createProject('Another')).status).toBe(409)
    // For the next request only.
    await end.waitFor({ state: 'detached' })

    await workbench().getByRole('button', { name: 'You are acme-owner' }).click()
    await choice(/^acme-viewer/).click()
    await expect.poll(() => browser.me()).toBe('vera@acme.example')
    await workbench().getByRole('button', { name: 'You are acme-viewer' }).click()
    await choice('Sign out').click()
    await expect.poll(() => browser.me()).toBe(401)
    // Each step of the page and of the data, the latest first.
    const undo = () => workbench().getByRole('button', { name: 'Undo', exact: true }).first().click()
    const undone = (what: string) => workbench().getByText(`Went back to before ${what}`).waitFor()
    await undo()
    await undone('you signed out.')
    await expect.poll(() => browser.me()).toBe('vera@acme.example')
    await undo()
    await undone('you became acme-viewer.')
    await expect.poll(() => browser.me()).toBe('ada@acme.example')
    await undo()
    await undone('createProject answered the forced 409')
    await undo()
    await undone('409 PROJECT_NAME_TAKEN was forced on createProject')
    await undo()
    await undone('Roadmap was created')
    expect(await browser.projectNames()).not.toContain('Roadmap')

    await workbench().getByRole('link', { name: 'Data' }).click()
    await workbench().getByText('6 projects').waitFor()
    expect(await browser.page.evaluate(() => globalThis.changes)).toBe(7)
    const state = async (name: string) => {
      await workbench().getByRole('button', { name: 'State' }).click()
      await choice(name).click()
    }
    await state('Save a snapshot…')
    await workbench().getByRole('dialog').getByLabel('Snapshot').fill('one')
    await browser.page.keyboard.press('Enter')
    await workbench().getByText('The snapshot one was saved.').waitFor()
    await state('Load one')
    await workbench().getByText('Nothing was changed.').waitFor()
    await workbench().getByRole('link', { name: 'Handlers' }).click()
    await workbench().getByLabel('Of all responses, in ms').fill('no number')
    await workbench().getByLabel('Of all responses, in ms').press('Enter')
    await workbench().getByText('Enter milliseconds').waitFor()
    expect(browser.warnings).toEqual([])
  })

  it('is beside or below the page, and keeps its size after a reload', async () => {
    await openApplication()
    await openWorkbench()
    const box = async () => (await dock().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    expect(await box()).toMatchObject({ x: 0, width: 1280, height: 420 })
    // The page has padding, so that it can be scrolled above the workbench.
    expect(await browser.page.evaluate(() => document.documentElement.style.paddingBottom)).toBe('420px')
    await dock().getByRole('separator').focus()
    await browser.page.keyboard.press('ArrowUp')
    expect((await box()).height).toBe(440)
    const { y } = await box()
    await browser.page.mouse.move(300, y + 1)
    await browser.page.mouse.down()
    await browser.page.mouse.move(300, 220, { steps: 3 })
    await browser.page.mouse.up()
    expect((await box()).height).toBe(500)
    await inDock('Beside the page').click()
    expect(await box()).toMatchObject({ x: 780, y: 0, width: 500, height: 720 })

    await browser.open()
    await show(browser.page)
    await workbench().getByText('Connected to the mock in the page').waitFor({ state: 'attached' })
    expect(await box()).toMatchObject({ width: 500, height: 720 })
    await inDock('Close').click()
    await launcher().waitFor()
    expect(await browser.page.evaluate(() => document.documentElement.style.paddingRight)).toBe('')
    await browser.open()
    await show(browser.page)
    await launcher().waitFor()
    expect(await dock().count()).toBe(0)
  })

  it('has two lines above the requests on a phone', async () => {
    await openApplication()
    await browser.page.setViewportSize({ width: 390, height: 844 })
    try {
      await openWorkbench()
      await browser.createProject('Roadmap')
      const first = workbench().locator('.log-row').first()
      await first.waitFor()
      const top = async (part: { boundingBox(): Promise<{ y: number } | null> }) =>
        (await part.boundingBox())?.y ?? 0
      // Below the filter, Next, the bar Now and the caller, which have a line each.
      expect((await top(first)) - (await top(dock()))).toBeLessThan(260)
      expect(
        await workbench()
          .locator('html')
          .evaluate(({ scrollWidth }) => scrollWidth),
      ).toBeLessThanOrEqual(390)
      await workbench().getByRole('button', { name: 'You are acme-owner' }).click()
      await workbench().getByRole('dialog', { name: 'Personas' }).waitFor()
    } finally {
      await browser.page.setViewportSize({ width: 1280, height: 720 })
    }
  })

  it('opens in a tab, which stays connected when the page is loaded again', async () => {
    await openApplication()
    await openWorkbench()
    const opening = browser.page.context().waitForEvent('page')
    await inDock('In a tab').click()
    const tab = await opening
    await tab.getByRole('button', { name: 'You are acme-owner' }).waitFor()
    expect(await dock().count()).toBe(0)
    await browser.page.bringToFront()
    await browser.open()
    await show(browser.page)
    await browser.createProject('After the reload')
    await tab.getByRole('row').filter({ hasText: 'POST' }).waitFor()
    await tab.getByRole('heading', { name: 'POST After the reload' }).waitFor()
    await browser.page.close()
    await tab.getByRole('alert').getByText('The mock does not answer').waitFor()
  })

  it('belongs to its own tab in a duplicated tab, which has a copy of the storage', async () => {
    await openApplication()
    await openWorkbench()
    const { page } = browser
    await openShadowRoots(page.context())
    const opening = page.context().waitForEvent('page')
    // As a duplicated tab, this one gets a copy of the session storage.
    await page.evaluate(() => void globalThis.open('/'))
    const duplicate = await opening
    await duplicate.waitForFunction(() => globalThis.mock)
    await show(duplicate)
    await duplicate.frameLocator('iframe').getByRole('button', { name: 'You are acme-owner' }).waitFor()
    const channels = [page, duplicate].map((each) => each.frames()[1]?.name())
    expect(channels).toEqual(channels.map(() => expect.stringMatching(/^dashboard-api:./)))
    expect(new Set(channels).size).toBe(2)
  })

  it('reports that it has not started, as by a policy of the page', async () => {
    const { page } = browser
    await openShadowRoots(page)
    await browser.open()
    await page.evaluate(() => {
      const policy = document.createElement('meta')
      policy.httpEquiv = 'content-security-policy'
      policy.content = "script-src 'self'"
      document.head.append(policy)
    })
    await show(page)
    await launcher().click()
    await dock().getByRole('alert').getByText('has not started in this frame').waitFor()
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

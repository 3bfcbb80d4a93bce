import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { type DevServer, startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'
import { browserOfFile } from '../../browser/visit.js'

const browser = browserOfFile()
let server: DevServer
beforeAll(async () => {
  server = await startDevServer({ fixtures: parseState(fixture), port: 0, onError: () => {} })
})
afterEach(async () => {
  server.mock.reset()
  await server.mock.controls.log.clear()
})
afterAll(() => server?.close())

/** Opens the page in its own context. An exception or an error in its console fails the test. */
async function visit(act: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser().newContext({ baseURL: server.url, ...options })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    const isProblem = message.type() === 'error' && !message.text().startsWith('Failed to load resource')
    if (isProblem) problems.push(message.text())
  })
  try {
    await page.goto('/')
    await page.getByText(`Connected to ${server.url}`).waitFor()
    await page.getByRole('button', { name: /^acme-owner/ }).waitFor()
    await act(page)
    expect(problems).toEqual([])
  } finally {
    await context.close()
  }
}

const showsMessage = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()
const fetchIn = (page: Page, path: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([path, init]) => {
      const response = await fetch(path, init).catch((error) => error as Error)
      return response instanceof Error
        ? response.message
        : { status: response.status, body: await response.json() }
    },
    [path, init] as const,
  )

describe('the workbench', { timeout: 60_000 }, () => {
  it('signs in by a click, and out', () =>
    visit(async (page) => {
      await page.getByRole('button', { name: /^acme-viewer/ }).click()
      await page.getByRole('button', { name: /^acme-viewer/, pressed: true }).waitFor()
      expect(await fetchIn(page, '/v1/auth/me')).toMatchObject({
        body: { user: { email: 'vera@acme.example' } },
      })
      // By another interface, such as the command line.
      await server.mock.controls.sessions.use('globex-owner')
      await page.getByRole('button', { name: /^globex-owner/, pressed: true }).waitFor()
      await page.getByRole('button', { name: 'Sign out here' }).click()
      await page.getByRole('button', { pressed: true }).waitFor({ state: 'detached' })
      expect(await fetchIn(page, '/v1/auth/me')).toMatchObject({ status: 401 })
    }))

  it('forces an outcome, once or until cleared, and shows scenarios that another interface sets', () =>
    visit(async (page) => {
      const outcome = page.getByLabel('Outcome of listProjects')
      await outcome.selectOption('SERVICE_UNAVAILABLE')
      await expect.poll(() => server.mock.controls.scenarios.list()).toHaveLength(1)
      expect(await fetchIn(page, '/v1/projects')).toMatchObject({ body: { code: 'SERVICE_UNAVAILABLE' } })

      await page.locator('#operations > div', { hasText: 'listProjects' }).getByLabel('once').check()
      await expect.poll(async () => (await server.mock.controls.scenarios.list())[0]?.times).toBe(1)
      expect(await fetchIn(page, '/v1/projects')).toMatchObject({ status: 503 })
      await expect.poll(() => outcome.inputValue()).toBe('')
      expect(await fetchIn(page, '/v1/projects')).toMatchObject({ status: 401 })

      await page.getByLabel('empty').check()
      await server.mock.controls.scenarios.set({ target: 'getSession', outcome: 'hang', times: 2 })
      await page.getByText('2 left').waitFor()
      await page.getByRole('button', { name: 'Clear all scenarios' }).click()
      await expect.poll(() => page.getByLabel('empty').isChecked()).toBe(false)
      expect(await server.mock.controls.scenarios.list()).toEqual([])
    }))

  it('breaks a connection without a retry by the browser', () =>
    visit(async (page) => {
      await fetchIn(page, '/v1/projects')
      await server.mock.controls.scenarios.set({ target: 'listProjects', outcome: 'drop', times: 1 })
      expect(await fetchIn(page, '/v1/projects')).toBe('Failed to fetch')
      expect(await fetchIn(page, '/v1/projects')).toMatchObject({ status: 401 })
    }))

  it('delays all responses or those of one operation, and refuses an invalid delay', () =>
    visit(async (page) => {
      await page.getByRole('button', { name: '300', exact: true }).click()
      await page.getByLabel('Delay of getSession, in ms').fill('10-20')
      await page.getByLabel('Delay of getSession, in ms').press('Tab')
      await expect
        .poll(() => server.mock.controls.delay.get())
        .toEqual({ all: '300', operations: { getSession: '10-20' } })
      await expect.poll(() => page.getByLabel('Delay of all responses').inputValue()).toBe('300')
      await page.getByLabel('Delay of all responses').fill('soon')
      await page.getByLabel('Delay of all responses').press('Enter')
      await showsMessage(page, '"soon" is not a delay')
    }))

  it('shows requests as they arrive, with the reason of each reply and a command that repeats it', () =>
    visit(
      async (page) => {
        await fetch(`${server.url}/v1/projects`, { headers: { cookie: 'session=acme-viewer' } })
        const entry = page
          .getByRole('list')
          .locator('li', { hasText: '/v1/projects' })
          .filter({ hasText: 'acme-viewer' })
        await entry.locator('summary').click()
        const line = `curl -i ${server.url}/v1/projects -b session=acme-viewer`
        await entry.getByText(line).waitFor()
        await entry.getByRole('button', { name: 'Copy as curl' }).click()
        await showsMessage(page, 'Copied')
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line)
        await page.getByRole('button', { name: 'Clear the log' }).click()
        await page.getByText('No requests yet').waitFor()
        expect(await server.mock.controls.log.read()).toEqual([])
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ))

  it('shows what a request changed, sends it again, goes back to before it, and undoes', () =>
    visit(async (page) => {
      const projects = () => server.mock.export().then((state) => state.projects.length)
      const first = await projects()
      await fetch(`${server.url}/v1/projects`, {
        method: 'POST',
        headers: { cookie: 'session=acme-owner', 'content-type': 'application/json' },
        body: '{"name":"Apollo"}',
      })
      const entry = page.getByRole('list').locator('li', { hasText: 'POST' })
      await entry.locator('summary').click()
      await entry.getByRole('region', { name: 'Request' }).getByText('{"name":"Apollo"}').waitFor()
      await entry.getByRole('region', { name: 'Response' }).getByText('"status":"active"').waitFor()
      await entry.getByRole('region', { name: 'What it changed' }).getByText('"name":"Apollo"').waitFor()

      await entry.getByRole('button', { name: 'Rewind to before it' }).click()
      await showsMessage(page, 'Done: rewind to before request')
      expect(await projects()).toBe(first)
      await page.getByRole('button', { name: 'Undo' }).click()
      await showsMessage(page, 'Undone: rewind to before request')
      expect(await projects()).toBe(first + 1)
      await page.getByRole('button', { name: 'Redo' }).click()
      await showsMessage(page, 'Made again: rewind to before request')
      await page.getByRole('button', { name: 'Redo' }).click()
      await showsMessage(page, 'There is nothing to redo.')

      await entry.getByLabel('Body').fill('{"name":"Gemini"}')
      await entry.getByLabel('As').selectOption('acme-member')
      await entry.getByRole('button', { name: 'Send again' }).click()
      await showsMessage(page, ': 201.')
      const [sent] = (await server.mock.controls.log.read()).slice(-1)
      expect(sent).toMatchObject({ session: 'acme-member', status: 201 })
      expect((await server.mock.export()).projects.at(-1)?.name).toBe('Gemini')
    }))

  it('saves, loads and deletes snapshots, downloads and loads a state, and resets', () =>
    visit(async (page) => {
      await page.getByText('2 teams, 6 users, 6 projects, 2 waitlist').waitFor()
      await page.getByLabel('Snapshot').fill('six')
      await page.getByLabel('Snapshot').press('Enter')
      await showsMessage(page, 'Saved as six')

      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download' }).click()
      const state = JSON.parse(await readFile(await (await download).path(), 'utf8'))
      expect(state).toEqual(parseState(fixture))
      const upload = (value: unknown) =>
        page.getByLabel('Load a file').setInputFiles({
          name: 'mine.json',
          mimeType: 'application/json',
          buffer: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
        })
      await upload({ ...state, projects: [] })
      await page.getByText('0 projects').waitFor()
      await upload({ ...state, teams: [] })
      await showsMessage(page, 'projects[0].teamId: no team')
      await upload('{')
      await showsMessage(page, 'mine.json is not JSON')

      await page.getByRole('button', { name: 'Load six' }).click()
      await page.getByText('6 projects').waitFor()
      await upload({ ...state, projects: [] })
      await page.getByText('0 projects').waitFor()
      await page.getByRole('button', { name: 'Reset everything' }).click()
      await page.getByText('6 projects').waitFor()
      await page.getByRole('button', { name: 'Delete six' }).click()
      await showsMessage(page, 'Deleted six')
      await page.getByRole('button', { name: 'Load six' }).waitFor({ state: 'detached' })
      expect(await server.mock.controls.snapshots.list()).toEqual([])
    }))

  it('stops the clock', () =>
    visit(async (page) => {
      await page.getByLabel('Clock').fill('2026-01-01T00:00:00Z')
      await page.getByLabel('Clock').press('Enter')
      await page.getByText('2026-01-01T00:00:00.000Z: stopped').waitFor()
      await page.getByRole('button', { name: 'Real time' }).click()
      await page.getByText('the real time').waitFor()
    }))

  it('works with the keyboard alone', () =>
    visit(async (page) => {
      await page.keyboard.press('Tab')
      await page
        .getByRole('button', { name: /^acme-owner/ })
        .and(page.locator(':focus-visible'))
        .waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await showsMessage(page, 'Signed in here as acme-member')
      await page
        .getByRole('button', { name: /^acme-member/ })
        .and(page.locator(':focus'))
        .waitFor()
    }))

  it('links to the error pages', () =>
    visit(async (page) => {
      await page.getByRole('link', { name: 'PROJECT_NAME_TAKEN' }).click()
      await page.getByRole('heading', { name: 'PROJECT_NAME_TAKEN' }).waitFor()
    }))

  it('shows on a phone who sent a request, when, and the whole outcome, and boxes that can be tapped', () =>
    visit(
      async (page) => {
        await fetch(`${server.url}/v1/projects`, {
          method: 'POST',
          headers: { cookie: 'session=acme-viewer', 'content-type': 'application/json' },
          body: '{"name":"x"}',
        })
        const summary = page.locator('#log summary')
        const time = summary.getByText(/^\d\d:\d\d:\d\d$/)
        const outcome = summary.getByText('403 INSUFFICIENT_PERMISSIONS', { exact: true })
        const reason = summary.getByText('acme-viewer · permission check', { exact: true })
        for (const part of [time, outcome, reason]) {
          expect(await part.isVisible()).toBe(true)
          expect(await part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
        }
        const boxes = page.locator('.switch')
        expect(await boxes.count()).toBe(8)
        for (const box of await boxes.all()) {
          expect((await box.boundingBox())?.height).toBeGreaterThanOrEqual(38)
          expect((await box.getByRole('checkbox').boundingBox())?.width).toBeGreaterThanOrEqual(17)
        }
      },
      { viewport: { width: 390, height: 844 } },
    ))

  it.each(['light', 'dark'] as const)('fits a narrow screen in %s mode', (colorScheme) =>
    visit(
      async (page) => {
        await fetch(`${server.url}/v1/projects/${'x'.repeat(300)}`, { method: 'PATCH' })
        await page.locator('#log li').waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
        const [background, foreground] = await page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body)
          return [backgroundColor, color].map((text) => Number(/\d+/.exec(text)?.[0]))
        })
        expect((background ?? 0) > (foreground ?? 0)).toBe(colorScheme === 'light')
      },
      { viewport: { width: 360, height: 700 }, colorScheme },
    ),
  )
})

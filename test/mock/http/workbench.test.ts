import { readdir, readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
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

/** Opens the page in a context of its own; anything in its console that is wrong fails the test. */
async function visit(act: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser().newContext({ baseURL: server.url, ...options })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => {
    const isTrouble = message.type() === 'error' && !message.text().startsWith('Failed to load resource')
    if (isTrouble) troubles.push(message.text())
  })
  try {
    await page.goto('/')
    await page.getByText(`Connected to ${server.url}`).waitFor()
    await page.getByRole('button', { name: /^acme-owner/ }).waitFor()
    await act(page)
    expect(troubles).toEqual([])
  } finally {
    await context.close()
  }
}

const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
const call = (page: Page, path: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([path, init]) => {
      const response = await fetch(path, init).catch((error) => error as Error)
      return response instanceof Error
        ? response.message
        : { status: response.status, body: await response.json() }
    },
    [path, init] as const,
  )

describe('the page of the dev server', { timeout: 60_000 }, () => {
  it('signs in here by a click, and out', () =>
    visit(async (page) => {
      await page.getByRole('button', { name: /^acme-viewer/ }).click()
      await page.getByRole('button', { name: /^acme-viewer/, pressed: true }).waitFor()
      expect(await call(page, '/v1/auth/me')).toMatchObject({
        body: { user: { email: 'vera@acme.example' } },
      })
      // From elsewhere, as by the command line.
      await server.mock.controls.sessions.use('globex-owner')
      await page.getByRole('button', { name: /^globex-owner/, pressed: true }).waitFor()
      await page.getByRole('button', { name: 'Sign out here' }).click()
      await page.getByRole('button', { pressed: true }).waitFor({ state: 'detached' })
      expect(await call(page, '/v1/auth/me')).toMatchObject({ status: 401 })
    }))

  it('forces an outcome, once or until it is cleared, and shows what is forced from elsewhere', () =>
    visit(async (page) => {
      const outcome = page.getByLabel('Outcome of listProjects')
      await outcome.selectOption('SERVICE_UNAVAILABLE')
      await expect.poll(() => server.mock.controls.scenarios.list()).toHaveLength(1)
      expect(await call(page, '/v1/projects')).toMatchObject({ body: { code: 'SERVICE_UNAVAILABLE' } })

      await page.locator('#operations > div', { hasText: 'listProjects' }).getByLabel('once').check()
      await expect.poll(async () => (await server.mock.controls.scenarios.list())[0]?.times).toBe(1)
      expect(await call(page, '/v1/projects')).toMatchObject({ status: 503 })
      await expect.poll(() => outcome.inputValue()).toBe('')
      expect(await call(page, '/v1/projects')).toMatchObject({ status: 401 })

      await page.getByLabel('empty').check()
      await server.mock.controls.scenarios.set({ target: 'getSession', outcome: 'hang', times: 2 })
      await page.getByText('2 left').waitFor()
      await page.getByRole('button', { name: 'Force nothing' }).click()
      await expect.poll(() => page.getByLabel('empty').isChecked()).toBe(false)
      expect(await server.mock.controls.scenarios.list()).toEqual([])
    }))

  it('breaks a connection just once, though a browser would try again by itself', () =>
    visit(async (page) => {
      await call(page, '/v1/projects')
      await server.mock.controls.scenarios.set({ target: 'listProjects', outcome: 'drop', times: 1 })
      expect(await call(page, '/v1/projects')).toBe('Failed to fetch')
      expect(await call(page, '/v1/projects')).toMatchObject({ status: 401 })
    }))

  it('delays answers, all or of one operation, and says what is not a delay', () =>
    visit(async (page) => {
      await page.getByRole('button', { name: '300', exact: true }).click()
      await page.getByLabel('Delay of getSession, in ms').fill('10-20')
      await page.getByLabel('Delay of getSession, in ms').press('Tab')
      await expect
        .poll(() => server.mock.controls.delay.get())
        .toEqual({ all: '300', operations: { getSession: '10-20' } })
      await expect.poll(() => page.getByLabel('Delay of every answer').inputValue()).toBe('300')
      await page.getByLabel('Delay of every answer').fill('soon')
      await page.getByLabel('Delay of every answer').press('Enter')
      await said(page, '"soon" is not a delay')
    }))

  it('shows requests as they come, and why, with a command that repeats each', () =>
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
        await entry.getByRole('button', { name: 'Copy' }).click()
        await said(page, 'Copied')
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line)
        await page.getByRole('button', { name: 'Clear the log' }).click()
        await page.getByText('None yet').waitFor()
        expect(await server.mock.controls.log.read()).toEqual([])
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ))

  it('saves and loads snapshots, downloads and loads a state, and resets', () =>
    visit(async (page) => {
      await page.getByText('2 teams, 6 users, 6 projects, 2 waitlist').waitFor()
      await page.getByLabel('Snapshot').fill('six')
      await page.getByLabel('Snapshot').press('Enter')
      await said(page, 'Saved as six')

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
      await said(page, 'projects[0].teamId: no team')
      await upload('{')
      await said(page, 'mine.json is not JSON')

      await page.getByRole('button', { name: 'Load six' }).click()
      await page.getByText('6 projects').waitFor()
      await upload({ ...state, projects: [] })
      await page.getByText('0 projects').waitFor()
      await page.getByRole('button', { name: 'Reset everything' }).click()
      await page.getByText('6 projects').waitFor()
    }))

  it('stops the clock', () =>
    visit(async (page) => {
      await page.getByLabel('Clock').fill('2026-01-01T00:00:00Z')
      await page.getByLabel('Clock').press('Enter')
      await page.getByText('2026-01-01T00:00:00.000Z: standing still').waitFor()
      await page.getByRole('button', { name: 'Real time' }).click()
      await page.getByText('the real time').waitFor()
    }))

  it('works by keyboard alone', () =>
    visit(async (page) => {
      await page.keyboard.press('Tab')
      await page
        .getByRole('button', { name: /^acme-owner/ })
        .and(page.locator(':focus-visible'))
        .waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await said(page, 'Signed in here as acme-member')
      await page
        .getByRole('button', { name: /^acme-member/ })
        .and(page.locator(':focus'))
        .waitFor()
    }))

  it('leads to the pages about errors', () =>
    visit(async (page) => {
      await page.getByRole('link', { name: 'PROJECT_NAME_TAKEN' }).click()
      await page.getByRole('heading', { name: 'PROJECT_NAME_TAKEN' }).waitFor()
    }))

  it.each(['light', 'dark'] as const)('fits a narrow screen, %s', (colorScheme) =>
    visit(
      async (page) => {
        await fetch(`${server.url}/v1/projects/${'x'.repeat(300)}`, { method: 'PATCH' })
        await page.locator('#log li').waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
        const [back, front] = await page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body)
          return [backgroundColor, color].map((text) => Number(/\d+/.exec(text)?.[0]))
        })
        expect((back ?? 0) > (front ?? 0)).toBe(colorScheme === 'light')
      },
      { viewport: { width: 360, height: 700 }, colorScheme },
    ),
  )

  it('is small, and runs no script but its own', async () => {
    const folder = fileURLToPath(new URL('../../../workbench/', import.meta.url))
    const sizes = (await readdir(folder)).map(async (name) => (await stat(folder + name)).size)
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThan(40_000)
    const response = await fetch(server.url)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; (?!.*unsafe)/,
    )
    expect((await fetch(`${server.url}/__dev/`)).status).toBe(200)
  })
})

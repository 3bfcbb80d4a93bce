import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { type DevServer, type DevServerOptions, startDevServer } from '../../src/mock/http/dev-server.js'
import { parseState } from '../../src/store/state-file.js'
import { browserOfFile } from './visit.js'

/** @property isPage whether the path is another page of the mock, which leads to the workbench */
type Options = BrowserContextOptions & { path?: string; isPage?: boolean }

/** Serves the page of the mock for the tests of a file. Each test opens it in a new context. */
export function setUpWorkbench(options: Partial<DevServerOptions> = {}) {
  const browser = browserOfFile()
  let server: DevServer
  beforeAll(async () => {
    server = await startDevServer({ fixtures: parseState(fixture), port: 0, onError: () => {}, ...options })
  })
  afterEach(async () => {
    await server.mock.controls.reset()
  })
  afterAll(() => server?.close())

  /** Opens the page. An exception or an error in its console fails the test. */
  async function visit(
    act: (page: Page) => Promise<void>,
    { path = '/', isPage = false, ...more }: Options = {},
  ) {
    const context = await browser().newContext({ baseURL: server.url, ...more })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      const isProblem = message.type() === 'error' && !message.text().startsWith('Failed to load resource')
      if (isProblem) problems.push(message.text())
    })
    try {
      await page.goto(path)
      if (isPage) return await act(page)
      await page.getByText(`Connected to ${new URL(server.url).host}`).waitFor({ state: 'attached' })
      await page.getByRole('button', { name: /^(You are|This browser is) (?!…)/ }).waitFor()
      await act(page)
      expect(problems).toEqual([])
    } finally {
      await context.close()
    }
  }

  /** Sends a request to the mock, not from the page. */
  const send = (path: string, persona: string, body?: unknown, method = body ? 'POST' : 'GET') =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { cookie: `session=${persona}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  return {
    visit,
    send,
    server: () => server,
    controls: () => server.mock.controls,
    projects: async () => (await server.mock.export()).projects,
  }
}

// Locators of the page, by visible and accessible names.

export const log = (page: Page) => page.getByRole('grid', { name: 'Requests' })
/** Searches a status only in its cell: adjacent times and durations may contain the same digits. */
export const row = (page: Page, text: string) =>
  requests(page).filter(
    /^\d{3}$/.test(text) ? { has: page.locator('.result', { hasText: text }) } : { hasText: text },
  )
/** The rows of the requests, without callers and the bar. */
export const requests = (page: Page) => log(page).locator('.log-row')
export const details = (page: Page) => page.getByRole('region', { name: 'Details' })
export const next = (page: Page) => page.getByRole('region', { name: 'Next' })
/** The control that ends what is not as usual, such as `createProject: drop (next request)`. */
export const endOf = (page: Page, text: string) =>
  next(page).getByRole('button', { name: `End ${text}`, exact: true })
export const now = (page: Page) => page.getByRole('slider', { name: 'Now' })
export const command = (page: Page) => page.getByRole('combobox', { name: 'Command' })
export const suggestion = (page: Page, name: string | RegExp) =>
  page.getByRole('listbox', { name: 'What it does' }).getByRole('option', { name })
export const choice = (page: Page, name: string | RegExp) =>
  page.locator('.picker').getByRole('option', { name })
export const tab = (page: Page, name: string) => page.getByRole('link', { name })
export const cell = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true })
export const outcomeOf = (page: Page, target: string) =>
  page.getByRole('region', { name: 'Handlers' }).getByRole('button', { name: `Outcome of ${target}` })
export const showsMessage = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()
/** The button of the message. */
export const undoIn = (page: Page) => page.locator('.toast').getByRole('button', { name: 'Undo' })

export const fetchIn = (page: Page, path: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([path, init]) => {
      const response = await fetch(path, init).catch((error) => error as Error)
      return response instanceof Error
        ? response.message
        : { status: response.status, body: await response.json() }
    },
    [path, init] as const,
  )

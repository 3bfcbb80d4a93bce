import { readFile } from 'node:fs/promises'
import axe from 'axe-core'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { type DevServer, startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'
import { isTooWide } from '../../browser/contrast.js'
import { browserOfFile } from '../../browser/visit.js'

const browser = browserOfFile()
let server: DevServer
beforeAll(async () => {
  server = await startDevServer({ fixtures: parseState(fixture), port: 0, onError: () => {} })
})
afterEach(async () => {
  await server.mock.controls.reset()
})
afterAll(() => server?.close())

/** Opens the page in its own context. An exception or an error in its console fails the test. */
async function visit(
  act: (page: Page) => Promise<void>,
  { path = '/', ...options }: BrowserContextOptions & { path?: string } = {},
): Promise<void> {
  const context = await browser().newContext({ baseURL: server.url, ...options })
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
    await page.getByText(`Connected to ${new URL(server.url).host}`).waitFor({ state: 'attached' })
    await page.locator('#personas button').first().waitFor({ state: 'attached' })
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

/** Sends a request to the mock, not from the page. */
const send = (path: string, persona: string, body?: unknown, method = body ? 'POST' : 'GET') =>
  fetch(`${server.url}${path}`, {
    method,
    headers: { cookie: `session=${persona}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const projects = async () => (await server.mock.export()).projects
const log = (page: Page) => page.getByRole('grid', { name: 'Requests' })
const row = (page: Page, text: string) => log(page).getByRole('row').filter({ hasText: text })
const details = (page: Page) => page.getByRole('region', { name: 'Details' })
const inForce = (page: Page) => page.getByRole('region', { name: 'In force' })
const identity = (page: Page, text: string) => page.getByRole('button', { name: text })
const outcomeOf = (page: Page, target: string) =>
  page.getByRole('region', { name: 'Outcomes' }).getByRole('button', { name: `Outcome of ${target}` })
const choose = async (page: Page, menu: Locator, item: string) => {
  await menu.click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const more = (page: Page, item: string) =>
  choose(page, details(page).getByRole('button', { name: 'More' }), item)

describe('the workbench', () => {
  it('signs in by a click, and out, and says whom it speaks of', () =>
    visit(async (page) => {
      await identity(page, 'signed out').click()
      const personas = page.getByRole('dialog', { name: 'Personas' })
      await personas.getByRole('button', { name: /^acme-viewer/ }).click()
      await identity(page, 'This browser is acme-viewer without a cookie: nobody').waitFor()
      expect(await fetchIn(page, '/v1/auth/me')).toMatchObject({
        body: { user: { email: 'vera@acme.example' } },
      })
      // By another interface, such as the command line.
      await server.mock.controls.sessions.use('globex-owner')
      await identity(page, 'globex-owner').click()
      await personas.getByRole('button', { name: /^globex-owner/, pressed: true }).waitFor()
      const answers = personas.getByRole('definition')
      expect(await answers.allInnerTexts()).toEqual(['globex-owner', 'nobody', 'globex-owner'])
      await page.getByRole('button', { name: 'Sign out' }).click()
      await identity(page, 'You are signed out').waitFor()
      expect(await fetchIn(page, '/v1/auth/me')).toMatchObject({ status: 401 })
    }))

  it('claims nothing before the mock has told', () =>
    visit(async (page) => {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(/__dev\/(sessions|log|history)$/, async (route) => {
        await released
        await route.continue()
      })
      await page.reload()
      await page.getByRole('link', { name: 'Log' }).waitFor()
      expect(await identity(page, 'You are').innerText()).toBe('You are …')
      expect(await page.getByText('No requests yet.').isVisible()).toBe(false)
      expect(await page.getByRole('button', { name: /Undo|Redo/, disabled: true }).count()).toBe(2)
      release()
      await page.getByText('No requests yet.').waitFor()
      await identity(page, 'You are signed out').waitFor()
    }))

  it('forces an outcome, limited or until cleared, and shows whatever is in force', () =>
    visit(
      async (page) => {
        const outcome = outcomeOf(page, 'listProjects')
        await choose(page, outcome, 'SERVICE_UNAVAILABLE')
        await inForce(page).getByText('listProjects: SERVICE_UNAVAILABLE').waitFor()
        expect(await fetchIn(page, '/v1/projects')).toMatchObject({ body: { code: 'SERVICE_UNAVAILABLE' } })

        await choose(page, outcome, 'Limits and delay…')
        const form = page.getByRole('dialog', { name: 'Outcome of listProjects' })
        await form.getByLabel('How many times').fill('1')
        await form.getByLabel('For').selectOption('acme-owner')
        await form.getByRole('button', { name: 'Apply' }).click()
        await inForce(page).getByText('(1 left, for acme-owner)').waitFor()
        expect(await fetchIn(page, '/v1/projects')).toMatchObject({ status: 401 })
        await send('/v1/projects', 'acme-owner')
        await outcomeOf(page, 'listProjects: as usual').waitFor()

        await page.getByLabel('empty').check()
        await server.mock.controls.scenarios.set({ target: 'getSession', outcome: 'hang', times: 2 })
        await inForce(page).getByText('2 left').waitFor()
        await page.getByRole('button', { name: 'End empty: on' }).click()
        await expect.poll(() => page.getByLabel('empty').isChecked()).toBe(false)
        await page.getByRole('button', { name: 'Clear all' }).click()
        await inForce(page).waitFor({ state: 'hidden' })
        expect(await server.mock.controls.scenarios.list()).toEqual([])
      },
      { path: '/#outcomes' },
    ))

  it('finds an operation, those that are forced first, then those that were called last', () =>
    visit(
      async (page) => {
        const pane = page.getByRole('region', { name: 'Outcomes' })
        const headings = () => pane.locator('#operations').getByRole('heading').allInnerTexts()
        await expect.poll(headings).toEqual(['/v1/projects', '/v1'])
        await fetchIn(page, '/v1/auth/me')
        await pane.getByText('1 call', { exact: true }).waitFor()
        expect(await headings()).toEqual(['/v1', '/v1/projects'])
        await server.mock.controls.scenarios.set({ target: 'joinWaitlist', outcome: 'drop' })
        await expect.poll(headings).toEqual(['Forced', '/v1', '/v1/projects'])
        await page.getByLabel('Search in the operations').fill('patch proj')
        await expect.poll(headings).toEqual(['/v1/projects'])
        await pane.getByText('1 of 5 operations').waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.keyboard.press('d')
        await page.keyboard.press('Enter')
        await inForce(page).getByText('updateProject: drop').waitFor()
      },
      { path: '/#outcomes' },
    ))

  it('forces an outcome where a request is seen, in two clicks', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner')
      await row(page, '/v1/projects').hover()
      await row(page, '/v1/projects').getByRole('button', { name: 'Outcome of GET /v1/projects' }).click()
      await page.getByRole('menuitem', { name: 'INTERNAL_ERROR' }).click()
      await inForce(page).getByText('listProjects: INTERNAL_ERROR').waitFor()
      await choose(
        page,
        details(page).getByRole('button', { name: 'Outcome' }),
        'As usual ends what is forced',
      )
      await inForce(page).waitFor({ state: 'hidden' })
      // For the next request alone.
      await details(page).getByRole('button', { name: 'Outcome' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Next request only' }).click()
      await page.getByRole('menuitem', { name: 'RATE_LIMITED' }).click()
      await inForce(page).getByText('listProjects: RATE_LIMITED (1 left)').waitFor()
    }))

  it('forgets the requests that a reset has cleared, though another one follows at once', () =>
    visit(async (page) => {
      for (let number = 1; number <= 3; number++) await send('/v1/projects', 'acme-owner')
      await expect.poll(() => log(page).getByRole('row').count()).toBe(3)
      await server.mock.controls.reset()
      await send('/v1/auth/me', 'acme-member')
      await expect.poll(() => log(page).getByRole('row').count()).toBe(1)
      await row(page, 'acme-member').waitFor()
    }))

  it('makes a response for what nobody answers, and exports it as handlers', () =>
    visit(async (page) => {
      for (let number = 1; number <= 3; number++) await send(`/v1/orders/${number}`, 'acme-owner')
      await row(page, '/v1/orders/3').getByText('×3').waitFor()
      // What is selected stays so while it is requested again.
      await row(page, '/v1/orders/3').click()
      await send('/v1/orders/3', 'acme-owner')
      await row(page, '/v1/orders/3').getByText('×4').waitFor()
      expect(await row(page, '/v1/orders/3').getAttribute('aria-selected')).toBe('true')
      await row(page, '/v1/orders/3').hover()
      await row(page, '/v1/orders/3').getByRole('button', { name: 'Respond' }).click()
      const form = page.getByRole('dialog', { name: 'Response of GET /v1/orders/:id' })
      await form.getByLabel('Body').fill('{"order":1}')
      await form.getByRole('button', { name: 'Respond with it' }).click()
      await inForce(page).getByText('GET /v1/orders/:id: response 200').waitFor()
      expect(await fetchIn(page, '/v1/orders/7')).toEqual({ status: 200, body: { order: 1 } })
      await row(page, '/v1/orders/7').getByText('200').waitFor()

      await page.getByRole('link', { name: 'Outcomes' }).click()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      expect(await readFile(await (await download).path(), 'utf8')).toContain('/v1/orders/:id')
    }))

  it('makes responses without a body, and keeps the content type of a text', () =>
    visit(async (page) => {
      const { scenarios } = server.mock.controls
      const form = page.getByRole('dialog')
      const open = async (path: string) => {
        await choose(page, outcomeOf(page, `GET ${path}`), 'Response of your own…')
        await form.waitFor()
      }
      const answer = async (path: string) => {
        await form.getByRole('button', { name: 'Respond with it' }).click()
        await form.waitFor({ state: 'detached' })
        const { status, headers } = await send(path, 'acme-owner')
        return [status, headers.get('content-type')]
      }
      await scenarios.set({ target: 'GET /api/gone', response: { body: {} } })
      await scenarios.set({
        target: 'GET /api/feed',
        response: { text: '<feed/>', contentType: 'application/xml' },
      })
      await page.getByRole('link', { name: 'Outcomes' }).click()
      await open('/api/gone')
      await form.getByLabel('Status').fill('204')
      await form.getByLabel('Body').fill('')
      expect(await answer('/api/gone')).toEqual([204, null])
      await open('/api/feed')
      await form.getByLabel('Status').fill('404')
      expect(await answer('/api/feed')).toEqual([404, 'application/xml'])
      // With that of the response that it begins with, too.
      await scenarios.clear('GET /api/feed')
      await page.getByRole('link', { name: 'Log' }).click()
      await row(page, '/api/feed').click()
      await details(page).getByRole('heading', { name: '/api/feed' }).waitFor()
      await more(page, 'Respond with… from now on')
      expect(await answer('/api/feed')).toEqual([404, 'application/xml'])
      // Not with a part of one that the log has cut.
      await scenarios.set({ target: 'GET /api/large', response: { text: 'x'.repeat(100_000) } })
      await send('/api/large', 'acme-owner')
      await row(page, '/api/large').click()
      await details(page).getByRole('heading', { name: '/api/large' }).waitFor()
      await more(page, 'Respond with… from now on')
      expect(await form.getByLabel('Body').inputValue()).toBe('')
      await page.keyboard.press('Escape')
    }))

  it('breaks a connection without a retry by the browser', () =>
    visit(async (page) => {
      await fetchIn(page, '/v1/projects')
      await server.mock.controls.scenarios.set({ target: 'listProjects', outcome: 'drop', times: 1 })
      expect(await fetchIn(page, '/v1/projects')).toBe('Failed to fetch')
      expect(await fetchIn(page, '/v1/projects')).toMatchObject({ status: 401 })
    }))

  it('delays responses, lets some fail at random, and stops the clock', () =>
    visit(
      async (page) => {
        const { delay, chaos } = server.mock.controls
        await page.getByRole('button', { name: '300', exact: true }).click()
        await choose(page, outcomeOf(page, 'getSession'), 'Limits and delay…')
        await page.getByRole('dialog').getByLabel('Delay, in ms').fill('10-20')
        await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
        await expect.poll(() => delay.get()).toEqual({ all: '300', operations: { getSession: '10-20' } })
        await expect.poll(() => page.getByLabel('Of all responses, in ms').inputValue()).toBe('300')
        await page.getByLabel('Of all responses, in ms').fill('soon')
        await page.getByLabel('Of all responses, in ms').press('Enter')
        await showsMessage(page, '"soon" is not a delay')

        await page.getByLabel('Fail, in %').fill('150')
        await page.getByRole('button', { name: 'Start chaos' }).click()
        await page.getByRole('alert').getByText('1.5 is not an error rate').waitFor()
        await page.getByLabel('Fail, in %').fill('100')
        await page.getByLabel('Seed').fill('7')
        await page.getByRole('combobox', { name: 'Operation' }).selectOption('listProjects')
        await page.getByRole('button', { name: 'Start chaos' }).click()
        const end = page.getByRole('button', { name: 'End chaos of listProjects: 100 % fail, seed 7' })
        await end.waitFor()
        expect(await chaos.get()).toMatchObject({ operations: { listProjects: { errorRate: 1, seed: 7 } } })
        await end.click()
        await end.waitFor({ state: 'detached' })

        await page.getByLabel('Time', { exact: true }).fill('2026-01-01T00:00:00Z')
        await page.getByLabel('Time', { exact: true }).press('Enter')
        await page.getByText('2026-01-01T00:00:00.000Z: stopped').waitFor()
        await page.getByRole('button', { name: 'Real time' }).click()
        await page.getByText('the real time').waitFor()
      },
      { path: '/#outcomes' },
    ))

  it("responds with a body of one's own, made of one in the log, if the contract allows it or it is not checked", () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner')
      await details(page).getByText('Website relaunch').first().waitFor()
      await more(page, 'Respond with… from now on')
      const form = page.getByRole('dialog', { name: 'Response of listProjects' })
      expect(await form.getByLabel('Body').inputValue()).toContain('Website relaunch')
      await form.getByLabel('Body').fill('{"projects":[{"id":1}]}')
      await form.getByRole('button', { name: 'Respond with it' }).click()
      await form.getByRole('alert').getByText('projects[0].id').waitFor()
      await form.getByLabel('Send it even if').check()
      await form.getByLabel('How many times').fill('1')
      await form.getByRole('button', { name: 'Respond with it' }).click()
      await page.getByText('listProjects: unchecked response 200 (1 left)').waitFor()
      expect(await fetchIn(page, '/v1/projects')).toMatchObject({ body: { projects: [{ id: 1 }] } })
    }))

  it('shows requests as they arrive, with the reason of each reply, and copies them', () =>
    visit(
      async (page) => {
        await send('/v1/projects', 'acme-viewer')
        await send('/v1/auth/me', 'acme-owner')
        // The newest is shown until another one is selected.
        await details(page).getByRole('heading', { name: 'GET /v1/auth/me' }).waitFor()
        await row(page, 'acme-viewer').click()
        await details(page).getByRole('heading', { name: 'GET /v1/projects' }).waitFor()
        await send('/v1/auth/me', 'acme-member')
        await row(page, 'acme-member').waitFor()
        expect(await details(page).getByText('acme-viewer').count()).toBeGreaterThan(0)
        const line = `curl -i ${server.url}/v1/projects -b session=acme-viewer -H 'content-type: application/json'`
        await more(page, 'Copy as curl c')
        await showsMessage(page, 'Copied')
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line)

        await page.getByLabel('Search in the log').fill('me OWNER 200')
        await expect.poll(() => log(page).getByRole('row').count()).toBe(1)
        await page.getByText('1 of 3 requests').waitFor()
        await page.getByLabel('Search in the log').fill('nothing like it')
        await page.getByText('No request matches').waitFor()
        await page.getByRole('button', { name: 'Clear the log' }).click()
        await page.getByText('No requests yet').waitFor()
        expect(await server.mock.controls.log.read()).toEqual([])
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ))

  it('shows what a request changed, sends it again, goes back to before it, and undoes', () =>
    visit(async (page) => {
      const first = (await projects()).length
      await send('/v1/projects', 'acme-owner', { name: 'Apollo' })
      const pane = details(page)
      await pane.getByRole('region', { name: 'Request' }).getByText('"Apollo"').waitFor()
      await pane.getByRole('region', { name: 'Response' }).getByText('"active"').waitFor()
      const changed = pane.getByRole('region', { name: /What request \d+ changed/ })
      await changed.getByRole('row', { name: 'name Apollo' }).waitFor()

      await pane.getByRole('button', { name: 'Go back' }).click()
      await showsMessage(page, 'Done: rewind to before request')
      expect(await projects()).toHaveLength(first)
      await page.getByRole('button', { name: 'Undo' }).click()
      await showsMessage(page, 'Undone: rewind to before request')
      expect(await projects()).toHaveLength(first + 1)
      await page.keyboard.press('y')
      await showsMessage(page, 'Made again: rewind to before request')
      await page.getByRole('button', { name: 'Redo', disabled: true }).waitFor()

      await pane.getByRole('button', { name: 'Edit…' }).click()
      await pane.getByLabel('Body').fill('{"name":"Gemini"}')
      await pane.getByLabel('As', { exact: true }).selectOption('acme-member')
      await pane.getByRole('button', { name: 'Send', exact: true }).click()
      await pane.getByText('"Gemini"').first().waitFor()
      const [sent] = (await server.mock.controls.log.read()).slice(-1)
      expect(sent).toMatchObject({ session: 'acme-member', status: 201 })
      expect((await projects()).at(-1)?.name).toBe('Gemini')
    }))

  it('lists, searches, sorts, adds, edits and removes data, and shows what is wrong at its field', () =>
    visit(
      async (page) => {
        const cell = (name: string) => page.getByRole('gridcell', { name, exact: true })
        await page.getByText('6 projects').waitFor()
        await page.getByLabel('Search in the data').fill('reactor')
        await page.getByText('1 of 6 projects').waitFor()
        await page.getByLabel('Search in the data').fill('')
        await page.getByText(/^6 projects/).waitFor()
        await page.getByRole('button', { name: 'name', exact: true }).click()
        await page.locator('#cell-0-0', { hasText: 'Äpfel & Birnen' }).waitFor()

        // In place.
        await cell('Mobile app').dblclick()
        const input = page.getByLabel(/^name of /)
        await input.fill('')
        await input.press('Enter')
        await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
        expect(await input.getAttribute('aria-invalid')).toBe('true')
        await input.fill('Tablet app')
        await input.press('Enter')
        await cell('Tablet app').waitFor()
        expect((await projects()).map(({ name }) => name)).toContain('Tablet app')

        await page.getByRole('button', { name: 'Add a project' }).click()
        const form = page.getByRole('dialog', { name: 'A new project' })
        await form.getByLabel('name').fill('Apollo')
        await form.getByLabel('teamId').fill('team-x')
        await form.getByRole('button', { name: 'Add' }).click()
        await form.getByRole('alert').getByText('no team "team-x"').waitFor()
        expect(await form.getByLabel('teamId').getAttribute('aria-invalid')).toBe('true')
        await form.getByLabel('teamId').fill('team-globex')
        await form.getByRole('button', { name: 'Add' }).click()
        await page.getByText('7 projects').waitFor()
        const added = (await projects()).find(({ name }) => name === 'Apollo')
        expect(added).toMatchObject({ teamId: 'team-globex', status: 'active', description: null })

        await page.getByRole('button', { name: `Remove ${added?.id}` }).click()
        await page.getByText('6 projects').waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('7 projects').waitFor()

        // A team is removed with what depends on it, once that is confirmed.
        await page.getByRole('button', { name: 'Teams' }).click()
        await page.getByText('2 teams').waitFor()
        page.once('dialog', (dialog) => {
          expect(dialog.message()).toMatch(/globex-owner.*\n\nRemove them too\?$/s)
          void dialog.accept()
        })
        await page.getByRole('button', { name: 'Remove team-globex' }).click()
        await page.getByText('1 team', { exact: true }).waitFor()
        expect((await projects()).some(({ teamId }) => teamId === 'team-globex')).toBe(false)
      },
      { path: '/#data' },
    ))

  it('leaves what nobody has edited as it is, with its line breaks', () =>
    visit(async (page) => {
      const description = 'First line\nsecond line'
      const { data, log: stored } = server.mock.controls
      await data.set('projects', fixture.projects[0]?.id ?? '', { name: 'Two lines', description })
      const found = async () => (await projects()).find((project) => project.id === fixture.projects[0]?.id)
      await page.getByRole('link', { name: 'Data' }).click()
      await page.getByRole('gridcell', { name: 'First line' }).dblclick()
      await page.getByLabel(/^description of /).press('Enter')
      await page.getByRole('button', { name: `Edit ${fixture.projects[0]?.id}` }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('name').fill('Renamed')
      await form.getByRole('button', { name: 'Save' }).click()
      await form.waitFor({ state: 'detached' })
      expect(await found()).toMatchObject({ name: 'Renamed', description })

      const body = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'
      await fetch(`${server.url}/api/upload`, { method: 'POST', body })
      await page.getByRole('link', { name: 'Log' }).click()
      await row(page, '/api/upload').click()
      await details(page).getByRole('button', { name: 'Edit…' }).click()
      await details(page).getByLabel('Path').fill('/api/other')
      await details(page).getByRole('button', { name: 'Send', exact: true }).click()
      await row(page, '/api/other').waitFor()
      const [sent] = (await stored.read()).slice(-1)
      expect((await stored.entry(sent?.id ?? 0)).request.body?.text).toBe(body)
    }))

  it('adds a persona with a team of its own, and signs in as it', () =>
    visit(async (page) => {
      await identity(page, 'You are').click()
      await page.getByRole('button', { name: 'New persona…' }).click()
      const form = page.getByRole('dialog', { name: 'A new persona' })
      await form.getByLabel('Name', { exact: true }).fill('not a name')
      await form.getByRole('button', { name: 'Add' }).click()
      await form.getByRole('alert').getByText('Use letters').waitFor()
      await form.getByLabel('Name', { exact: true }).fill('initech-owner')
      await form.getByLabel('Organisation').fill('org_initech')
      await form.getByLabel('Name of a new team').fill('Initech')
      await form.getByLabel('update:projects').uncheck()
      await form.getByRole('button', { name: 'Add' }).click()
      await identity(page, 'This browser is initech-owner').waitFor()
      expect(await fetchIn(page, '/v1/auth/me')).toMatchObject({
        body: { organization: { orgCode: 'org_initech' }, permissions: ['create:projects'] },
      })
      await page.getByRole('link', { name: 'Data' }).click()
      await page.getByRole('button', { name: 'Sessions' }).click()
      await page.getByRole('button', { name: 'Remove initech-owner' }).click()
      await page.getByText('10 sessions').waitFor()
      await page.getByRole('button', { name: 'Users' }).click()
      await page.getByText('6 users').waitFor()
    }))

  it('saves, loads and deletes snapshots, downloads and loads a state, and resets', () =>
    visit(
      async (page) => {
        await page.getByLabel('Snapshot', { exact: true }).fill('six')
        await page.getByLabel('Snapshot', { exact: true }).press('Enter')
        await showsMessage(page, 'Saved as six')

        const download = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Download' }).click()
        const state = JSON.parse(await readFile(await (await download).path(), 'utf8'))
        expect(state).toEqual(parseState(fixture))
        const upload = (value: unknown) =>
          page.getByLabel('Load a file').setInputFiles({
            name: 'mine.json',
            mimeType: 'application/json',
            buffer: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
          })
        await upload({ ...state, projects: [] })
        await showsMessage(page, 'Loaded mine.json')
        expect(await projects()).toEqual([])
        await upload({ ...state, teams: [] })
        await showsMessage(page, 'projects[0].teamId: no team')
        await upload('{')
        await showsMessage(page, 'mine.json is not JSON')

        await page.getByRole('button', { name: 'Load six' }).click()
        await showsMessage(page, 'Loaded six')
        expect(await projects()).toHaveLength(6)
        await page.getByRole('button', { name: 'Delete six' }).click()
        await showsMessage(page, 'Deleted six')
        await page.getByRole('button', { name: 'Load six' }).waitFor({ state: 'detached' })
        expect(await server.mock.controls.snapshots.list()).toEqual([])
        await upload({ ...state, projects: [] })
        await showsMessage(page, 'Loaded mine.json')
        await page.getByRole('button', { name: 'Reset everything' }).click()
        await showsMessage(page, 'Everything was reset')
        expect(await projects()).toHaveLength(6)

        await page.getByRole('link', { name: 'PROJECT_NAME_TAKEN' }).click()
        await page.getByRole('heading', { name: 'PROJECT_NAME_TAKEN' }).waitFor()
      },
      { path: '/#state' },
    ))

  it('works with the keyboard alone, by keys that docs/mock.md lists', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner', { name: 'Apollo' })
      await send('/v1/projects', 'acme-viewer')
      await row(page, 'acme-viewer').waitFor()
      const { keyboard } = page
      await keyboard.press('p')
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      await showsMessage(page, 'Signed in here as acme-member')

      await keyboard.press('j')
      await details(page).getByRole('heading', { name: 'POST /v1/projects' }).waitFor()
      await keyboard.press('w')
      await showsMessage(page, 'Done: rewind to before request')
      await keyboard.press('u')
      await showsMessage(page, 'Undone: rewind')
      await keyboard.press('a')
      await details(page).getByRole('heading', { name: '409 PROJECT_NAME_TAKEN' }).waitFor()
      await keyboard.press('f')
      await keyboard.press('End')
      await keyboard.press('Enter')
      await inForce(page).getByText('createProject: hang').waitFor()
      await keyboard.press('1')
      await keyboard.press('End')
      await details(page).getByRole('heading', { name: 'POST /v1/projects 201' }).waitFor()
      await keyboard.press('/')
      await keyboard.type('viewer')
      await page.getByText('1 of 3').waitFor()
      await keyboard.press('Escape')

      await keyboard.press('2')
      await page.getByText('7 projects').waitFor()
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      await keyboard.type('Moved by keys')
      await keyboard.press('Enter')
      await page.getByRole('gridcell', { name: 'Moved by keys' }).waitFor()
      await page.getByRole('button', { name: 'status' }).focus()
      await keyboard.press('Enter')
      await page
        .getByRole('columnheader', { name: 'status' })
        .and(page.locator('[aria-sort=ascending]'))
        .waitFor()
      await keyboard.press('Enter')
      await page
        .getByRole('columnheader', { name: 'status' })
        .and(page.locator('[aria-sort=descending]'))
        .waitFor()
      await page.getByRole('grid', { name: 'Projects' }).focus()
      await keyboard.press('Delete')
      await page.getByText('6 projects').waitFor()

      await keyboard.press('?')
      const keys = await page.getByRole('dialog', { name: 'Keys' }).locator('dt').allInnerTexts()
      const documented = await readFile(new URL('../../../docs/mock.md', import.meta.url), 'utf8')
      expect(keys.filter((key) => !documented.includes(`\`${key}\``))).toEqual([])
      await page.getByLabel('Single letters').uncheck()
      await keyboard.press('Escape')
      await keyboard.press('1')
      await page.getByText('6 projects').waitFor()
    }))

  it('leaves the focus in a field that one has gone to while a pane loads', () =>
    visit(async (page) => {
      await page.getByText('No requests yet.').waitFor()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(/__dev\/clock$/, async (route) => {
        await held
        await route.continue()
      })
      await page.keyboard.press('3')
      const delay = page.getByLabel('Of all responses, in ms')
      await delay.fill('242')
      release()
      await page.getByText("The mock's time is").waitFor()
      expect(await delay.evaluate((field) => field.matches(':focus'))).toBe(true)
    }))

  it('is never changed by keys that lead through it', () =>
    visit(async (page) => {
      const before = await server.mock.controls.state.export()
      await page.getByText('No requests yet.').waitFor()
      // A number does not lead into a field, where the next keys would be typed.
      for (const key of ['3', '4', '2', '1', '3', '2', '4']) await page.keyboard.press(key)
      const delay = page.getByLabel('Of all responses, in ms')
      await page.keyboard.press('3')
      await delay.fill('242')
      await delay.press('Escape')
      expect(await delay.inputValue()).toBe('')
      await delay.focus()
      for (let fields = 0; fields < 6; fields++) await page.keyboard.press('Tab')
      await page.getByRole('button', { name: 'Start chaos' }).focus()
      await page.keyboard.press('4')
      const { delay: delays, scenarios, chaos, clock } = server.mock.controls
      expect(await delays.get()).toEqual({ all: '0', operations: {} })
      expect([await scenarios.list(), await chaos.get()]).toEqual([[], { operations: {} }])
      expect(await clock.get()).toMatchObject({ mode: 'real' })
      expect(await server.mock.controls.state.export()).toEqual(before)
      await page.keyboard.press('3')
      await delay.fill('5')
      await delay.press('Enter')
      await expect.poll(() => delays.get()).toMatchObject({ all: '5' })
    }))

  it('shows the persona, the log and the details of a request together, and fits screens of 320 to 2000 px', () =>
    visit(
      async (page) => {
        await send(`/v1/projects/${'x'.repeat(300)}`, 'acme-owner', { name: 'y'.repeat(300) }, 'PATCH')
        await row(page, '404').waitFor()
        const inView = async (name: string) => {
          const box = await page.locator(name).boundingBox()
          return box !== null && box.y >= 0 && box.y + Math.min(box.height, 300) <= 800
        }
        for (const name of ['#who', '#log', '#details .messages']) {
          expect([name, await inView(name)]).toEqual([name, true])
        }
        for (const width of [320, 390, 768, 1280, 2000]) {
          await page.setViewportSize({ width, height: 800 })
          for (const pane of ['log', 'data', 'outcomes', 'state']) {
            await page.evaluate((hash) => {
              location.hash = hash
            }, pane)
            await page.locator(`body[data-pane=${pane}]`).waitFor()
            expect([width, pane, await isTooWide(page)]).toEqual([width, pane, false])
          }
        }
      },
      { viewport: { width: 1280, height: 800 } },
    ))

  it('shows on a phone who sent a request, when, and the whole outcome, and boxes that can be tapped', () =>
    visit(
      async (page) => {
        await send('/v1/projects', 'acme-viewer', { name: 'x' })
        const entry = log(page).getByRole('row')
        await entry.waitFor()
        const time = entry.getByText(/^\d\d:\d\d:\d\d$/)
        const outcome = entry.getByText('403 INSUFFICIENT_PERMISSIONS', { exact: true })
        for (const part of [time, outcome, entry.getByText('acme-viewer', { exact: true })]) {
          expect(await part.isVisible()).toBe(true)
          expect(await part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
        }
        await page.getByRole('link', { name: 'Outcomes' }).click()
        const boxes = page.locator('.switch:visible')
        await boxes.first().waitFor()
        expect(await boxes.count()).toBe(3)
        for (const box of await boxes.all()) {
          expect((await box.boundingBox())?.height).toBeGreaterThanOrEqual(36)
          expect((await box.getByRole('checkbox').boundingBox())?.width).toBeGreaterThanOrEqual(16)
        }
      },
      { viewport: { width: 390, height: 844 } },
    ))

  it.each(['light', 'dark'] as const)(
    'is accessible in each pane in %s mode, by the rules of axe',
    (colorScheme) =>
      visit(
        async (page) => {
          await send('/v1/projects', 'acme-owner', { name: 'Apollo' })
          await send('/v1/projects', 'acme-viewer', { name: 'x' })
          await server.mock.controls.delay.set(1)
          await row(page, '403').click()
          await page.evaluate(axe.source)
          for (const pane of ['log', 'data', 'outcomes', 'state']) {
            await page.evaluate((hash) => {
              location.hash = hash
            }, pane)
            if (pane === 'data') await page.getByRole('gridcell').first().waitFor()
            if (pane === 'outcomes') await outcomeOf(page, 'listProjects').waitFor()
            if (pane === 'state') {
              await identity(page, 'You are').click()
              expect(await faults(page, rulesFor(colorScheme))).toEqual([])
              await page.getByRole('button', { name: 'New persona…' }).click()
            }
            expect(await faults(page, rulesFor(colorScheme))).toEqual([])
            if (pane !== 'log') continue
            await details(page).getByRole('button', { name: 'More' }).click()
            expect(await faults(page, rulesFor(colorScheme))).toEqual([])
            await page.keyboard.press('Escape')
          }
          const brightness = await page.evaluate(() =>
            Number(/\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)?.[0]),
          )
          expect(brightness > 128).toBe(colorScheme === 'light')
        },
        { colorScheme },
      ),
  )

  it('has few elements however long the log and the data are', () =>
    visit(async (page) => {
      const { state, log: stored } = server.mock.controls
      const [project] = fixture.projects
      const many = Array.from({ length: 10_000 }, (_, i) => ({
        ...project,
        id: `p${i}`,
        name: `Project ${i}`,
      }))
      await state.load({ ...fixture, projects: many })
      await page.route('**/__dev/log', async (route) => {
        const [entry] = await stored.read()
        const entries = Array.from({ length: 10_000 }, (_, i) => ({
          ...entry,
          id: i + 1,
          path: `/v1/nr/${i}`,
        }))
        await route.fulfill({ json: entries })
      })
      await page.route('**/__dev/log/size', (route) => route.fulfill({ json: 10_000 }))
      await page.route(/log\?limit=/, (route) => route.fulfill({ json: [{ id: 1 }] }))
      await page.route('**/log/follow*', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: 'retry: 600000\n\n' }),
      )
      await send('/v1/projects', 'expired')
      await page.reload()
      await page.getByText('10,000 requests').waitFor()
      expect(await page.getByRole('row').count()).toBeLessThan(60)
      await log(page).press('End')
      await row(page, '/v1/nr/0').waitFor()
      await page.getByLabel('Search in the log').fill('nr/777')
      await page.getByText('11 of 10,000 requests').waitFor()

      await page.getByRole('link', { name: 'Data' }).click()
      await page.getByText('10,000 projects').waitFor()
      await page.getByRole('grid', { name: 'Projects' }).press('End')
      await page.getByRole('gridcell', { name: 'Project 9999', exact: true }).waitFor()
      expect(await page.getByRole('row').count()).toBeLessThan(80)
    }))
})

/** The colours are all that differs in the dark. */
const rulesFor = (colorScheme: 'light' | 'dark') => (colorScheme === 'dark' ? ['color-contrast'] : undefined)

/** What axe finds wrong with the page, by rule. */
const faults = (page: Page, rules?: string[]): Promise<string[]> =>
  page.evaluate(async (runOnly) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, rules)

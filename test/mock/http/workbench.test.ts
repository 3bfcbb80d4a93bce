import { readFile } from 'node:fs/promises'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { parseState, recordsOf } from '../../../src/store/state-file.js'
import { isTooWide } from '../../browser/contrast.js'
import {
  cell,
  choice,
  details,
  endOf,
  fetchIn,
  log,
  next,
  outcomeOf,
  requests,
  row,
  setUpWorkbench,
  showsMessage,
  tab,
} from '../../browser/workbench-visit.js'

const { visit, send, server, controls, projects } = setUpWorkbench()
const identity = (page: Page, text: string) => page.locator('header').getByRole('button', { name: text })
const more = async (page: Page, item: string | RegExp) => {
  await details(page).getByRole('button', { name: 'More', exact: true }).click()
  await choice(page, item).click()
}
const force = async (page: Page, target: string, item: string | RegExp) => {
  await outcomeOf(page, target).click()
  await choice(page, item).click()
}
const isNext = (page: Page, text: string) => endOf(page, text).waitFor()
const nothingIsNext = (page: Page) => next(page).getByText('everything responds as usual').waitFor()

describe('the workbench', () => {
  it('signs in and out by a click, and names the client that it describes', () =>
    visit(async (page) => {
      await identity(page, 'signed out').click()
      await choice(page, /^acme-viewer/).click()
      await identity(page, 'This browser is acme-viewer without a cookie: signed out').waitFor()
      expect(await fetchIn(page, '/v1/auth/me')).toMatchObject({
        body: { user: { email: 'vera@acme.example' } },
      })
      // Through another interface, such as the command line.
      await controls().sessions.use('globex-owner')
      await identity(page, 'globex-owner').click()
      const answers = page.getByRole('dialog', { name: 'Personas' }).getByRole('definition')
      expect(await answers.allInnerTexts()).toEqual(['globex-owner', 'signed out', 'globex-owner'])
      // A filter, as on the terminal.
      await page.keyboard.type('member')
      await choice(page, /^acme-member/).waitFor()
      await page.keyboard.press('Escape')
      await identity(page, 'globex-owner').click()
      await choice(page, 'Sign out').click()
      await identity(page, 'You are signed out').waitFor()
      expect(await fetchIn(page, '/v1/auth/me')).toMatchObject({ status: 401 })
    }))

  it('shows no state before the mock has sent it', () =>
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
      await tab(page, 'Timeline').waitFor()
      expect(await identity(page, 'You are').textContent()).toBe('You are …')
      expect(await page.getByText('This is your back end').isVisible()).toBe(false)
      expect(await page.getByRole('button', { name: /Undo|Redo/, disabled: true }).count()).toBe(2)
      release()
      await page.getByText('This is your back end').waitFor()
      await identity(page, 'You are signed out').waitFor()
    }))

  it('forces an outcome, limited or until cleared, and shows what is next until it is ended', () =>
    visit(
      async (page) => {
        const list = () => controls().scenarios.list()
        const unavailable = { target: 'listProjects', outcome: 'SERVICE_UNAVAILABLE' }
        await force(page, 'listProjects', /503 SERVICE_UNAVAILABLE/)
        await outcomeOf(page, 'listProjects: 503 SERVICE_UNAVAILABLE, forced').waitFor()
        expect(await fetchIn(page, '/v1/projects')).toMatchObject({ body: { code: 'SERVICE_UNAVAILABLE' } })
        await outcomeOf(page, 'listProjects: as usual').waitFor()

        await outcomeOf(page, 'listProjects').click()
        await page.getByRole('button', { name: 'Until cleared' }).click()
        await choice(page, /503 SERVICE_UNAVAILABLE/).click()
        await expect.poll(list).toEqual([unavailable])
        await force(page, 'listProjects', 'Limits and delay…')
        const form = page.getByRole('dialog', { name: 'Outcome of listProjects' })
        await form.getByLabel('How many times').fill('1')
        await form.getByLabel('For').selectOption('acme-owner')
        await form.getByRole('button', { name: 'Apply' }).click()
        await expect.poll(list).toEqual([{ ...unavailable, times: 1, session: 'acme-owner' }])
        expect(await fetchIn(page, '/v1/projects')).toMatchObject({ status: 401 })
        await send('/v1/projects', 'acme-owner')
        await outcomeOf(page, 'listProjects: as usual').waitFor()

        await page.getByLabel('empty').check()
        await controls().scenarios.set({ target: 'getSession', outcome: 'hang', times: 2 })
        await tab(page, 'Timeline').click()
        await isNext(page, 'getSession: hang (next 2 requests)')
        await endOf(page, 'empty: on (until cleared)').click()
        await expect.poll(list).toHaveLength(1)
        await tab(page, 'Handlers').click()
        expect(await page.getByLabel('empty').isChecked()).toBe(false)
        await page.getByRole('button', { name: 'Clear all' }).click()
        await expect.poll(list).toEqual([])
        await tab(page, 'Timeline').click()
        await nothingIsNext(page)
      },
      { path: '/#handlers' },
    ))

  it('finds an operation by its words, and forces it with the keyboard', () =>
    visit(
      async (page) => {
        const pane = page.getByRole('region', { name: 'Handlers' })
        const headings = () => pane.locator('#operations').getByRole('heading').allInnerTexts()
        await expect.poll(headings).toEqual(['/v1/projects', '/v1'])
        await fetchIn(page, '/v1/auth/me')
        await pane.getByText(/^1 call/).waitFor()
        await controls().scenarios.set({ target: 'joinWaitlist', outcome: 'drop', times: null })
        await outcomeOf(page, 'joinWaitlist: drop, forced').waitFor()
        expect(await headings()).toEqual(['/v1/projects', '/v1'])
        await page.getByLabel('Search in the operations').fill('patch proj')
        await expect.poll(headings).toEqual(['/v1/projects'])
        await pane.getByText('1 of 5 operations').waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.keyboard.type('drop')
        await page.keyboard.press('Enter')
        await outcomeOf(page, 'updateProject: drop, forced').waitFor()
      },
      { path: '/#handlers' },
    ))

  it('removes the requests that a reset has cleared, even if another one follows immediately', () =>
    visit(async (page) => {
      for (let number = 1; number <= 3; number++) await send('/v1/projects', 'acme-owner')
      await expect.poll(() => requests(page).count()).toBe(3)
      await controls().reset()
      await send('/v1/auth/me', 'acme-member')
      await expect.poll(() => requests(page).count()).toBe(1)
      await row(page, 'acme-member').waitFor()
    }))

  it('creates a response for an unhandled request, and exports it as handlers', () =>
    visit(async (page) => {
      for (let number = 1; number <= 3; number++) await send(`/v1/orders/${number}`, 'acme-owner')
      await row(page, '/v1/orders/3').getByText('×3').waitFor()
      // The selection stays while the request is sent again.
      await row(page, '/v1/orders/3').click()
      await send('/v1/orders/3', 'acme-owner')
      await row(page, '/v1/orders/3').getByText('×4').waitFor()
      expect(await row(page, '/v1/orders/3').getAttribute('aria-selected')).toBe('true')
      await row(page, '/v1/orders/3').hover()
      await row(page, '/v1/orders/3').getByRole('button', { name: 'Respond' }).click()
      const form = page.getByRole('dialog', { name: 'Response of GET /v1/orders/:id' })
      await form.getByLabel('Body').fill('{"order":1}')
      await form.getByRole('button', { name: 'Respond with this' }).click()
      await isNext(page, 'GET /v1/orders/:id: response 200 (until cleared)')
      expect(await fetchIn(page, '/v1/orders/7')).toEqual({ status: 200, body: { order: 1 } })
      await row(page, '/v1/orders/7').getByText('200').waitFor()

      await tab(page, 'Handlers').click()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      expect(await readFile(await (await download).path(), 'utf8')).toContain('/v1/orders/:id')
    }))

  it('creates responses without a body, and keeps the content type of a text', () =>
    visit(async (page) => {
      const { scenarios } = controls()
      const form = page.getByRole('dialog')
      const open = async (path: string) => {
        await force(page, `GET ${path}`, 'Custom response…')
        await form.waitFor()
      }
      const answer = async (path: string) => {
        await form.getByRole('button', { name: 'Respond with this' }).click()
        await form.waitFor({ state: 'detached' })
        const { status, headers } = await send(path, 'acme-owner')
        return [status, headers.get('content-type')]
      }
      await scenarios.set({ target: 'GET /api/gone', response: { body: {} }, times: null })
      await scenarios.set({
        target: 'GET /api/feed',
        response: { text: '<feed/>', contentType: 'application/xml' },
        times: null,
      })
      await tab(page, 'Handlers').click()
      await open('/api/gone')
      await form.getByLabel('Status').fill('204')
      await form.getByLabel('Body').fill('')
      expect(await answer('/api/gone')).toEqual([204, null])
      await open('/api/feed')
      await form.getByLabel('Status').fill('404')
      expect(await answer('/api/feed')).toEqual([404, 'application/xml'])
      // Also the content type of the response that the form starts with.
      await scenarios.clear('GET /api/feed')
      await tab(page, 'Timeline').click()
      await row(page, '/api/feed').click()
      await details(page).getByRole('heading', { name: '/api/feed' }).waitFor()
      await more(page, /^Respond with/)
      expect(await answer('/api/feed')).toEqual([404, 'application/xml'])
      // The form does not start with a body that the log has cut.
      await scenarios.set({ target: 'GET /api/large', response: { text: 'x'.repeat(100_000) }, times: null })
      await send('/api/large', 'acme-owner')
      await row(page, '/api/large').click()
      await details(page).getByRole('heading', { name: '/api/large' }).waitFor()
      await more(page, /^Respond with/)
      expect(await form.getByLabel('Body').inputValue()).toBe('')
      await page.keyboard.press('Escape')
    }))

  it('breaks a connection without a retry by the browser', () =>
    visit(async (page) => {
      await fetchIn(page, '/v1/projects')
      await controls().scenarios.set({ target: 'listProjects', outcome: 'drop', times: 1 })
      expect(await fetchIn(page, '/v1/projects')).toBe('Failed to fetch')
      expect(await fetchIn(page, '/v1/projects')).toMatchObject({ status: 401 })
    }))

  it('delays responses, lets some fail at random, and stops the clock', () =>
    visit(
      async (page) => {
        const { delay, chaos } = controls()
        await page.getByRole('button', { name: '300', exact: true }).click()
        await force(page, 'getSession', 'Limits and delay…')
        await page.getByRole('dialog').getByLabel('Delay, in ms').fill('10-20')
        await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await expect.poll(() => delay.get()).toEqual({ all: '300', operations: { getSession: '10-20' } })
        await expect.poll(() => page.getByLabel('Of all responses, in ms').inputValue()).toBe('300')

        await page.getByLabel('Fail, in %').fill('100')
        await page.getByLabel('Seed').fill('7')
        await page.getByRole('combobox', { name: 'Operation' }).selectOption('listProjects')
        await page.getByRole('button', { name: 'Start chaos' }).click()
        const runs = page.getByText('chaos of listProjects: 100 % fail, seed 7')
        await runs.waitFor()
        expect(await chaos.get()).toMatchObject({ operations: { listProjects: { errorRate: 1, seed: 7 } } })
        await page.getByRole('button', { name: 'Stop chaos' }).click()
        await runs.waitFor({ state: 'detached' })
        expect(await chaos.get()).toEqual({ operations: {} })

        await page.getByLabel('Time', { exact: true }).fill('2026-01-01T00:00:00Z')
        await page.getByLabel('Time', { exact: true }).press('Enter')
        await page.getByText('2026-01-01T00:00:00.000Z: stopped').waitFor()
        await page.getByRole('button', { name: 'Real time' }).click()
        await page.getByText("The mock's time is the real time.").waitFor()
      },
      { path: '/#handlers', viewport: { width: 1440, height: 900 } },
    ))

  it('responds with an edited body of the log, if the contract allows it or it is not checked', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner')
      await details(page).getByText('Website relaunch').first().waitFor()
      await more(page, /^Respond with/)
      const form = page.getByRole('dialog', { name: 'Response of listProjects' })
      expect(await form.getByLabel('Body').inputValue()).toContain('Website relaunch')
      await form.getByLabel('Body').fill('{"projects":[{"id":1}]}')
      await form.getByRole('button', { name: 'Respond with this' }).click()
      await form.getByRole('alert').getByText('projects[0].id').waitFor()
      await form.getByLabel('Send it even if').check()
      await form.getByLabel('Headers').fill('Retry-After')
      await form.getByRole('button', { name: 'Respond with this' }).click()
      await form.getByRole('alert').getByText('"Retry-After" is not a header').waitFor()
      await form.getByLabel('Headers').fill('Retry-After: 5\nX-Page: 2')
      await form.getByLabel('How many times').fill('1')
      await form.getByRole('button', { name: 'Respond with this' }).click()
      await isNext(page, 'listProjects: unchecked response 200 (next request)')
      const [forced] = await controls().scenarios.list()
      expect(forced?.response?.headers).toEqual({ 'retry-after': '5', 'x-page': '2' })
      expect(await fetchIn(page, '/v1/projects')).toMatchObject({ body: { projects: [{ id: 1 }] } })
    }))

  it('shows requests as they arrive, with the reason of each reply, and copies them', () =>
    visit(
      async (page) => {
        await send('/v1/projects', 'acme-viewer')
        await send('/v1/auth/me', 'acme-owner')
        // The newest request is shown until another one is selected.
        await details(page).getByRole('heading', { name: 'GET /v1/auth/me' }).waitFor()
        await row(page, 'acme-viewer').click()
        await details(page).getByRole('heading', { name: 'GET /v1/projects' }).waitFor()
        await send('/v1/auth/me', 'acme-member')
        await row(page, 'acme-member').waitFor()
        expect(await details(page).getByText('acme-viewer').count()).toBeGreaterThan(0)
        const line = `curl -i ${server().url}/v1/projects -b session=acme-viewer -H 'content-type: application/json'`
        await more(page, /^Copy as curl/)
        await showsMessage(page, 'Copied the request as curl.')
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line)

        await page.getByLabel('Search in the log').fill('me OWNER 200')
        await expect.poll(() => requests(page).count()).toBe(1)
        await page.getByText('1 of 3 requests').waitFor()
        await page.getByLabel('Search in the log').fill('nothing like it')
        await page.getByText('No request matches').waitFor()
        await page.getByRole('button', { name: 'More of the log' }).click()
        await choice(page, 'Clear the log').click()
        await page.getByText('This is your back end').waitFor()
        expect(await controls().log.read()).toEqual([])
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ))

  it('shows the changes of a request, sends it again, returns to before it, and undoes', () =>
    visit(async (page) => {
      const first = (await projects()).length
      await send('/v1/projects', 'acme-owner', { name: 'Apollo' })
      const pane = details(page)
      await pane.getByRole('region', { name: 'Request' }).getByText('"Apollo"').waitFor()
      await pane.getByRole('region', { name: 'Response' }).getByText('"active"').waitFor()
      const changed = pane.getByRole('region', { name: 'Changed' })
      await changed.getByRole('row', { name: 'name Apollo' }).waitFor()

      await pane.getByRole('button', { name: 'Go back to before' }).click()
      await showsMessage(page, 'Went back to before Apollo was created.')
      expect(await projects()).toHaveLength(first)
      await page.keyboard.press('u')
      await showsMessage(page, 'Undone: went back to before Apollo was created.')
      await page.keyboard.press('y')
      await showsMessage(page, 'Made again: went back to before Apollo was created.')

      await pane.getByRole('button', { name: 'Edit…' }).click()
      await pane.getByRole('textbox', { name: 'Body' }).fill('{"name":"Gemini"}')
      await pane.getByLabel('As', { exact: true }).selectOption('acme-member')
      await pane.getByRole('button', { name: 'Send', exact: true }).click()
      await pane.getByText('"Gemini"').first().waitFor()
      const [sent] = (await controls().log.read()).slice(-1)
      expect(sent).toMatchObject({ session: 'acme-member', status: 201 })
      expect((await projects()).at(-1)?.name).toBe('Gemini')
    }))

  it('lists, searches, sorts, adds, edits and removes data, and shows faults at their fields', () =>
    visit(
      async (page) => {
        await page.getByText('6 projects').waitFor()
        await page.getByLabel('Search in the data').fill('reactor')
        await page.getByText('1 of 6 projects').waitFor()
        await page.getByLabel('Search in the data').fill('')
        await page.getByText(/^6 projects/).waitFor()
        await page.getByRole('button', { name: 'name', exact: true }).click()
        await page.locator('#cell-0-0', { hasText: 'Äpfel & Birnen' }).waitFor()

        await page.getByRole('button', { name: 'Add a project' }).click()
        const form = page.getByRole('dialog', { name: 'A new project' })
        await form.getByLabel('name').fill('Apollo')
        await form.getByLabel('teamId').fill('team-x')
        await form.getByRole('button', { name: 'Add' }).click()
        await form.getByRole('alert').getByText('no team "team-x"').waitFor()
        expect(await form.getByLabel('teamId').getAttribute('aria-invalid')).toBe('true')
        await form.getByLabel('teamId').fill('team-globex')
        await form.getByRole('button', { name: 'Add' }).click()
        await showsMessage(page, 'Apollo was created.')
        await page.getByText('7 projects').waitFor()
        const added = (await projects()).find(({ name }) => name === 'Apollo')
        expect(added).toMatchObject({ teamId: 'team-globex', status: 'active', description: null })

        await page.getByRole('button', { name: `Remove ${added?.id}` }).click()
        await page.getByText('6 projects').waitFor()
        await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
        await page.getByText('7 projects').waitFor()
        // The URL contains the kind.
        await page.getByRole('button', { name: 'Users' }).click()
        await page.getByText('6 users').waitFor()
        await page.reload()
        await page.getByText('6 users').waitFor()
      },
      { path: '/#data' },
    ))

  it('sends an unedited body unchanged', () =>
    visit(async (page) => {
      const { log: stored } = controls()
      const body = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'
      await fetch(`${server().url}/api/upload`, { method: 'POST', body })
      await row(page, '/api/upload').click()
      await details(page).getByRole('button', { name: 'Edit…' }).click()
      await details(page).getByRole('textbox', { name: 'Path' }).fill('/api/other')
      await details(page).getByRole('button', { name: 'Send', exact: true }).click()
      await row(page, '/api/other').waitFor()
      const [sent] = (await stored.read()).slice(-1)
      expect((await stored.entry(sent?.id ?? 0)).request.body?.text).toBe(body)
    }))

  it('adds a persona with a new team, and signs in as it', () =>
    visit(async (page) => {
      await identity(page, 'You are').click()
      await choice(page, 'New persona…').click()
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
      await tab(page, 'Data').click()
      await page.getByRole('button', { name: 'Sessions' }).click()
      await page.getByRole('button', { name: 'Remove initech-owner' }).click()
      await page.getByText('10 sessions').waitFor()
      await page.getByRole('button', { name: 'Users' }).click()
      await page.getByText('6 users').waitFor()
    }))

  it('saves snapshots, downloads a state, and loads one if it is valid', () =>
    visit(
      async (page) => {
        const state = async (name: string | RegExp) => {
          await page.getByRole('button', { name: 'State' }).click()
          await choice(page, name).click()
        }
        await state('Save a snapshot…')
        await page.getByRole('dialog').getByLabel('Snapshot').fill('six')
        await page.keyboard.press('Enter')
        await showsMessage(page, 'The snapshot six was saved')

        const download = page.waitForEvent('download')
        await state(/^Download/)
        const { mock, ...stored } = JSON.parse(await readFile(await (await download).path(), 'utf8'))
        expect(stored).toEqual(parseState(fixture))
        expect(Object.keys(mock.snapshots)).toEqual(['six'])
        const upload = (value: unknown) =>
          page.getByLabel('Load a file').setInputFiles({
            name: 'mine.json',
            mimeType: 'application/json',
            buffer: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
          })
        await upload({ ...stored, projects: [] })
        await showsMessage(page, 'A state was loaded')
        expect(await projects()).toEqual([])
        await upload({ ...stored, teams: [] })
        await showsMessage(page, 'projects[0].teamId: no team')
        await upload('{')
        await showsMessage(page, 'mine.json is not JSON')
      },
      { path: '/#data' },
    ))

  it('links to the page of an error code', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-viewer', { name: 'x' })
      const opening = page.context().waitForEvent('page')
      await details(page).getByRole('link', { name: 'About INSUFFICIENT_PERMISSIONS' }).click()
      await (await opening).getByRole('heading', { name: 'INSUFFICIENT_PERMISSIONS' }).waitFor()
    }))

  it('works with the keyboard alone, with the keys that docs/mock.md lists', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner', { name: 'Apollo' })
      await send('/v1/projects', 'acme-viewer')
      await row(page, 'acme-viewer').waitFor()
      const { keyboard } = page
      await keyboard.press('p')
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      await showsMessage(page, 'You became acme-member')

      await keyboard.press('j')
      await details(page).getByRole('heading', { name: 'POST Apollo' }).waitFor()
      await keyboard.press('a')
      await details(page).getByRole('heading', { name: 'POST “Apollo” 409 PROJECT_NAME_TAKEN' }).waitFor()
      await keyboard.press('f')
      await choice(page, /^hang/).waitFor()
      await keyboard.type('hang')
      await keyboard.press('Shift+Enter')
      await isNext(page, 'createProject: hang (until cleared)')
      await keyboard.press('1')
      await keyboard.press('End')
      await details(page).getByRole('heading', { name: 'POST Apollo 201' }).waitFor()
      await page.getByLabel('Search in the log').fill('viewer')
      await page.getByText('1 of 3').waitFor()
      await keyboard.press('Escape')

      await keyboard.press('2')
      await page.getByText('7 projects').waitFor()
      await page.getByRole('button', { name: 'status' }).focus()
      for (const way of ['ascending', 'descending']) {
        await keyboard.press('Enter')
        await page
          .getByRole('columnheader', { name: 'status' })
          .and(page.locator(`[aria-sort=${way}]`))
          .waitFor()
      }
      await page.getByRole('grid', { name: 'Projects' }).focus()
      // Past the heads of the columns, and "Edit" of the row.
      const remove = page.getByRole('button', { name: /^Remove / }).first()
      for (let stops = 0; stops < 8; stops++) await keyboard.press('Tab')
      expect(await remove.evaluate((button) => button.matches(':focus'))).toBe(true)
      await keyboard.press('Enter')
      await page.getByText('6 projects').waitFor()

      await page.getByRole('button', { name: 'Keys' }).focus()
      await keyboard.press('?')
      const keys = await page.getByRole('dialog', { name: 'Keys' }).locator('dt').allInnerTexts()
      const documented = await readFile(new URL('../../../docs/mock.md', import.meta.url), 'utf8')
      expect(keys.filter((key) => !documented.includes(`\`${key}\``))).toEqual([])
      await page.getByLabel('Single letters').uncheck()
      await keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await keyboard.press('1')
      await page.getByText('6 projects').waitFor()
    }))

  it('is not changed by keys that navigate', () =>
    visit(async (page) => {
      const before = recordsOf(await controls().state.export())
      await page.getByText('This is your back end').waitFor()
      // A number key does not focus a field, which would receive the next keys.
      for (const key of ['3', '2', '1', '3', '2', '1', '2']) {
        await page.keyboard.press(key)
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
      }
      const delay = page.getByLabel('Of all responses, in ms')
      await page.keyboard.press('3')
      await delay.fill('242')
      await delay.press('Escape')
      expect(await delay.inputValue()).toBe('')
      await delay.focus()
      for (let fields = 0; fields < 6; fields++) await page.keyboard.press('Tab')
      await page.getByRole('button', { name: 'Start chaos' }).focus()
      await page.keyboard.press('2')
      const { delay: delays, scenarios, chaos, clock } = controls()
      expect(await delays.get()).toEqual({ all: '0', operations: {} })
      expect([await scenarios.list(), await chaos.get()]).toEqual([[], { operations: {} }])
      expect(await clock.get()).toMatchObject({ mode: 'real' })
      expect(recordsOf(await controls().state.export())).toEqual(before)
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
          const box = await page.locator(name).first().boundingBox()
          return box !== null && box.y >= 0 && box.y + Math.min(box.height, 300) <= 800
        }
        for (const name of ['#who', '#log', '#details .part']) {
          expect([name, await inView(name)]).toEqual([name, true])
        }
        for (const width of [320, 390, 768, 1280, 2000]) {
          await page.setViewportSize({ width, height: 800 })
          for (const pane of ['Timeline', 'Data', 'Handlers']) {
            await tab(page, pane).click()
            await page.getByRole('region', { name: pane }).waitFor()
            expect([width, pane, await isTooWide(page)]).toEqual([width, pane, false])
          }
        }
      },
      { viewport: { width: 1280, height: 800 } },
    ))

  it('shows the caller, the time and the whole outcome of a request on a phone, and large targets', () =>
    visit(
      async (page) => {
        await send('/v1/projects', 'acme-viewer', { name: 'x' })
        const entry = requests(page)
        await entry.waitFor()
        const time = entry.getByText(/^\d\d:\d\d:\d\d$/)
        const outcome = entry.getByText('403 INSUFFICIENT_PERMISSIONS', { exact: true })
        for (const part of [time, outcome, log(page).locator('.chapter b')]) {
          expect(await part.isVisible()).toBe(true)
          expect(await part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
        }
        await tab(page, 'Handlers').click()
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
    'is accessible in each view in %s mode, by the rules of axe',
    (colorScheme) =>
      visit(
        async (page) => {
          await controls().delay.set(1)
          await send('/v1/projects', 'acme-owner', { name: 'Apollo' })
          await send('/v1/projects', 'acme-viewer', { name: 'x' })
          await row(page, '403').click()
          await page.evaluate(axe.source)
          const isClean = async (what: string) =>
            expect([what, await faults(page, rulesFor(colorScheme))]).toEqual([what, []])
          await isClean('timeline')
          await page.keyboard.press('f')
          await choice(page, /409/).waitFor()
          await isClean('outcomes')
          await page.keyboard.press('Escape')
          await page.keyboard.press('e')
          await isClean('edit')
          await page.keyboard.press('Escape')
          await page.keyboard.press('n')
          await page.keyboard.press('ArrowDown')
          await details(page).getByText('from the present').waitFor()
          await isClean('now')
          await page.keyboard.press('Escape')
          await page.keyboard.press('Control+k')
          await page.keyboard.type('409 create')
          await isClean('box')
          await page.keyboard.press('Escape')
          await tab(page, 'Data').click()
          await page.getByRole('gridcell').first().waitFor()
          await isClean('data')
          await cell(page, 'Mobile app').dblclick()
          await isClean('cell')
          await page.keyboard.press('Escape')
          await tab(page, 'Handlers').click()
          await outcomeOf(page, 'listProjects').waitFor()
          await isClean('handlers')
          await identity(page, 'You are').click()
          await isClean('personas')
          await choice(page, 'New persona…').click()
          await isClean('form')
          const brightness = await page.evaluate(() =>
            Number(/\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)?.[0]),
          )
          expect(brightness > 128).toBe(colorScheme === 'light')
        },
        { colorScheme, reducedMotion: 'reduce' },
      ),
  )

  it('has live regions that exist before their first message', () =>
    visit(async (page) => {
      await page.getByText('This is your back end').waitFor()
      const regions = await page
        .locator('[role=status], [role=alert]')
        .evaluateAll((all) => all.map((region) => [region.id, getComputedStyle(region).display]))
      expect(regions.length).toBeGreaterThan(2)
      expect(regions.filter(([, display]) => display === 'none')).toEqual([])
      expect(await page.title()).toContain(new URL(server().url).host)
    }))

  it('has few elements, however long the log and the data are', () =>
    visit(async (page) => {
      const { state, log: stored } = controls()
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
      await page.route(/log\?since=0&limit=1$/, (route) => route.fulfill({ json: [{ id: 1 }] }))
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

      await tab(page, 'Data').click()
      await page.getByText('10,000 projects').waitFor()
      await page.getByRole('grid', { name: 'Projects' }).press('End')
      await page.getByRole('gridcell', { name: 'Project 9999', exact: true }).waitFor()
      expect(await page.getByRole('row').count()).toBeLessThan(80)
    }))
})

/** In dark mode only the colours differ. */
const rulesFor = (colorScheme: 'light' | 'dark') => (colorScheme === 'dark' ? ['color-contrast'] : undefined)

/** The faults that axe finds in the page, by rule. */
const faults = (page: Page, rules?: string[]): Promise<string[]> =>
  page.evaluate(async (runOnly) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, rules)

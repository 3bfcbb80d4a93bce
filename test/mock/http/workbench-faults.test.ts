import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import {
  cell,
  choice,
  details,
  fetchIn,
  outcomeOf,
  requests,
  row,
  setUpWorkbench,
  showsMessage,
  tab,
  undoIn,
} from '../../browser/workbench-visit.js'
import { withModules } from '../with-modules.js'

const folder = withModules(mkdtempSync(join(tmpdir(), 'dashboard-api-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const handlers = join(folder, 'handlers.ts')
writeFileSync(
  handlers,
  `import { graphql, http, HttpResponse } from 'msw'
export const handlers = [
  http.get('*/api/png', () => new HttpResponse(new Uint8Array(16), { headers: { 'content-type': 'image/png' } })),
  graphql.mutation('PayInvoice', () => HttpResponse.json({ data: { paid: true } })),
]`,
)
const { visit, send, server, controls, projects } = setUpWorkbench({ handlers })
const first = fixture.projects[0]?.id ?? ''
const mobile = fixture.projects.find(({ name }) => name === 'Mobile app')?.id ?? ''

describe('the table of the data', () => {
  it('uses letters as the text of a cell, never as keys of another view', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner', { name: 'Apollo' })
      await row(page, '201').waitFor()
      await tab(page, 'Data').click()
      await page.getByText('7 projects').waitFor()
      const before = await controls().log.read()
      await cell(page, 'Mobile app').click()
      await page.keyboard.type('new')
      await page.keyboard.press('Enter')
      await cell(page, 'new').waitFor()
      await page.keyboard.type('alpha')
      await page.keyboard.press('Enter')
      await cell(page, 'alpha').waitFor()
      expect(await projects()).toHaveLength(7)
      expect(await controls().log.read()).toHaveLength(before.length)
      // Undo, where letters are texts.
      await page.keyboard.press('Control+z')
      await cell(page, 'new').waitFor()
      await page.keyboard.press('Control+z')
      await cell(page, 'Mobile app').waitFor()
      await page.keyboard.press('Control+Shift+z')
      await cell(page, 'new').waitFor()
    }))

  it('is left with Escape, so that the keys of the page work again', () =>
    visit(async (page) => {
      await page.keyboard.press('2')
      await cell(page, 'Mobile app').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.keyboard.type('Renamed')
      await page.keyboard.press('Enter')
      await cell(page, 'Renamed').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('3')
      await page.getByRole('region', { name: 'Handlers' }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Escape', { exact: true }).waitFor()
    }))

  it('accepts the next keys while the mock stores a cell, and edits a refused one again', () =>
    visit(async (page) => {
      let store = () => {}
      const isHeld = new Promise<void>((resolve) => {
        store = resolve
      })
      await page.route('**/__dev/data', async (route) => {
        if (route.request().method() === 'PUT') await isHeld
        await route.continue()
      })
      await tab(page, 'Data').click()
      await cell(page, 'Mobile app').click()
      await page.keyboard.type('new')
      await page.keyboard.press('Enter')
      await page.keyboard.type('newer')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+z')
      await cell(page, 'newer').waitFor()
      store()
      await showsMessage(page, 'Went back to before')
      await cell(page, 'new').waitFor()
      expect(await projects()).toContainEqual(expect.objectContaining({ name: 'new' }))

      // The team of the project: a refusal of the mock is shown at the cell.
      for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
      await page.keyboard.type('team-x')
      await page.keyboard.press('Enter')
      const editor = page.getByRole('combobox', { name: `teamId of ${mobile}` })
      await page.getByRole('alert').getByText('no team "team-x"').waitFor()
      expect(await editor.inputValue()).toBe('team-x')
      await editor.press('Escape')
      await editor.waitFor({ state: 'detached' })
    }))

  it('keeps the line breaks of a text, in a cell and in the form', () =>
    visit(async (page) => {
      const description = 'first line\nsecond line\nthird'
      await controls().data.set('projects', first, { description })
      const stored = async () => (await projects()).find(({ id }) => id === first)?.description
      await tab(page, 'Data').click()
      await page.getByRole('gridcell', { name: 'first line' }).click()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      expect(await stored()).toBe(description)
      await page.getByRole('gridcell', { name: 'first line' }).click()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+End')
      await page.keyboard.type('!')
      await page.keyboard.press('Enter')
      await expect.poll(stored).toBe(`${description}!`)
      await page.getByRole('button', { name: `Edit ${first}` }).click()
      const form = page.getByRole('dialog', { name: `Edit ${first}` })
      await form.getByLabel('description').press('Control+End')
      await page.keyboard.type('\n?')
      await page.keyboard.press('Control+Enter')
      await form.waitFor({ state: 'detached' })
      expect(await stored()).toBe(`${description}!\n?`)
    }))

  it('keeps the line breaks of a name, and those of another system', () =>
    visit(async (page) => {
      const name = 'two\r\nlines'
      await controls().data.set('projects', first, { name })
      const stored = async () => (await projects()).find(({ id }) => id === first)?.name
      await tab(page, 'Data').click()
      for (const expected of [name, `${name}!`]) {
        await page.getByRole('gridcell', { name: 'two' }).first().click()
        await page.keyboard.press('Enter')
        await page.keyboard.press('Control+End')
        if (expected !== name) await page.keyboard.type('!')
        await page.keyboard.press('Enter')
        await expect.poll(stored).toBe(expected)
      }
      await page.getByRole('button', { name: `Edit ${first}` }).click()
      const form = page.getByRole('dialog', { name: `Edit ${first}` })
      await form.getByLabel('name', { exact: true }).press('Control+End')
      await page.keyboard.type('?')
      await page.keyboard.press('Control+Enter')
      await form.waitFor({ state: 'detached' })
      expect(await stored()).toBe(`${name}!?`)
    }))

  it('adds no permission that was not entered', () =>
    visit(
      async (page) => {
        const permissions = ['', ' create:projects', 'create:projects,update:projects']
        await controls().data.set('sessions', 'acme-near-miss', { permissions })
        const stored = async () =>
          (await server().mock.export()).sessions.find(({ id }) => id === 'acme-near-miss')?.permissions
        await page.getByLabel('Search in the data').fill('acme-near-miss')
        const line = page.getByRole('row').filter({ hasText: 'acme-near-miss' })
        await expect.poll(() => line.locator('.token').count()).toBe(3)
        await line.getByText('""', { exact: true }).dblclick()
        const input = page.getByLabel('permissions of acme-near-miss')
        expect(JSON.parse(await input.inputValue())).toEqual(permissions)
        await input.fill('create:projects, x:y')
        await input.press('Enter')
        await page.getByRole('alert').getByText('Enter a list of texts as JSON').waitFor()
        await input.fill(JSON.stringify([...permissions, 'x:y']))
        await input.press('Enter')
        await expect.poll(stored).toEqual([...permissions, 'x:y'])
        expect((await send('/v1/projects', 'acme-near-miss', { name: 'No' })).status).toBe(403)
      },
      { path: '/#data/sessions' },
    ))
})

describe('the timeline', () => {
  it('sends a request as the persona of which a letter begins a word', () =>
    visit(async (page) => {
      // The keys come before the details.
      let answer = () => {}
      const isHeld = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route('**/__dev/log/entry?*', async (route) => {
        await isHeld
        await route.continue()
      })
      await send('/v1/projects', 'acme-viewer', { name: 'Apollo' })
      await row(page, '403').waitFor()
      await page.keyboard.press('x')
      await page.keyboard.press('s')
      await choice(page, 'acme-member').waitFor()
      answer()
      await page.keyboard.press('m')
      await page.keyboard.press('Enter')
      await row(page, 'acme-member').waitFor()
      expect((await controls().log.read()).at(-1)).toMatchObject({ session: 'acme-member' })
    }))

  it.each([1280, 1366, 1440, 1536])('shows the codes of errors, and forced outcomes, at %d px', (width) =>
    visit(
      async (page) => {
        await send('/v1/projects', 'acme-viewer', { name: 'x' })
        await controls().scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 })
        await send('/v1/projects', 'acme-owner', { name: 'x' })
        const forced = row(page, '409 PROJECT_NAME_TAKEN')
        await forced.getByText('forced', { exact: true }).waitFor()
        for (const code of ['409 PROJECT_NAME_TAKEN', '403 INSUFFICIENT_PERMISSIONS'])
          expect(await row(page, code).locator('.outcome .code').isVisible()).toBe(true)
        expect(await row(page, '403').getByText('forced', { exact: true }).count()).toBe(0)
        expect((await requests(page).first().boundingBox())?.height).toBe(30)
      },
      { viewport: { width, height: 800 } },
    ),
  )

  it('shows the length of a binary body, the levels of a cut one, and a part of a long change', () =>
    visit(async (page) => {
      const { scenarios } = controls()
      const items = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `Item ${id}`, tags: ['a', 'b'] }))
      await scenarios.set({ target: 'GET /api/items', response: { body: { items } }, times: null })
      await send('/api/png', 'acme-owner')
      await details(page).getByText('16 B image/png').waitFor()
      await send('/api/items', 'acme-owner')
      await details(page)
        .getByText(/The first 65,536 of [\d,]+ characters/)
        .waitFor()
      await details(page).getByRole('button', { name: 'as JSON' }).click()
      const tree = details(page).getByRole('group', { name: 'Body' })
      await tree.getByText('"Item 3"').waitFor()
      expect(await tree.getByText('"Item 60"').count()).toBe(0)
      await tree.locator('summary').nth(1).click()
      await tree.getByText('"Item 3"').waitFor({ state: 'hidden' })
      // A list alone, which is cut within a number.
      const numbers = Array.from({ length: 12_000 }, (_, i) => i + 10_000)
      await scenarios.set({ target: 'GET /api/numbers', response: { body: numbers }, times: null })
      await send('/api/numbers', 'acme-owner')
      await tree.getByText(/^\[\s*first [\d,]+, cut after 64 KiB$/).waitFor()
      await tree.getByText('10003', { exact: true }).waitFor()
      await tree.getByRole('button', { name: 'Show all' }).click()
      await tree.getByText(/^\d+…$/).waitFor()
      await tree.getByText('… cut after 64 KiB').waitFor()
      const description = 'long '.repeat(400)
      await send(`/v1/projects/${first}`, 'acme-owner', { description }, 'PATCH')
      const changed = details(page).getByRole('region', { name: 'Changed' })
      await changed.getByRole('button', { name: /^Show all 2,000/ }).click()
      await changed.getByRole('button', { name: 'Show less' }).waitFor()
      const { height = 0 } = (await changed.boundingBox()) ?? {}
      expect(height).toBeLessThan(700)
      await details(page).getByText('1 header', { exact: true }).waitFor({ state: 'detached' })
    }))

  it('names the operation of a GraphQL request', () =>
    visit(async (page) => {
      await send('/graphql', 'acme-owner', { query: 'mutation PayInvoice { pay { id } }' })
      await row(page, 'PayInvoice').getByText('mutation', { exact: true }).waitFor()
      await details(page).getByRole('heading', { name: 'mutation PayInvoice 200' }).waitFor()
    }))

  it('move no row while the pointer is pressed on one', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-viewer', { name: 'Apollo' })
      await row(page, '403').hover()
      await page.mouse.down()
      // When the second page shows the request, the mock has sent it to the first one too.
      const other = await page.context().newPage()
      await other.goto('/')
      await row(other, '403').waitFor()
      await send('/v1/projects', 'acme-owner')
      await row(other, 'GET').waitFor()
      await page.mouse.up()
      await row(page, 'GET').waitFor()
      await expect.poll(() => row(page, '403').getAttribute('aria-selected')).toBe('true')
    }))

  it('keeps a request that is being edited, and shows sent requests whatever the search', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-viewer', { name: 'Apollo' })
      await send('/v1/projects', 'acme-owner')
      // It moves the other one, which is clicked then.
      await row(page, 'GET').waitFor()
      await row(page, '403').click()
      await page.keyboard.press('e')
      const body = details(page).getByLabel('Body', { exact: true }).and(page.locator('textarea'))
      await body.fill('{"name":"Gemini"}')
      await row(page, 'GET').click()
      await details(page).getByRole('heading', { name: 'GET /v1/projects' }).waitFor()
      await row(page, '403').click()
      expect(await body.inputValue()).toBe('{"name":"Gemini"}')
      await details(page).getByRole('button', { name: 'More', exact: true }).click()
      await choice(page, /^Show bodies as sent/).click()
      expect(await body.inputValue()).toBe('{"name":"Gemini"}')
      await details(page).getByLabel('As', { exact: true }).selectOption('acme-owner')
      await page.getByLabel('Search in the log').fill('403')
      await body.press('Control+Enter')
      const sent = row(page, '201')
      await sent.getByText('not matching').waitFor()
      expect(await sent.getAttribute('aria-selected')).toBe('true')
      expect((await projects()).at(-1)?.name).toBe('Gemini')
    }))
})

describe('outcomes', () => {
  it('show their status and message, come before the rest, and are found by typing', () =>
    visit(
      async (page) => {
        await outcomeOf(page, 'createProject').click()
        await page.locator('.picker').getByRole('option').first().waitFor()
        const texts = await page.locator('.picker').getByRole('option').allInnerTexts()
        expect(texts[0]?.replaceAll(/\s+/g, ' ')).toBe(
          '409 PROJECT_NAME_TAKEN Your team already has a project with this name.',
        )
        expect(texts.slice(-2)).toEqual(['Custom response…', 'Limits and delay…'])
        // The list is completely visible in a low frame.
        const box = await page.locator('.picker').boundingBox()
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(420)
        await page.keyboard.type('409')
        await expect.poll(() => page.locator('.picker').getByRole('option').count()).toBe(1)
        await page.getByRole('button', { name: 'Until cleared' }).click()
        expect(await page.getByRole('button', { name: 'Until cleared', pressed: true }).count()).toBe(1)
        await page.keyboard.press('Enter')
        await expect
          .poll(() => controls().scenarios.list())
          .toEqual([{ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN' }])
      },
      { path: '/#handlers', viewport: { width: 1280, height: 420 } },
    ))
})

describe('a destructive action', () => {
  it('can be undone with the button of its message: reset, the log, snapshots', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner', { name: 'Apollo' })
      await row(page, '201').waitFor()
      await page.getByRole('button', { name: 'More of the log' }).click()
      await choice(page, 'Clear the log').click()
      await page.getByText('This is your back end').waitFor()
      await undoIn(page).click()
      await row(page, '201').waitFor()

      await tab(page, 'Data').click()
      const state = async (name: string | RegExp) => {
        await page.getByRole('button', { name: 'State' }).click()
        await choice(page, name).click()
      }
      await state(/^Reset everything/)
      await showsMessage(page, 'Everything was reset')
      expect(await projects()).toHaveLength(6)
      await undoIn(page).click()
      await expect.poll(async () => (await projects()).length).toBe(7)
      await expect.poll(async () => (await controls().log.read()).length).toBe(1)

      await controls().snapshots.save('one')
      await controls().state.load({ ...fixture, projects: [] })
      await state('Save a snapshot…')
      await page.getByRole('dialog').getByLabel('Snapshot').fill('one')
      await page.keyboard.press('Enter')
      await showsMessage(page, 'The snapshot one was replaced')
      await undoIn(page).click()
      await state('Delete one')
      await showsMessage(page, 'The snapshot one was deleted')
      await undoIn(page).click()
      await state('Load one')
      await showsMessage(page, 'The snapshot one was loaded')
      expect(await projects()).toHaveLength(7)
    }))

  it('takes back an outcome to the one before, by its message, the key and the button alike', () =>
    visit(async (page) => {
      const { scenarios } = controls()
      const always = { target: 'createProject', outcome: 'INTERNAL_ERROR' } as const
      const once = { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 }
      const undoes = [
        () => undoIn(page).click(),
        () => page.keyboard.press('u'),
        () => page.getByRole('button', { name: 'Undo', exact: true }).first().click(),
      ]
      for (const undo of undoes) {
        await scenarios.set({ ...always, times: null })
        await page.keyboard.press('/')
        await page.keyboard.type('409 create once')
        await page.keyboard.press('Enter')
        const done = '409 PROJECT_NAME_TAKEN was forced on createProject (next request).'
        await page.locator('.toast').getByText(done, { exact: true }).waitFor()
        expect(await scenarios.list()).toEqual([once])
        await undo()
        await expect.poll(() => scenarios.list()).toEqual([always])
        await page.locator('.toast').getByText(`Went back to before ${done}`, { exact: true }).waitFor()
      }
      await page.keyboard.press('y')
      await expect.poll(() => scenarios.list()).toEqual([once])
    }))

  it('takes back the latest of the changes of the data, the log and what is forced', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner', { name: 'Apollo' })
      await row(page, '201').waitFor()
      await page.getByRole('button', { name: 'More of the log' }).click()
      await choice(page, 'Clear the log').click()
      await showsMessage(page, 'The log was emptied')
      await page.keyboard.press('u')
      await row(page, '201').waitFor()
      expect(await projects()).toHaveLength(7)
      const { delay, chaos, clock } = controls()
      await delay.set(100)
      for (const [text, message] of [
        ['delay 300', 'The delay was set to 300 ms.'],
        ['chaos 10 waitlist', '10 % of joinWaitlist began to fail.'],
        ['clock 2026-01-01', 'The clock was stopped at 2026-01-01T00:00:00Z.'],
        ['delay 400', 'The delay was set to 400 ms.'],
      ] as const) {
        await page.keyboard.press('/')
        await page.keyboard.type(text)
        await page.keyboard.press('Enter')
        await showsMessage(page, message)
      }
      // Another change of the data comes after these.
      await send('/v1/projects', 'acme-owner', { name: 'Gemini' })
      const forced = async () => [
        (await projects()).length,
        (await delay.get()).all,
        (await clock.get()).mode,
        Object.keys((await chaos.get()).operations).length,
      ]
      await row(page, '201').nth(1).waitFor()
      for (const expected of [
        [7, '400', 'fixed', 1],
        [7, '300', 'fixed', 1],
        [7, '300', 'real', 1],
        [7, '300', 'real', 0],
        [7, '100', 'real', 0],
        [7, '0', 'real', 0],
        [6, '0', 'real', 0],
      ]) {
        await page.keyboard.press('u')
        await expect.poll(forced).toEqual(expected)
        await showsMessage(page, 'Went back to before')
      }
    }))

  it('brings back with a reset what was forced, the delays, the chaos and the clock', () =>
    visit(async (page) => {
      const { scenarios, delay, chaos, clock } = controls()
      await scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: null })
      await scenarios.set({ target: 'empty' })
      await delay.set(20)
      await delay.set('30-40', 'getSession')
      await chaos.set({ errorRate: 0.5, seed: 7, target: 'createProject' })
      await clock.set({ at: '2026-01-01T00:00:00Z' })
      const forced = async () => [
        await scenarios.list(),
        await delay.get(),
        await chaos.get(),
        await clock.get(),
      ]
      const before = await forced()
      await tab(page, 'Data').click()
      await page.getByRole('button', { name: 'State' }).click()
      await choice(page, /^Reset everything/).click()
      await showsMessage(page, 'Everything was reset')
      expect(await scenarios.list()).toEqual([])
      await undoIn(page).click()
      await showsMessage(page, 'Went back to before everything was reset')
      expect(await forced()).toEqual(before)
    }))

  it('asks before it removes a team with dependent records', () =>
    visit(
      async (page) => {
        page.on('dialog', () => expect.fail('a dialog of the browser'))
        await page.getByRole('button', { name: 'Remove team-globex' }).click()
        const question = page.getByRole('dialog', { name: 'Remove Globex?' })
        expect(await question.innerText()).not.toMatch(/[0-9a-f]{8}-/)
        await question.getByRole('button', { name: 'Remove' }).click()
        await page.getByText('1 team', { exact: true }).waitFor()
        expect((await projects()).some(({ teamId }) => teamId === 'team-globex')).toBe(false)
        await undoIn(page).click()
        await page.getByText('2 teams').waitFor()
      },
      { path: '/#data/teams' },
    ))
})

describe('an invalid value', () => {
  it('is reported at its field, in its units, until it is valid', () =>
    visit(
      async (page) => {
        await page.getByLabel('Fail, in %').fill('150')
        await page.getByRole('button', { name: 'Start chaos' }).click()
        await page.getByRole('alert').getByText('Enter a number from 0 to 100.').waitFor()
        expect(await page.getByLabel('Fail, in %').getAttribute('aria-invalid')).toBe('true')
        await page.getByLabel('Fail, in %').fill('15')
        expect(await page.getByLabel('Fail, in %').getAttribute('aria-invalid')).toBeNull()
        const chaosDelay = page.getByLabel('Delay, in ms')
        for (const wrong of ['9-1', '70000']) {
          await chaosDelay.fill(wrong)
          await page.getByRole('button', { name: 'Start chaos' }).click()
          await page.getByRole('alert').getByText('Enter milliseconds').waitFor()
          expect(await chaosDelay.getAttribute('aria-invalid')).toBe('true')
          await chaosDelay.fill('1-9')
          expect(await chaosDelay.getAttribute('aria-invalid')).toBeNull()
        }
        const delay = page.getByLabel('Of all responses, in ms')
        await delay.fill('soon')
        await delay.press('Enter')
        await page.getByRole('alert').getByText('Enter milliseconds').waitFor()
        await page.getByRole('button', { name: '300', exact: true }).click()
        await expect.poll(() => delay.getAttribute('aria-invalid')).toBeNull()
        await page.getByRole('button', { name: '300', pressed: true }).waitFor()

        await outcomeOf(page, 'listProjects').click()
        await choice(page, 'Limits and delay…').click()
        await page.getByRole('dialog').getByLabel('How many times').fill('3')
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.getByRole('alert').getByText('Choose an outcome').waitFor()
        await page.keyboard.press('Escape')

        await tab(page, 'Data').click()
        await page.getByRole('button', { name: 'Add a project' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
        await page.getByRole('alert').getByText('Enter a name.').waitFor()
      },
      { path: '/#handlers' },
    ))
})

describe('the persona of this browser', () => {
  it('is what it was after undo, without a cookie too, and again what was chosen after redo', () =>
    visit(async (page) => {
      const me = async () => {
        const { status, body } = (await fetchIn(page, '/v1/auth/me')) as {
          status: number
          body: { user?: { email: string } }
        }
        return body.user?.email ?? status
      }
      const who = (name: RegExp) => page.locator('#who-button').and(page.getByRole('button', { name }))
      expect(await me()).toBe(401)
      await who(/signed out$/).click()
      await choice(page, /^acme-viewer/).click()
      await who(/ acme-viewer/).waitFor()
      expect(await me()).toBe('vera@acme.example')
      await undoIn(page).click()
      await who(/signed out$/).waitFor()
      await expect.poll(me).toBe(401)
      // Any interface makes the step again.
      await controls().redo()
      await who(/ acme-viewer/).waitFor()
      await expect.poll(me).toBe('vera@acme.example')
      await who(/ acme-viewer/).click()
      await choice(page, 'Sign out').click()
      await who(/signed out$/).waitFor()
      await undoIn(page).click()
      await who(/ acme-viewer/).waitFor()
      await expect.poll(me).toBe('vera@acme.example')
    }))
})

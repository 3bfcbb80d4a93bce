import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  choice,
  command,
  details,
  endOf,
  log,
  now,
  requests,
  row,
  setUpWorkbench,
  showsMessage,
  suggestion,
  undoIn,
} from '../../browser/workbench-visit.js'

const { visit, send, controls, projects } = setUpWorkbench()

/** Creates projects: each request changes data. */
const create = async (...names: string[]) => {
  for (const name of names) await send('/v1/projects', 'acme-owner', { name })
}
const names = async () => (await projects()).slice(6).map(({ name }) => name)

describe('the bar Now', () => {
  it('is moved by arrows, shows the table at that moment, and returns there with Enter', () =>
    visit(async (page) => {
      await create('One', 'Two', 'Three')
      await row(page, 'POST').nth(2).waitFor()
      await page.keyboard.press('n')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => now(page).getAttribute('aria-valuetext')).toMatch(/^before #\d+$/)
      expect(await now(page).getAttribute('aria-valuenow')).toBe('1')
      await details(page)
        .getByRole('heading', { name: /^Acme, before #/ })
        .waitFor()
      await details(page).getByText('2 records differ from the present').waitFor()
      expect(
        await details(page)
          .getByRole('row')
          .filter({ has: page.locator('del') })
          .allInnerTexts(),
      ).toHaveLength(2)
      // Nothing has changed yet.
      expect(await names()).toEqual(['One', 'Two', 'Three'])
      const struck = () =>
        requests(page).evaluateAll(
          (rows) =>
            rows.filter(
              (each) =>
                getComputedStyle(each.querySelector('.path') as Element).textDecorationLine ===
                'line-through',
            ).length,
        )
      expect(await struck()).toBe(2)
      await page.keyboard.press('Escape')
      expect(await names()).toEqual(['One', 'Two', 'Three'])
      await expect.poll(struck).toBe(0)

      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await showsMessage(page, 'Went back to before')
      await expect.poll(names).toEqual(['One', 'Two'])
      const fold = page.getByRole('button', { name: '1 request undone' })
      await fold.click()
      await expect.poll(struck).toBe(1)
      await fold.click()
      await expect.poll(() => requests(page).count()).toBe(2)
      await undoIn(page).click()
      await expect.poll(names).toEqual(['One', 'Two', 'Three'])
      await expect.poll(() => requests(page).count()).toBe(3)
    }))

  it('returns to a moment by a button, which is beside the difference', () =>
    visit(async (page) => {
      await create('One', 'Two')
      await row(page, 'POST').nth(1).waitFor()
      await page.keyboard.press('n')
      await page.keyboard.press('ArrowDown')
      await details(page).getByRole('button', { name: 'Stay in the present' }).click()
      await details(page).getByRole('heading', { name: 'POST Two 201' }).waitFor()
      await page.keyboard.press('n')
      await page.keyboard.press('ArrowDown')
      await details(page).getByRole('button', { name: 'Return to this moment' }).click()
      await expect.poll(names).toEqual(['One'])
    }))

  it('is dragged, folds what is undone, and makes it again', () =>
    visit(async (page) => {
      await create('One', 'Two', 'Three')
      await send('/v1/projects', 'acme-owner')
      await row(page, 'GET').waitFor()
      const box = await now(page).boundingBox()
      const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 14]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x, y + 40)
      // Past the caller and three requests.
      await page.mouse.move(x, y + 4 * 30, { steps: 4 })
      await details(page).getByText('2 records differ from the present').waitFor()
      await page.mouse.up()
      await expect.poll(names).toEqual(['One'])
      await page.getByRole('button', { name: '3 requests undone' }).waitFor()
      await expect.poll(() => requests(page).count()).toBe(1)
      // New requests come between the bar and what is undone.
      await send('/v1/auth/me', 'acme-owner')
      await row(page, '/v1/auth/me').waitFor()
      await expect.poll(async () => (await now(page).boundingBox())?.y).toBe(box?.y)
      await page.getByRole('button', { name: 'Bring them back' }).click()
      await expect.poll(names).toEqual(['One', 'Two', 'Three'])
      await page.getByLabel('Search in the log').fill('/v1/projects 200')
      await expect.poll(() => requests(page).count()).toBe(1)
      await expect.poll(async () => (await now(page).boundingBox())?.y).toBe(box?.y)
    }))
})

describe('a request that came with a file', () => {
  it('offers no way back to a moment that is not stored, and says so once', () =>
    visit(async (page) => {
      await create('One')
      await send('/v1/projects', 'acme-owner')
      const back = details(page).getByRole('button', { name: 'Go back to before' })
      await row(page, 'GET').click()
      await back.waitFor()
      await controls().state.load(await controls().state.export())
      const why = 'The data just before this request is not stored: nothing can go back to it'
      await page.reload()
      const rows = [
        ['200', `${why}.`],
        ['201', `${why}, nor show each field that it changed.`],
      ] as const
      for (const [status, text] of rows) {
        await row(page, status).click()
        await details(page).getByText(text, { exact: true }).waitFor()
        expect(await back.count()).toBe(0)
        expect(await details(page).getByText('not stored').count()).toBe(1)
        await details(page).getByRole('button', { name: 'More', exact: true }).click()
        await choice(page, 'Copy as curl').waitFor()
        expect(await choice(page, 'Go back to after it').count()).toBe(0)
        await page.keyboard.press('Escape')
        await page.keyboard.press('b')
        await showsMessage(page, 'The data just before request')
      }
      // The bar stays where it is, and the box does not offer it either.
      await now(page).getByText('nothing to go back to is stored').waitFor()
      await now(page).focus()
      await page.keyboard.press('ArrowDown')
      expect(await now(page).getAttribute('aria-valuetext')).toBe('the present')
      await command(page).fill('before')
      await page.getByRole('option', { name: 'The data just before request' }).waitFor()
    }))
})

describe('a change that no request made', () => {
  it('counts as a row of each filter that shows it', () =>
    visit(async (page) => {
      await create('One')
      await row(page, '201').waitFor()
      await controls().delay.set(1)
      await controls().data.generate(3, { session: 'acme-owner' })
      // Steps of earlier tests may be rows, too.
      for (const [name, least] of [
        ['All', 3],
        ['Changed data', 2],
        ['Failed', 0],
      ] as const) {
        const filter = page.getByRole('button', { name: new RegExp(`^${name} \\d+$`) })
        await filter.click()
        const numbers = async () => ({
          shown: Number((await filter.innerText()).replace(/\D/g, '')),
          rows: await log(page).locator('.log-row, .step').count(),
        })
        await expect.poll(numbers).toSatisfy(({ shown, rows }) => shown === rows && shown >= least)
      }
    }))

  const changes = (page: Page) => log(page).locator('.step')
  const stopClock = () => controls().clock.set({ at: '2030-01-01T00:00:00Z' })
  const mode = async () => (await controls().clock.get()).mode

  it('is between the requests at its time, is taken back there and made again', () =>
    visit(async (page) => {
      await create('Before')
      await controls().reset()
      await create('One')
      await stopClock()
      await create('Two')
      await changes(page).filter({ hasText: 'clock' }).waitFor()
      const rows = () => log(page).locator('.log-row, .step').allInnerTexts()
      const texts = [/POST.*Two/s, /clock/, /POST.*One/s, /reset/].map((text) => expect.stringMatching(text))
      await expect.poll(rows).toEqual(texts)
      await page.getByRole('button', { name: /^Undo: .*clock/ }).click()
      await expect.poll(mode).toBe('real')
      await page.getByRole('button', { name: /^Redo: .*clock/ }).click()
      await expect.poll(mode).toBe('fixed')
    }))

  it('is no moment for the bar: an arrow takes it past the next request', () =>
    visit(async (page) => {
      await create('One', 'Two')
      await controls().delay.set(1)
      await controls().delay.set(2)
      await changes(page).nth(1).waitFor()
      const [first, second] = await controls().log.read()
      await now(page).focus()
      await page.keyboard.press('ArrowDown')
      const text = () => now(page).getAttribute('aria-valuetext')
      await expect.poll(text).toBe(`before #${second?.id}`)
      await page.keyboard.press('ArrowDown')
      await expect.poll(text).toBe(`before #${first?.id}`)
      await page.keyboard.press('ArrowUp')
      await expect.poll(text).toBe(`before #${second?.id}`)
      await page.keyboard.press('ArrowUp')
      await expect.poll(text).toBe('the present')
    }))

  it('follows the search and the filter', () =>
    visit(async (page) => {
      const shown = async () => (await changes(page).allInnerTexts()).join()
      await create('One')
      await stopClock()
      await controls().data.remove('projects', (await projects()).at(-1)?.id ?? '')
      await expect.poll(shown).toMatch(/One.*clock/s)
      await page.getByRole('button', { name: /^Changed data/ }).click()
      await expect.poll(shown).not.toContain('clock')
      expect(await shown()).toContain('One')
      await page.getByRole('button', { name: /^Failed/ }).click()
      await expect.poll(shown).toBe('')
      await page.getByRole('button', { name: /^All/ }).click()
      await page.getByLabel('Search in the log').fill('clock')
      await expect.poll(shown).toContain('clock')
      expect(await shown()).not.toContain('One')
    }))
})

describe('the command box', () => {
  it('stays open with Ctrl+K, so that what is typed next replaces its words', () =>
    visit(async (page) => {
      await create('One')
      await row(page, '201').click()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('nothing')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('aa')
      expect(await command(page).inputValue()).toBe('aa')
      await page.keyboard.press('Escape')
      await page.locator('.suggestions').waitFor({ state: 'detached' })
      expect(await controls().log.read()).toHaveLength(1)
    }))

  it('opens with Ctrl+K and with /, shows what Enter does, and does it', () =>
    visit(async (page) => {
      await page.keyboard.press('Control+k')
      await expect.poll(() => command(page).evaluate((field) => field.matches(':focus'))).toBe(true)
      await page.keyboard.type('409 create once')
      await suggestion(page, '409 PROJECT_NAME_TAKEN on createProject · next request').waitFor()
      expect(
        await suggestion(page, /next request/)
          .first()
          .getAttribute('aria-selected'),
      ).toBe('true')
      await page
        .getByText('npx dashboard-api mock scenario set createProject PROJECT_NAME_TAKEN --times 1 --url')
        .waitFor()
      await page.keyboard.press('Enter')
      await endOf(page, 'createProject: 409 PROJECT_NAME_TAKEN (next request)').waitFor()
      await undoIn(page).click()
      await expect.poll(() => controls().scenarios.list()).toEqual([])
      await page.keyboard.press('/')
      await page.keyboard.type('409 create')
      await suggestion(page, /until cleared/)
        .first()
        .waitFor()
      await page.keyboard.press('Shift+Enter')
      await expect
        .poll(() => controls().scenarios.list())
        .toEqual([{ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN' }])
    }))

  it('refuses what is not possible, in words, and changes nothing', () =>
    visit(async (page) => {
      await create('One')
      await row(page, '201').waitFor()
      for (const [text, words] of [
        ['409 create for vieewr', 'There is no persona "vieewr"'],
        ['before 900', 'The log has no request 900'],
        ['undo create', '"create" is not understood here'],
      ] as const) {
        await command(page).fill(text)
        const refusal = suggestion(page, words)
        await refusal.waitFor()
        expect(await refusal.getAttribute('aria-disabled')).toBe('true')
        await page.keyboard.press('Enter')
        await refusal.waitFor()
      }
      await page.keyboard.press('Escape')
      expect([await controls().scenarios.list(), await names()]).toEqual([[], ['One']])
    }))

  it('finds records of every kind, and opens the one that was found', () =>
    visit(async (page) => {
      for (const [text, kind] of [
        ['Globex', 'Teams'],
        ['ada@acme.example', 'Users'],
        ['acme-near-miss', 'Sessions'],
      ] as const) {
        await command(page).fill(text)
        const found = page.getByRole('option').filter({ hasText: `${text}${kind.toLowerCase()}` })
        await found.first().click()
        await page.getByRole('grid', { name: kind }).waitFor()
        const cellOf = page.locator('[role=gridcell][aria-selected=true]')
        await expect.poll(() => cellOf.locator('xpath=..').innerText()).toContain(text)
      }
    }))

  it('understands personas, moments, records, delays and scenarios', () =>
    visit(async (page) => {
      await create('One')
      await row(page, '201').waitFor()
      const [entry] = await controls().log.read()
      const type = async (text: string, wanted: string | RegExp) => {
        await command(page).fill(text)
        await suggestion(page, wanted).first().waitFor()
        await page.keyboard.press('Enter')
      }
      await type('be viewer', 'Sign in as acme-viewer')
      await page.getByRole('button', { name: 'This browser is acme-viewer' }).waitFor()
      await type(`before ${entry?.id}`, `Go back to just before request ${entry?.id}`)
      await showsMessage(page, 'Went back to before')
      expect(await names()).toEqual([])
      await type('delay 300 list', 'Delay listProjects by 300 ms')
      await expect.poll(() => controls().delay.get()).toMatchObject({ operations: { listProjects: '300' } })
      await type('empty', 'Start empty')
      await expect.poll(() => controls().scenarios.list()).toEqual([{ target: 'empty' }])
      await type('rename mobile app to Tablet app', 'Rename Mobile app to Tablet app')
      await expect.poll(async () => (await projects())[1]?.name).toBe('Tablet app')
      await type('rename tablet', 'Rename Tablet app')
      await page.getByLabel(/^name of /).fill('Mobile app')
      await page.keyboard.press('Enter')
      await page.getByRole('gridcell', { name: 'Mobile app', exact: true }).waitFor()
      await type('updateProject', /^updateProject/)
      await page.getByRole('region', { name: 'Handlers' }).waitFor()
      await type('owner 201', /^#\d+ POST/)
      await details(page).getByRole('heading', { name: 'POST One 201' }).waitFor()
      await command(page).fill('nothing is called this')
      await page.getByText('Nothing is called this').waitFor()
    }))
})

describe('the commands that are more than words of the box', () => {
  it('adds a persona, signs out, saves files, and copies the rest', () =>
    visit(async (page) => {
      const type = async (text: string, wanted: string | RegExp) => {
        await command(page).fill(text)
        await suggestion(page, wanted).first().waitFor()
        await page.keyboard.press('Enter')
      }
      await type('persona add bob', 'Add the persona bob')
      await showsMessage(page, 'The persona bob was added.')
      expect((await controls().sessions.list()).sessions.map(({ id }) => id)).toContain('bob')
      await type('be bob', 'Sign in as bob')
      await page.getByRole('button', { name: 'This browser is bob' }).waitFor()
      await type('sign out', 'Sign out')
      await showsMessage(page, 'You signed out')
      for (const [text, name] of [
        ['state save x.json', 'x.json'],
        ['handlers export', 'handlers.ts'],
      ] as const) {
        const saved = page.waitForEvent('download')
        await type(text, `Download ${name}`)
        expect((await saved).suggestedFilename()).toBe(name)
      }
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await type('log --curl 2', 'mock log --curl 2')
      await showsMessage(page, 'Copied the command.')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
        /^npx dashboard-api mock log --curl 2 --url http/,
      )
    }))
})

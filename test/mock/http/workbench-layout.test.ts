import { describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import {
  cell,
  choice,
  command,
  details,
  now,
  requests,
  row,
  setUpWorkbench,
  showsMessage,
  suggestion,
  tab,
  undoIn,
} from '../../browser/workbench-visit.js'

const { visit, send, controls, projects } = setUpWorkbench()
const mobile = fixture.projects.find(({ name }) => name === 'Mobile app')?.id ?? ''

describe('a selected cell', () => {
  it.each(['Backspace', 'Delete'])('is emptied by %s, and its record stays', (key) =>
    visit(async (page) => {
      await tab(page, 'Data').click()
      await cell(page, 'Mobile app').click()
      await page.keyboard.press(key)
      const editor = page.getByRole('textbox', { name: `name of ${mobile}` })
      await editor.waitFor()
      expect(await editor.inputValue()).toBe('')
      await page.keyboard.press('Escape')
      await cell(page, 'Mobile app').waitFor()
      // The id cannot be edited.
      await page.keyboard.press('End')
      for (let columns = 0; columns < 6; columns++) await page.keyboard.press('ArrowRight')
      await page.keyboard.press(key)
      expect(await page.locator('.cell-input, dialog').count()).toBe(0)
      expect(await projects()).toHaveLength(6)
      await page.getByRole('button', { name: `Remove ${mobile}` }).click()
      await showsMessage(page, 'Mobile app was removed')
      await undoIn(page).click()
      await cell(page, 'Mobile app').waitFor()
    }),
  )
})

describe('the bar Now', () => {
  it('is dragged by any part, and no text is selected', () =>
    visit(async (page) => {
      for (const name of ['One', 'Two', 'Three']) await send('/v1/projects', 'acme-owner', { name })
      await row(page, 'POST').nth(2).waitFor()
      const bar = await page.locator('.now').boundingBox()
      if (!bar) throw new Error('There is no bar.')
      const words = await page.getByText('drag down to go back').boundingBox()
      for (const x of [(words?.x ?? 0) + 10, bar.x + 30]) {
        await page.mouse.move(x, bar.y + 14)
        await page.mouse.down()
        // Past the caller and two requests.
        await page.mouse.move(x - 10, bar.y + 14 + 3 * 30, { steps: 4 })
        await expect.poll(() => now(page).getAttribute('aria-valuenow')).toBe('1')
        expect(await page.evaluate(() => String(getSelection()))).toBe('')
        await page.keyboard.press('Escape')
        await page.mouse.up()
        await expect.poll(async () => (await page.locator('.now').boundingBox())?.y).toBe(bar.y)
      }
      expect(await projects()).toHaveLength(9)
    }))

  it('says which records that differ are not in its table', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner', { name: 'Ours' })
      await send('/v1/projects', 'globex-owner', { name: 'Theirs' })
      await row(page, 'globex-owner').waitFor()
      await page.keyboard.press('n')
      await page.keyboard.press('End')
      await details(page).getByText('2 records differ from the present, 1 of them in another team.').waitFor()
    }))

  it('has a ring only beside a request that has changed something', () =>
    visit(async (page) => {
      await send(`/v1/projects/${mobile}`, 'acme-owner', { name: 'Mobile app' }, 'PATCH')
      await send(`/v1/projects/${mobile}`, 'acme-owner', {}, 'PATCH')
      await send(`/v1/projects/${mobile}`, 'acme-owner', { name: 'Tablet app' }, 'PATCH')
      await row(page, 'PATCH').nth(2).waitFor()
      const rings = row(page, 'PATCH').filter({ hasText: 'changed data' })
      expect(await rings.count()).toBe(1)
      expect((await controls().log.read()).map(({ changed }) => changed)).toEqual([
        undefined,
        undefined,
        [{ kind: 'projects', key: mobile, name: 'Tablet app', change: 'changed', fields: ['name'] }],
      ])
    }))
})

describe('the top bar', () => {
  it('names the documentation among the keys', () =>
    visit(async (page) => {
      await page.keyboard.press('?')
      const link = page.getByRole('dialog', { name: 'Keys' }).getByRole('link', { name: 'Docs' })
      expect(await link.getAttribute('href')).toBe('/docs')
    }))

  it('says that Enter runs what the page of an error has filled in', () =>
    visit(
      async (page) => {
        await page.getByRole('link', { name: 'Force it for the next request' }).click()
        await suggestion(page, /409 PROJECT_NAME_TAKEN on createProject · next request/).waitFor()
        await page.getByText('Enter runs it').waitFor()
        expect(await controls().scenarios.list()).toEqual([])
        await command(page).press('Enter')
        await expect
          .poll(() => controls().scenarios.list())
          .toEqual([{ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 }])
      },
      { path: '/docs/errors/project-name-taken', isPage: true },
    ))

  it('shows a refusal whole, with the option to copy', () =>
    visit(
      async (page) => {
        const error =
          'Only this machine may control the mock, and this request comes from 192.0.2.2. Start the mock with ' +
          '--allow-control 192.0.2.2 (in Vite: allowControl) to let it; a network is given as 172.17.0.0/16.'
        await page.route('**/__dev/**', (route) => route.fulfill({ status: 403, json: { error } }))
        await page.reload()
        const refused = page.getByRole('region', { name: 'Refused' })
        await refused.getByText(error).waitFor()
        await refused.getByText('--allow-control 192.0.2.2', { exact: true }).waitFor()
        await refused.getByRole('button', { name: 'Copy' }).waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      },
      { viewport: { width: 390, height: 844 } },
    ))
})

describe('in a window as narrow as a phone', () => {
  const viewport = { width: 390, height: 844 }

  it('the codes of the outcomes and the names of the personas are not broken', () =>
    visit(
      async (page) => {
        const linesOf = () =>
          page.locator('.picker [role=option] > span').evaluateAll((all) =>
            all.map((each) => {
              const range = document.createRange()
              range.selectNodeContents(each)
              return range.getClientRects().length
            }),
          )
        await page.getByRole('button', { name: '+ Force an outcome' }).click()
        await choice(page, /^403 TEAM_MEMBERSHIP_REQUIRED/)
          .first()
          .waitFor()
        expect(new Set(await linesOf())).toEqual(new Set([1]))
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: /^(You are|This browser is)/ }).click()
        await choice(page, /^acme-near-miss/).waitFor()
        expect(new Set(await linesOf())).toEqual(new Set([1]))
      },
      { viewport },
    ))

  it('the code that is forced is whole in Handlers', () =>
    visit(
      async (page) => {
        const outcome = 'TEAM_MEMBERSHIP_REQUIRED'
        await controls().scenarios.set({ target: 'createProject', outcome })
        await tab(page, 'Handlers').click()
        const button = page.getByRole('button', { name: `Outcome of createProject: 403 ${outcome}, forced` })
        await button.waitFor()
        expect(await button.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      },
      { viewport },
    ))

  it('a space is entered by the menu of the state, shown, and left by its button', () =>
    visit(
      async (page) => {
        await tab(page, 'Data').click()
        const enter = async (name: string) => {
          await choice(page, 'Go to a space…').click()
          await page.getByRole('textbox', { name: 'Space' }).fill(name)
          await page.keyboard.press('Enter')
        }
        await page.getByRole('button', { name: 'State' }).click()
        await enter('no space')
        await page.getByText('"no space" is not the name of a space').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'State' }).click()
        await enter('mine')
        const mine = page.getByRole('button', { name: 'space mine' })
        await mine.click()
        await enter('another')
        await page.getByRole('button', { name: 'space another' }).click()
        await choice(page, 'Leave the space another').click()
        await page.getByRole('button', { name: /^space/ }).waitFor({ state: 'detached' })
        expect(await page.evaluate(() => document.cookie)).not.toContain('another')
      },
      { viewport },
    ))
})

describe('a body that is stored in part', () => {
  it('is a table if it is a list, and says that there are more', () =>
    visit(async (page) => {
      await controls().data.generate(1000, { session: 'acme-owner' })
      await send('/v1/projects', 'acme-owner')
      await row(page, 'GET').click()
      const table = details(page).getByRole('group', { name: 'Body' })
      await expect.poll(() => table.locator('tbody tr').count()).toBe(50)
      await details(page)
        .getByText(/^The first 50 of more than \d{3} ·/)
        .waitFor()
      await details(page).getByText('the rest is not stored').waitFor()
      await details(page).getByRole('button', { name: 'as JSON' }).click()
      await details(page).getByText('cut after 64 KiB').first().waitFor()
    }))
})

describe('requests that do not pause', () => {
  it('show what they have changed meanwhile', () =>
    visit(async (page) => {
      await tab(page, 'Handlers').click()
      const calls = page.locator('li', { hasText: 'getSession' }).locator('.hits')
      await calls.waitFor({ state: 'attached' })
      let isOver = false
      const sending = (async () => {
        while (!isOver) await Promise.all([send('/v1/auth/me', 'acme-owner'), page.waitForTimeout(20)])
      })()
      try {
        // Its number of requests is read again after requests.
        await expect.poll(() => calls.innerText(), { timeout: 60_000 }).toMatch(/\d calls?\b/)
      } finally {
        isOver = true
        await sending
      }
    }))
})

describe('a request of GraphQL', () => {
  it('has the name of its operation, though no handler answers it', () =>
    visit(async (page) => {
      await send('/graphql', 'acme-owner', { query: 'mutation PayInvoice { pay { id } }' })
      const method = row(page, 'PayInvoice').getByText('mutation', { exact: true })
      await method.waitFor()
      expect(await method.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      await details(page).getByRole('heading', { name: 'mutation PayInvoice 404' }).waitFor()
    }))
})

describe('ids', () => {
  it('are whole at 1280 px, beside times, and their ends are in the timeline', () =>
    visit(
      async (page) => {
        const [first, second] = fixture.projects
        // One of the longest times.
        await controls().data.set('projects', mobile, { createdAt: '2025-09-28T20:58:00.000Z' })
        for (const each of [first, second])
          await send(`/v1/projects/${each?.id}`, 'acme-viewer', { status: 'new' }, 'PATCH')
        const ends = requests(page).locator('.path .end')
        await expect.poll(() => ends.allInnerTexts()).toEqual([second?.id.slice(-6), first?.id.slice(-6)])
        await ends.first().click()
        await tab(page, 'Data').click()
        await cell(page, 'Mobile app').waitFor()
        const cut = await page
          .locator('.grid-body .grid-row')
          .evaluateAll((rows) =>
            rows.flatMap((each) =>
              [...each.children].slice(4, 6).map((child) => child.scrollWidth - child.clientWidth),
            ),
          )
        expect(cut).toEqual(Array.from({ length: 12 }, () => 0))
        expect((await page.locator('.grid-body .grid-row').first().boundingBox())?.height).toBe(28)
        await tab(page, 'Handlers').click()
        const line = page.locator('.group li').first()
        expect((await line.boundingBox())?.height).toBeLessThanOrEqual(30)
      },
      { viewport: { width: 1280, height: 800 } },
    ))
})

describe('what is undone', () => {
  it('is told by names', () =>
    visit(async (page) => {
      await tab(page, 'Data').click()
      await page.getByRole('button', { name: `Remove ${mobile}` }).click()
      await showsMessage(page, 'Mobile app was removed')
      await undoIn(page).click()
      await showsMessage(page, 'Went back to before Mobile app was removed.')
      await controls().data.set('projects', mobile, { status: 'new' })
      expect((await controls().undo()).title).toBe('Mobile app was changed')
    }))
})

describe('the command box', () => {
  it('waits for the records that it looks for, also with Enter', () =>
    visit(async (page) => {
      let answer = () => {}
      const isAnswered = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route('**/__dev/data?**', async (route) => {
        await isAnswered
        await route.continue()
      })
      await command(page).fill('rename mobile app to Tablet app')
      await page.locator('.suggestions').waitFor()
      expect(
        await page
          .locator('.suggestions')
          .getByText(/does nothing|Nothing is called/)
          .count(),
      ).toBe(0)
      await page.keyboard.press('Enter')
      answer()
      await showsMessage(page, 'Mobile app was renamed to Tablet app.')
      expect((await projects()).find(({ id }) => id === mobile)?.name).toBe('Tablet app')
      // What is not found is said as before.
      await command(page).fill('rename no such thing to X')
      await page.getByText('does nothing now').waitFor()
    }))
})

describe('the delay', () => {
  it('is that of a button, whatever the field says later', () =>
    visit(
      async (page) => {
        let answer = () => {}
        const isAnswered = new Promise<void>((resolve) => {
          answer = resolve
        })
        await page.route('**/__dev/delay', async (route) => {
          if (route.request().postData()?.includes('soon')) await isAnswered
          await route.continue()
        })
        const field = page.getByLabel('Of all responses, in ms')
        await field.fill('soon')
        const refused = page.waitForResponse((response) => response.status() === 422)
        await page.getByRole('button', { name: '300', exact: true }).click()
        answer()
        await refused
        await expect.poll(() => field.inputValue()).toBe('300')
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
        expect(await field.getAttribute('aria-invalid')).toBeNull()
      },
      { path: '/#handlers' },
    ))
})

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  choice,
  details,
  endOf,
  log,
  next,
  now,
  requests,
  row,
  setUpWorkbench,
  showsMessage,
  tab,
  undoIn,
} from '../../browser/workbench-visit.js'

const { visit, send, server, controls, projects } = setUpWorkbench()
const create = async (...names: string[]) => {
  for (const name of names) await send('/v1/projects', 'acme-owner', { name })
}
const signIn = (page: Page, persona: string) =>
  page.context().addCookies([{ name: 'session', value: persona, url: page.url() }])
const once = { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 } as const

describe('Next', () => {
  it('has everything that will not be as usual, each with a button that ends it', () =>
    visit(async (page) => {
      const { scenarios, delay, chaos, clock, data, sessions } = controls()
      await next(page).getByText('everything responds as usual').waitFor()
      await scenarios.set(once)
      await scenarios.set({
        target: 'listProjects',
        response: { status: 200, body: { projects: [] } },
        times: null,
      })
      await scenarios.set({ target: 'empty', session: 'acme-viewer' })
      await delay.set(300)
      await delay.set('20-30', 'getSession')
      await chaos.set({ errorRate: 0.1, seed: 7 })
      const expiresAt = new Date(Date.now() + 600_000).toISOString()
      await data.set('sessions', 'acme-owner', { expiresAt })
      await sessions.use('acme-owner')
      await page.context().addCookies([{ name: 'session', value: 'active', url: page.url() }])
      await page.reload()
      await next(page).getByText('7 things will not be as usual').waitFor()
      const texts = await next(page)
        .getByRole('button', { name: /^End / })
        .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')?.replace(/\d+:\d+:\d+/, 'x')))
      expect(texts).toEqual([
        'End createProject: 409 PROJECT_NAME_TAKEN (next request)',
        'End listProjects: response 200 (until cleared)',
        'End empty: on (until cleared, for acme-viewer)',
        'End delay of getSession 20-30 ms',
        'End delay 300 ms',
        'End chaos: 10 % fail, seed 7',
        'End acme-owner expires at x',
      ])
      for (let left = 7; left > 0; left--) {
        await next(page).getByRole('button', { name: /^End / }).last().click()
        await expect.poll(() => next(page).getByRole('button', { name: /^End / }).count()).toBe(left - 1)
      }
      await clock.set({ at: '2026-01-01T00:00:00Z' })
      await endOf(page, 'clock fixed').click()
      await expect.poll(async () => (await clock.get()).mode).toBe('real')
      expect([await scenarios.list(), await delay.get(), await chaos.get()]).toEqual([
        [],
        { all: '0', operations: {} },
        { operations: {} },
      ])
    }))

  it('loses what a request used up, whose row has a dashed ring', () =>
    visit(async (page) => {
      await controls().scenarios.set(once)
      await endOf(page, 'createProject: 409 PROJECT_NAME_TAKEN (next request)').waitFor()
      await create('Roadmap')
      await next(page).getByText('everything responds as usual').waitFor()
      const forced = row(page, '409')
      await forced.getByText('forced', { exact: true }).waitFor()
      const ring = await forced.locator('.ring').evaluate((each) => getComputedStyle(each).borderStyle)
      expect(ring).toBe('dashed')
      await details(page).getByText('you forced PROJECT_NAME_TAKEN for the next request').waitFor()
    }))
})

describe('the rows', () => {
  it('say what each request did, by names, below the caller', () =>
    visit(async (page) => {
      await create('Roadmap', 'ROADMAP', '')
      const { id } = (await projects()).at(-1) ?? { id: '' }
      await send(`/v1/projects/${id}`, 'acme-viewer', { name: 'No' }, 'PATCH')
      await send(`/v1/projects/${id}`, 'acme-owner', { name: 'Roadmap 2027', status: 'paused' }, 'PATCH')
      await send('/v1/waitlist', 'unknown', { email: 'ada@example.com' })
      await expect
        .poll(() => requests(page).locator('.did').allInnerTexts())
        .toEqual([
          '+ ada@example.com',
          'name, status',
          '“No”',
          'name: must not be empty',
          '“ROADMAP”',
          '+ Roadmap',
        ])
      const callers = log(page).locator('.chapter b')
      expect(await callers.allInnerTexts()).toEqual(['signed out', 'acme-owner', 'acme-viewer', 'acme-owner'])
      expect(await row(page, 'PATCH').first().locator('.path').innerText()).toBe('projects/\nRoadmap 2027')
      await row(page, '422').click()
      await details(page).getByText('name: Must not be empty').waitFor()
      await page.getByRole('button', { name: 'Failed 3' }).click()
      await expect.poll(() => requests(page).count()).toBe(3)
      await page.getByRole('button', { name: 'Changed data 3' }).click()
      await expect.poll(() => requests(page).locator('.ring').count()).toBe(3)
      // Both are in the address.
      await page.getByLabel('Search in the log').fill('roadmap')
      await page.reload()
      await expect.poll(() => requests(page).locator('.ring').count()).toBe(2)
      expect(await page.getByLabel('Search in the log').inputValue()).toBe('roadmap')
    }))

  it('lead from a record to the requests that changed it, and back', () =>
    visit(async (page) => {
      await create('Roadmap')
      const { id } = (await projects()).at(-1) ?? { id: '' }
      await send(`/v1/projects/${id}`, 'acme-owner', { status: 'paused' }, 'PATCH')
      await row(page, 'PATCH').click()
      const [made, changed] = (await controls().log.read()).map((entry) => `#${entry.id}`)
      await details(page).getByText(`created by ${made} · changed by ${changed}`).waitFor()
      await details(page).getByRole('button', { name: 'open in Data' }).click()
      await page.getByRole('gridcell', { name: 'Roadmap', exact: true }).waitFor()
      await page.getByRole('button', { name: `${made}`, exact: true }).click()
      await details(page).getByRole('heading', { name: 'POST Roadmap 201' }).waitFor()
    }))

  it('stay where they are in a list that is scrolled, while requests arrive', () =>
    visit(async (page) => {
      for (let i = 0; i < 40; i++) await send('/v1/projects', 'acme-owner')
      await expect.poll(() => requests(page).count()).toBeGreaterThan(20)
      const [oldest] = await controls().log.read()
      const middle = page.locator(`#log-${(oldest?.id ?? 0) + 20}`)
      await page.keyboard.press('j')
      await log(page).press('End')
      await page.locator('.scroller').evaluate((list) => list.scrollTo(0, 300))
      await middle.waitFor()
      const place = async () => (await middle.boundingBox())?.y
      const before = await place()
      // The reset after the test before is a row, too.
      const count = async () => Number(await page.locator('.tab b').first().innerText())
      const first = await count()
      for (let sent = 0; sent < 100; sent += 20) {
        await Promise.all(Array.from({ length: 20 }, () => send('/v1/auth/me', 'acme-owner')))
        await expect.poll(count).toBe(first + sent + 20)
        expect(await place()).toBe(before)
      }
    }))

  it('isolate a name that turns the text around', () =>
    visit(async (page) => {
      await create('\u202Eesrever')
      const path = row(page, '201').locator('.did')
      await path.waitFor()
      const [did, result] = [
        await path.boundingBox(),
        await row(page, '201').locator('.result').boundingBox(),
      ]
      expect((did?.x ?? 0) + (did?.width ?? 0)).toBeLessThanOrEqual(result?.x ?? 0)
      expect(await path.locator('bdi').count()).toBe(1)
    }))
})

describe('the bar Now', () => {
  it('stays reachable in a long list, scrolls it while it is dragged, and survives the wheel', () =>
    visit(
      async (page) => {
        for (let i = 0; i < 40; i += 1) await send('/v1/auth/me', 'acme-owner')
        await create('Last')
        await row(page, '201').waitFor()
        const scroller = page.locator('.list .scroller')
        await scroller.evaluate((list) => list.scrollTo(0, 600))
        // Scrolled away, the key still finds it.
        await page.keyboard.press('n')
        await expect.poll(() => now(page).evaluate((bar) => bar.matches(':focus'))).toBe(true)
        const box = await now(page).boundingBox()
        const list = await scroller.boundingBox()
        expect(box?.y).toBeGreaterThanOrEqual((list?.y ?? 0) - 1)
        const [x, bottom] = [(box?.x ?? 0) + 20, (list?.y ?? 0) + (list?.height ?? 0) - 10]
        await scroller.evaluate((each) => each.scrollTo(0, 0))
        await page.mouse.move(x, (box?.y ?? 0) + 12)
        await page.mouse.down()
        await page.mouse.move(x, bottom, { steps: 5 })
        // Near the edge the list scrolls by itself.
        await expect.poll(() => scroller.evaluate((each) => each.scrollTop)).toBeGreaterThan(200)
        await page.mouse.move(x, bottom - 100)
        await page.mouse.wheel(0, 120)
        await expect.poll(async () => Number(await now(page).getAttribute('aria-valuenow'))).toBeLessThan(35)
        await details(page).getByText('1 record differs from the present').waitFor()
        await page.mouse.up()
        await expect.poll(async () => (await projects()).length).toBe(6)
      },
      { viewport: { width: 1280, height: 600 } },
    ))
})

describe('the selection', () => {
  it('is that of the address, and Back returns to the view before', () =>
    visit(async (page) => {
      await create('One', 'Two', 'Three')
      const [first] = await controls().log.read()
      await page.goto(`/#timeline/${first?.id}`)
      await page.reload()
      await details(page).getByRole('heading', { name: 'POST One 201' }).waitFor()
      await tab(page, 'Data').click()
      await page.getByRole('region', { name: 'Data' }).waitFor()
      await page.goBack()
      await page.getByRole('region', { name: 'Timeline' }).waitFor()
      await details(page).getByRole('heading', { name: 'POST One 201' }).waitFor()
    }))

  it('ends with the log, and the next request is shown', () =>
    visit(async (page) => {
      await create('One', 'Two')
      await row(page, '201').nth(1).click()
      await details(page).getByRole('heading', { name: 'POST One 201' }).waitFor()
      await controls().reset()
      await page.getByText('This is your back end').waitFor()
      await details(page).getByRole('heading', { name: 'You are' }).waitFor()
      await send('/v1/auth/me', 'acme-owner')
      await details(page).getByRole('heading', { name: 'GET /v1/auth/me 200' }).waitFor()
    }))
})

describe('the first minute', () => {
  it('signs in, sends a first request, and forces a 409 that the next one gets', () =>
    visit(async (page) => {
      await page.getByRole('button', { name: 'Sign in as acme-owner' }).first().click()
      await details(page).getByRole('heading', { name: 'You are acme-owner' }).waitFor()
      await page.getByRole('button', { name: 'Force a 409' }).click()
      await endOf(page, 'createProject: 409 PROJECT_NAME_TAKEN (next request)').waitFor()
      await page.getByRole('button', { name: 'Send it' }).click()
      await row(page, '/v1/projects').waitFor()
      expect((await controls().log.read())[0]).toMatchObject({ session: 'acme-owner', status: 200 })
      await details(page).getByText('listed 4 projects').waitFor()
    }))
})

describe('a message', () => {
  it.each([390, 420, 1280])('is in one line at %d px', (width) =>
    visit(
      async (page) => {
        await controls().scenarios.set(once)
        await page.getByRole('button', { name: '+ Force an outcome' }).click()
        await choice(page, /503/).first().click()
        const button = undoIn(page)
        await button.waitFor()
        const box = await button.boundingBox()
        expect(box?.height).toBeLessThan(40)
        expect(box?.width).toBeGreaterThan(40)
      },
      { viewport: { width, height: 700 } },
    ),
  )

  it('says that a session has ended instead of signing in with it, and renews it', () =>
    visit(async (page) => {
      await page.keyboard.press('p')
      await choice(page, /^expired its session has ended/).click()
      await showsMessage(page, 'The session of expired has ended')
      await page.locator('.toast').getByRole('button', { name: 'Renew it' }).click()
      await page.locator('#who').getByText('expired', { exact: true }).waitFor()
      await undoIn(page).click()
      await page.locator('#who').getByText('signed out').waitFor()
    }))
})

describe('a step of the page', () => {
  it('is what undo takes back, however fast the keys are, and not the last request', () =>
    visit(async (page) => {
      await create('One')
      await row(page, '201').click()
      for (const key of ['f', 'Enter', 'u']) await page.keyboard.press(key)
      await showsMessage(page, 'was forced on createProject (next request).')
      await showsMessage(page, 'Went back to before')
      expect(await controls().scenarios.list()).toEqual([])
      expect((await projects()).at(-1)?.name).toBe('One')
    }))

  it('is offered to undo only if it has changed something', () =>
    visit(async (page) => {
      await create('One')
      await send('/v1/projects', 'acme-owner')
      await row(page, 'GET').click()
      await page.keyboard.press('b')
      await showsMessage(page, 'Nothing was changed.')
      expect(await undoIn(page).count()).toBe(0)
      expect((await projects()).at(-1)?.name).toBe('One')
    }))

  it('is made by no Enter in an empty box', () =>
    visit(async (page) => {
      await create('One')
      await row(page, '201').click()
      await page.keyboard.press('Control+k')
      await page.getByRole('listbox', { name: 'What it does' }).waitFor()
      expect(await page.getByRole('option', { selected: true }).count()).toBe(0)
      await page.keyboard.press('Enter')
      expect(await controls().scenarios.list()).toEqual([])
      await page.keyboard.press('ArrowDown')
      await page.getByRole('option', { selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await controls().scenarios.list()).length).toBe(1)
    }))
})

describe('the message of an undo', () => {
  it('makes the step again, by Redo', () =>
    visit(async (page) => {
      await create('One')
      await row(page, '201').waitFor()
      await page.keyboard.press('u')
      await showsMessage(page, 'Went back to before One was created.')
      const message = page.locator('.toast')
      expect(await message.getByRole('button', { name: 'Undo' }).count()).toBe(0)
      await message.getByRole('button', { name: 'Redo' }).click()
      await showsMessage(page, 'Made again: One was created.')
      expect((await projects()).at(-1)?.name).toBe('One')
    }))
})

describe('the message of a forced outcome', () => {
  it('goes when a request has used it up, and stays before', () =>
    visit(async (page) => {
      // Messages do not go by themselves here.
      await page.evaluate(() => {
        const after = setTimeout
        Object.assign(globalThis, {
          setTimeout: (run: () => void, ms: number) => (ms < 8_000 ? after(run, ms) : undefined),
        })
      })
      await page.getByRole('button', { name: '+ Force an outcome' }).click()
      await choice(page, /409 PROJECT_NAME_TAKEN/)
        .first()
        .click()
      await showsMessage(page, '409 PROJECT_NAME_TAKEN was forced on createProject (next request).')
      await send('/v1/projects', 'acme-owner')
      await row(page, '200').waitFor()
      await undoIn(page).waitFor()
      await create('One')
      await row(page, '409').waitFor()
      await page.locator('.toast').waitFor({ state: 'detached' })
    }))
})

describe('the handlers, before the mock has sent them', () => {
  it('say neither that nothing matches nor that there are none', () =>
    visit(
      async (page) => {
        let answer = () => {}
        const isHeld = new Promise<void>((resolve) => {
          answer = resolve
        })
        await page.route('**/__dev/targets', async (route) => {
          await isHeld
          await route.continue()
        })
        await page.reload()
        const handlers = page.getByRole('region', { name: 'Handlers' })
        await handlers.getByLabel('Search in the operations').waitFor()
        expect(await handlers.getByRole('status').innerText()).toBe('')
        expect(await handlers.getByText('No operation matches').count()).toBe(0)
        answer()
        await handlers.getByText('5 operations').waitFor()
        await handlers.getByLabel('Search in the operations').fill('nothing')
        await handlers.getByText('No operation matches the search.').waitFor()
      },
      { path: '/#handlers' },
    ))
})

describe('a mock that was stopped', () => {
  it('is in one banner with the command that starts it, until it answers again', () =>
    visit(async (page) => {
      await create('One')
      await row(page, '201').waitFor()
      await page.route('**/log/follow*', (route) => route.abort())
      await page.reload()
      const banner = page.getByRole('alert').filter({ hasText: 'The mock does not answer.' })
      await banner.getByText(`npx dashboard-api dev --port ${new URL(server().url).port}`).waitFor()
      // The page shows the last state, and repeats no message.
      await row(page, '201').waitFor()
      await page.route('**/__dev/**', (route) => route.abort())
      await page.keyboard.press('u')
      await page.keyboard.press('a')
      expect(await page.locator('.toast').count()).toBe(0)
      await page.unroute('**/__dev/**')
      await page.unroute('**/log/follow*')
      await banner.waitFor({ state: 'detached' })
    }))
})

describe('a list', () => {
  it('is placed again when it grows', () =>
    visit(
      async (page) => {
        let answer = () => {}
        const isHeld = new Promise<void>((resolve) => {
          answer = resolve
        })
        await page.route('**/__dev/sessions', async (route) => {
          await isHeld
          await route.continue()
        })
        await page.reload()
        await page.getByRole('button', { name: 'You are …' }).click()
        await choice(page, 'New persona…').waitFor()
        answer()
        await choice(page, /^globex-owner/).waitFor()
        const box = await page.locator('.picker').boundingBox()
        expect(box?.x).toBeGreaterThanOrEqual(0)
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1024)
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(420)
      },
      { viewport: { width: 1024, height: 420 } },
    ))
})

describe('a long form', () => {
  it('has its button in sight', () =>
    visit(
      async (page) => {
        await send('/v1/projects', 'acme-owner')
        await details(page).getByRole('button', { name: 'More', exact: true }).click()
        await choice(page, /^Respond with/).click()
        const button = page.getByRole('button', { name: 'Respond with this' })
        await button.waitFor()
        const { y = 0, height = 0 } = (await button.boundingBox()) ?? {}
        expect(y + height).toBeLessThan(600)
      },
      { viewport: { width: 1440, height: 600 } },
    ))
})

describe('the keyboard', () => {
  it('goes on with Tab from the open box to what follows it', () =>
    visit(async (page) => {
      for (const text of ['', '409 create', 'nothing is called this']) {
        await page.keyboard.press('Control+k')
        await page.keyboard.type(text)
        await page.locator('.suggestions').waitFor()
        await page.keyboard.press('Tab')
        await page.locator('.suggestions').waitFor({ state: 'detached' })
        expect([text, await page.locator('#top .end :focus').count()]).toEqual([text, 1])
      }
    }))

  it('scrolls the table of another moment', () =>
    visit(
      async (page) => {
        await controls().data.generate(60, { session: 'acme-owner' })
        await signIn(page, 'acme-owner')
        await page.reload()
        await create('One')
        await row(page, '201').waitFor()
        await page.keyboard.press('n')
        await page.keyboard.press('ArrowDown')
        const table = details(page).getByRole('group', { name: 'Projects' })
        await table.getByText('One', { exact: true }).waitFor()
        await table.focus()
        const before = await page.evaluate(() => document.activeElement?.closest('#details')?.scrollTop ?? 0)
        await page.keyboard.press('End')
        const top = () =>
          page.evaluate(() => {
            let sum = 0
            for (let each = document.activeElement; each; each = each.parentElement) sum += each.scrollTop
            return sum
          })
        await expect.poll(top).toBeGreaterThan(before)
      },
      { viewport: { width: 1280, height: 500 } },
    ))

  it('reaches each part that scrolls, and a body with one stop', () =>
    visit(async (page) => {
      await send('/v1/auth/me', 'acme-owner')
      const body = details(page).getByRole('group', { name: 'Body' })
      await body.waitFor()
      expect(
        await body.locator('summary').evaluateAll((all) => all.map((each) => each.tabIndex)),
      ).not.toContain(0)
      await body.focus()
      await page.keyboard.press('ArrowLeft')
      await body.getByText('"ada@acme.example"').waitFor({ state: 'hidden' })
      await page.keyboard.press('ArrowRight')
      await body.getByText('"ada@acme.example"').waitFor()
    }))
})

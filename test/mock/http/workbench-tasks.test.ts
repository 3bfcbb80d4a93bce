import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  cell,
  choice,
  command,
  details,
  endOf,
  fetchIn,
  row,
  setUpWorkbench,
  showsMessage,
  suggestion,
  tab,
} from '../../browser/workbench-visit.js'

const { visit, send, server, controls, projects } = setUpWorkbench()

/** Creates projects: each request changes data. */
const create = async (...names: string[]) => {
  for (const name of names) await send('/v1/projects', 'acme-owner', { name })
}
const names = async () => (await projects()).slice(6).map(({ name }) => name)
const signIn = (page: Page, persona: string) =>
  page.context().addCookies([{ name: 'session', value: persona, url: page.url() }])

/** Counts the clicks of a person, and the keys with those of texts. */
async function counted(page: Page, act: () => Promise<unknown>): Promise<{ clicks: number; keys: number }> {
  const done = { clicks: 0, keys: 0 }
  await page.exposeFunction('counts', (what: keyof typeof done) => {
    done[what] += 1
  })
  await page.evaluate(() => {
    const { counts } = globalThis as unknown as { counts(what: string): void }
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && counts('clicks'), true)
    addEventListener('keydown', ({ isTrusted }) => isTrusted && counts('keys'), true)
  })
  await act()
  return done
}

describe('the tasks, by a recording of clicks and keys', () => {
  it('409 on create, whatever is selected: 2 clicks', () =>
    visit(async (page) => {
      await create('One')
      await send('/v1/projects', 'acme-owner')
      await row(page, 'GET').click()
      const done = await counted(page, async () => {
        await page.getByRole('button', { name: '+ Force an outcome' }).click()
        await choice(page, /409 PROJECT_NAME_TAKEN/)
          .first()
          .click()
        await expect
          .poll(() => controls().scenarios.list())
          .toEqual([{ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 }])
      })
      expect(done).toEqual({ clicks: 2, keys: 0 })
    }))

  it('the same for one persona only: 3 clicks', () =>
    visit(async (page) => {
      await signIn(page, 'acme-member')
      await page.reload()
      await page
        .getByRole('button', { name: /acme-member/ })
        .first()
        .waitFor()
      const done = await counted(page, async () => {
        await page.getByRole('button', { name: '+ Force an outcome' }).click()
        await page.getByRole('button', { name: 'Only acme-member' }).click()
        await choice(page, /409 PROJECT_NAME_TAKEN/)
          .first()
          .click()
        await endOf(page, 'createProject: 409 PROJECT_NAME_TAKEN (next request, for acme-member)').waitFor()
      })
      expect(done).toEqual({ clicks: 3, keys: 0 })
      expect((await send('/v1/projects', 'acme-owner', { name: 'Other' })).status).toBe(201)
      expect((await send('/v1/projects', 'acme-member', { name: 'Own' })).status).toBe(409)
      // The next list begins with every caller.
      await page.getByRole('button', { name: '+ Force an outcome' }).click()
      await page.getByRole('button', { name: 'Everyone', pressed: true }).waitFor()
    }))

  it('the same for the sender of a request only, whoever one is', () =>
    visit(async (page) => {
      await signIn(page, 'acme-member')
      await page.reload()
      await create('One')
      await fetch(`${server().url}/v1/projects`)
      // It moves the other one, which is clicked then.
      await row(page, '401').waitFor()
      await row(page, '201').click()
      await page.getByRole('button', { name: 'Next time…' }).click()
      await page.getByRole('button', { name: 'Only acme-owner' }).click()
      await choice(page, /409 PROJECT_NAME_TAKEN/)
        .first()
        .click()
      await endOf(page, 'createProject: 409 PROJECT_NAME_TAKEN (next request, for acme-owner)').waitFor()
      // No outcome can be for signed-out callers alone.
      await row(page, '401').click()
      await page.getByRole('button', { name: 'Next time…' }).click()
      await page.getByRole('group', { name: 'How long' }).waitFor()
      expect(await page.getByRole('group', { name: 'For whom' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      // The list of all outcomes is about no request.
      await page.getByRole('button', { name: '+ Force an outcome' }).click()
      await page.getByRole('button', { name: 'Only acme-member' }).waitFor()
    }))

  it('a request, found and sent again as another persona: 6 keys', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-viewer', { name: 'Apollo' })
      await send('/v1/auth/me', 'acme-owner')
      await row(page, '/v1/auth/me').waitFor()
      const done = await counted(page, async () => {
        await page.keyboard.press('x')
        await page.keyboard.press('s')
        await choice(page, /^acme-owner/).waitFor()
        await page.keyboard.press('Enter')
        await details(page).getByRole('heading', { name: 'POST Apollo 201' }).waitFor()
      })
      expect(done.clicks).toBe(0)
      expect(done.keys).toBeLessThanOrEqual(6)
    }))

  it('another persona: 2 clicks', () =>
    visit(async (page) => {
      const done = await counted(page, async () => {
        await page.locator('#who-button').click()
        await choice(page, /^acme-viewer/).click()
        await page
          .getByRole('button', { name: /acme-viewer/ })
          .first()
          .waitFor()
      })
      expect(done).toEqual({ clicks: 2, keys: 0 })
    }))

  it('what was wrong with a 422: nothing, its row says it', () =>
    visit(async (page) => {
      const done = await counted(page, async () => {
        await send('/v1/projects', 'acme-owner', { name: '' })
        await row(page, '422')
          .getByText(/^name: /)
          .waitFor()
      })
      expect(done).toEqual({ clicks: 0, keys: 0 })
    }))

  it('which request made this change: 1 click', () =>
    visit(async (page) => {
      await create('Roadmap')
      const [made] = await controls().log.read()
      await page.keyboard.press('2')
      await cell(page, 'Roadmap').waitFor()
      const done = await counted(page, async () => {
        await cell(page, 'Roadmap').click()
        await page.getByText(`created by #${made?.id}`).waitFor()
      })
      expect(done).toEqual({ clicks: 1, keys: 0 })
    }))

  it('a list of 1,000 projects: its words in the box, and one undo', () =>
    visit(async (page) => {
      await signIn(page, 'globex-owner')
      await page.reload()
      await page
        .getByRole('button', { name: /globex-owner/ })
        .first()
        .waitFor()
      const list = async () => (await fetchIn(page, '/v1/projects')) as { body: { projects: unknown[] } }
      const { length } = (await list()).body.projects
      const done = await counted(page, async () => {
        await page.keyboard.press('/')
        await page.keyboard.type('1000 projects')
        await suggestion(page, 'Add 1,000 projects to the team of globex-owner').waitFor()
        await page.keyboard.press('Enter')
        await showsMessage(page, '1,000 projects were added to Globex.')
      })
      expect(done).toEqual({ clicks: 0, keys: 15 })
      expect((await list()).body.projects).toHaveLength(length + 1000)
      await page.keyboard.press('u')
      await showsMessage(page, 'Went back to before 1,000 projects were added to Globex.')
      expect((await list()).body.projects).toHaveLength(length)
    }))

  it('a session that ends in the middle: 2 clicks, or one word', () =>
    visit(async (page) => {
      await signIn(page, 'acme-owner')
      await page.reload()
      await page
        .getByRole('button', { name: /acme-owner/ })
        .first()
        .waitFor()
      const me = async () => ((await fetchIn(page, '/v1/auth/me')) as { status: number }).status
      expect(await me()).toBe(200)
      const done = await counted(page, async () => {
        await page.locator('#who-button').click()
        await choice(page, /^End the session/).click()
        await showsMessage(page, 'The session of acme-owner expired.')
      })
      expect(done).toEqual({ clicks: 2, keys: 0 })
      expect(await me()).toBe(401)
      await page.keyboard.press('u')
      await expect.poll(me).toBe(200)
      await page.keyboard.press('/')
      await page.keyboard.type('expire owner')
      await suggestion(page, 'End the session of acme-owner').first().waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(me).toBe(401)
    }))

  it("a colleague's bug report: one file with all of it, dropped on the page", () =>
    visit(async (page) => {
      const { scenarios, delay, clock, sessions, log, reset } = controls()
      await sessions.use('acme-viewer')
      await send('/v1/projects', 'acme-owner', { name: 'Reported' })
      await send('/v1/projects', 'acme-viewer', { name: 'No' })
      await scenarios.set({ target: 'listProjects', outcome: 503, times: 2, session: 'acme-viewer' } as never)
      await delay.set(20, 'getSession')
      await clock.set({ at: '2026-02-03T04:05:06Z' })
      await tab(page, 'Data').click()
      await page.getByRole('button', { name: 'State' }).click()
      const download = page.waitForEvent('download')
      await choice(page, /^Download/).click()
      const report = await readFile(await (await download).path(), 'utf8')
      await reset()
      await page.reload()
      await send('/v1/auth/me', 'globex-owner')
      await tab(page, 'Timeline').click()
      await row(page, '/v1/auth/me').waitFor()

      const done = await counted(page, () =>
        page.evaluate((text) => {
          const files = new DataTransfer()
          files.items.add(new File([text], 'report.json', { type: 'application/json' }))
          for (const type of ['dragover', 'drop'])
            document.body.dispatchEvent(
              new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }),
            )
        }, report),
      )
      await showsMessage(page, 'A state was loaded.')
      expect(done).toEqual({ clicks: 0, keys: 0 })
      await row(page, '403').waitFor()
      await row(page, '201').getByText('Reported').waitFor()
      await endOf(page, 'listProjects: 503 SERVICE_UNAVAILABLE (next 2 requests, for acme-viewer)').waitFor()
      await endOf(page, 'delay of getSession 20 ms').waitFor()
      await endOf(page, 'clock fixed').waitFor()
      await page
        .getByRole('button', { name: /acme-viewer/ })
        .first()
        .waitFor()
      expect(await fetchIn(page, '/v1/projects')).toMatchObject({ status: 503 })
      expect(await names()).toEqual(['Reported'])
      expect(await page.locator('.dropping').count()).toBe(0)
      // Behind the request above, one undo brings back all that was before the file.
      await page.keyboard.press('u')
      await showsMessage(page, 'answered the forced 503')
      await page.keyboard.press('u')
      await showsMessage(page, 'Went back to before a state was loaded.')
      await page.locator('.chapter', { hasText: 'globex-owner' }).waitFor()
      await row(page, '403').waitFor({ state: 'detached' })
      expect(await names()).toEqual([])
      expect([await scenarios.list(), (await clock.get()).mode]).toEqual([[], 'real'])
      expect((await log.read()).map(({ session }) => session)).toEqual(['globex-owner', 'acme-viewer'])
    }))

  it('a space for itself: its name in the box, and back', () =>
    visit(async (page) => {
      await create('Common')
      await row(page, '201').waitFor()
      await signIn(page, 'acme-owner')
      const url = new URL(server().url)
      const done = await counted(page, async () => {
        await page.keyboard.press('/')
        await page.keyboard.type('space mine')
        await suggestion(page, 'Go to the space mine').waitFor()
        await page.keyboard.press('Enter')
      })
      await page.getByText(`Connected to ${url.host}, space mine`).waitFor({ state: 'attached' })
      expect(done).toEqual({ clicks: 0, keys: 12 })
      await page.getByText('This is your back end').waitFor()
      const created = await fetchIn(page, '/v1/projects', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Own"}',
      })
      expect(created).toMatchObject({ status: 201 })
      await row(page, '201').getByText('Own', { exact: true }).waitFor()
      expect(await names()).toEqual(['Common'])
      // The commands to copy are about the space, too.
      await command(page).fill('delay 300')
      await page.locator('.as-command').getByText('--space mine').waitFor()
      await command(page).fill('space')
      await suggestion(page, 'Leave the space mine').waitFor()
      await page.keyboard.press('Enter')
      await row(page, '201').getByText('Common', { exact: true }).waitFor()
    }))
})

// The tasks of docs/mock.md, with the maximum of clicks or keys for each.
describe('the other tasks', () => {
  const once = [{ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 }]
  const scenarios = () => controls().scenarios.list()

  /** Each with its preparation, the keys, whose number is in the name, and the check of the result. */
  const byKeys: Record<
    string,
    [before: (page: Page) => unknown, keys: string[], after: (page: Page) => unknown]
  > = {
    '409 on create for the next request: 3 keys': [
      async (page) => {
        await create('One')
        await send('/v1/projects', 'acme-owner')
        await row(page, 'GET').waitFor()
      },
      ['j', 'f', 'Enter'],
      () => expect.poll(scenarios).toEqual(once),
    ],
    'the request that failed, sent again as another persona: 4 keys': [
      async (page) => {
        await send('/v1/projects', 'acme-viewer', { name: 'Apollo' })
        await send('/v1/auth/me', 'acme-owner')
        await row(page, '/v1/auth/me').waitFor()
      },
      ['x', 's', 'Enter'],
      async (page) => {
        await details(page).getByRole('heading', { name: 'POST Apollo 201' }).waitFor()
        expect((await controls().log.read()).at(-1)).toMatchObject({ session: 'acme-owner', status: 201 })
      },
    ],
    'undo: 1 key': [
      async (page) => {
        await create('One')
        await page.getByRole('button', { name: 'Undo', exact: true, disabled: false }).waitFor()
      },
      ['u'],
      () => expect.poll(names).toEqual([]),
    ],
    'another persona: 3 keys': [
      (page) => page.getByText('This is your back end').waitFor(),
      ['p', 'ArrowDown', 'Enter'],
      (page) => page.getByRole('button', { name: 'This browser is acme-member' }).waitFor(),
    ],
    'the state before a request: 1 key': [
      async (page) => {
        await create('One')
        await row(page, '201').waitFor()
      },
      ['b'],
      () => expect.poll(names).toEqual([]),
    ],
  }
  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      // Slowly, as a person types: the page is drawn in between.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    }
  }
  it.each(Object.entries(byKeys))('%s', (name, [before, keys, after]) =>
    visit(async (page) => {
      expect(keys.length).toBeLessThanOrEqual(Number(/(\d) keys?$/.exec(name)?.[1]))
      await before(page)
      await press(page, ...keys)
      await after(page)
    }),
  )

  it('the name of a project: 3 keys and the name', () =>
    visit(async (page) => {
      await page.getByText('This is your back end').waitFor()
      await press(page, '2')
      await page.getByText('6 projects').waitFor()
      await press(page, 'ArrowDown', 'Enter')
      await page.keyboard.type('Renamed')
      await press(page, 'Enter')
      await page.getByRole('gridcell', { name: 'Renamed', exact: true }).waitFor()
    }))

  it('a fixture of the state: 3 clicks', () =>
    visit(async (page) => {
      await tab(page, 'Data').click()
      await page.getByRole('button', { name: 'State' }).click()
      const download = page.waitForEvent('download')
      await choice(page, /^Download/).click()
      expect((await download).suggestedFilename()).toBe('state.json')
    }))

  it('a delay of one operation: the box, its words and Enter', () =>
    visit(async (page) => {
      await press(page, '/')
      await page.keyboard.type('delay 300 list')
      await suggestion(page, 'Delay listProjects by 300 ms').waitFor()
      await press(page, 'Enter')
      await expect.poll(() => controls().delay.get()).toMatchObject({ operations: { listProjects: '300' } })
    }))

  it('a custom response from the last one: 3 clicks', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner')
      await details(page).getByRole('button', { name: 'More', exact: true }).click()
      await choice(page, /^Respond with/).click()
      await page.getByRole('button', { name: 'Respond with this' }).click()
      await expect.poll(scenarios).toMatchObject([{ target: 'listProjects', response: { status: 200 } }])
    }))

  it('an empty list: 2 clicks', () =>
    visit(async (page) => {
      await tab(page, 'Handlers').click()
      await page.getByLabel('empty').check()
      await expect.poll(scenarios).toEqual([{ target: 'empty' }])
    }))
})

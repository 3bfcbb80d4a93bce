import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import demo from '../../fixtures/demo.json' with { type: 'json' }
import { type MockSite, serveMockSite } from '../browser/mock-site.js'
import { browserOfFile } from '../browser/visit.js'

const browser = browserOfFile()
let site: MockSite
let context: BrowserContext
let page: Page
/** What the page's console says by itself, beside what Chromium notes of each refusal. */
let warnings: string[]

beforeAll(async () => {
  site = await serveMockSite()
})
afterAll(() => site?.close())
beforeEach(async () => {
  site.reset()
  context = await browser().newContext({ baseURL: site.url })
  context.setDefaultTimeout(20_000)
  warnings = []
  page = await newPage()
})
afterEach(() => context.close())

async function newPage(): Promise<Page> {
  const made = await context.newPage()
  made.on('console', (message) => {
    const isNote = message.text().startsWith('Failed to load resource')
    if (/warning|error/.test(message.type()) && !isNote) warnings.push(message.text())
  })
  return made
}

/** Opens the application, whose mock starts with it. Gives what came of the start: nothing, or the refusal. */
async function open(path = '/'): Promise<string> {
  await page.goto(path)
  return page.evaluate(() =>
    globalThis.starting.then(
      () => '',
      (error) => `${error.name}: ${error.message}`,
    ),
  )
}

/** A request of the page's own fetch. */
const ask = (url: string, init?: RequestInit) =>
  page.evaluate(
    async ({ url, init }) => {
      const response = await fetch(url, init)
      const text = await response.text()
      return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
    },
    { url, init },
  )

/** Whom the service takes the page for: an address, or the status that refuses it. */
async function me(base = '', init?: RequestInit): Promise<string | number> {
  const { status, body } = await ask(`${base}/v1/auth/me`, init)
  return body.user?.email ?? status
}

const create = (name: string) =>
  ask('/v1/projects', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

const projectNames = async (): Promise<string[]> =>
  (await ask('/v1/projects')).body.projects.map(({ name }: { name: string }) => name)

const cookie = () => page.evaluate(() => document.cookie)
const use = (id: string) => page.evaluate((persona) => globalThis.mock.session.use(persona), id)

describe('the session is the page’s own cookie', () => {
  it('signs in as a persona, as another, and out', async () => {
    await open()
    expect(await me()).toBe(401)
    expect(await use('acme-viewer')).toMatchObject({ id: 'acme-viewer', role: 'viewer' })
    expect([await me(), await cookie()]).toEqual(['vera@acme.example', 'session=acme-viewer'])
    await use('globex-owner')
    expect([await me(), await cookie()]).toEqual(['gus@globex.example', 'session=globex-owner'])
    await page.evaluate(() => globalThis.mock.session.signOut())
    expect([await me(), await cookie()]).toEqual([401, ''])
  })

  it('refuses an unknown persona and stays as it was', async () => {
    await open()
    await use('acme-owner')
    await expect(use('nobody')).rejects.toThrow(/no persona "nobody"/)
    expect(await cookie()).toBe('session=acme-owner')
  })

  it('signs in and out by the paths that production has, and the last one counts', async () => {
    await open()
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    await ask('/auth/sign-in', { ...form, body: 'session=acme-viewer' })
    expect([await me(), await cookie()]).toEqual(['vera@acme.example', 'session=acme-viewer'])
    await use('acme-owner')
    expect(await me()).toBe('ada@acme.example')
    expect((await ask('/auth/sign-out', { method: 'POST' })).status).toBe(204)
    expect([await me(), await cookie()]).toEqual([401, ''])
    await page.reload()
    await page.evaluate(() => globalThis.starting)
    expect(await me()).toBe(401)
  })

  it('goes by the credentials of a request, in both directions', async () => {
    await open()
    await use('acme-owner')
    expect(await me('', { credentials: 'omit' })).toBe(401)
    expect(await me('', { credentials: 'same-origin' })).toBe('ada@acme.example')
    expect(await me('', { credentials: 'include' })).toBe('ada@acme.example')
    await ask('/auth/sign-out', { method: 'POST', credentials: 'omit' })
    expect(await cookie()).toBe('session=acme-owner')
  })

  it('goes to another origin with credentials that include it, and only then', async () => {
    site.options = { baseUrl: 'https://api.example/dashboard' }
    await open()
    await use('acme-owner')
    const base = 'https://api.example/dashboard'
    expect(await me(base, { credentials: 'omit' })).toBe(401)
    expect(await me(base, { credentials: 'same-origin' })).toBe(401)
    expect(await me(base, { credentials: 'include' })).toBe('ada@acme.example')
    await ask(`${base}/auth/sign-out`, { method: 'POST' })
    expect(await cookie()).toBe('session=acme-owner')
    await ask(`${base}/auth/sign-out`, { method: 'POST', credentials: 'include' })
    expect(await cookie()).toBe('')
  })

  it('goes with an XMLHttpRequest too', async () => {
    await open()
    await use('acme-owner')
    const status = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const request = new XMLHttpRequest()
          request.open('GET', '/v1/projects')
          request.onload = () => resolve(request.status)
          request.send()
        }),
    )
    expect(status).toBe(200)
  })

  it('signs in as `session` from the start, unless somebody is signed in', async () => {
    site.options = { session: 'acme-member' }
    await open()
    expect([await me(), await cookie()]).toEqual(['max@acme.example', 'session=acme-member'])
    await use('acme-viewer')
    await open()
    expect(await me()).toBe('vera@acme.example')
  })

  it('does not start as a persona that there is not', async () => {
    site.options = { session: 'nobody' }
    expect(await open()).toMatch(/^UnknownPersonaError: There is no persona "nobody"/)
  })
})

describe('persist', () => {
  const persisted = { persist: true, session: 'acme-owner' }

  it('keeps each change from the moment of its answer, whatever becomes of the page', async () => {
    site.options = persisted
    await open()
    expect((await create('Roadmap')).status).toBe(201)
    // The page has no time for a last word.
    const crashed = page.waitForEvent('crash')
    await page.goto('chrome://crash').catch(() => {})
    await crashed
    page = await newPage()
    await open()
    expect(await projectNames()).toContain('Roadmap')
  })

  it('keeps what was loaded, and what was reset', async () => {
    site.options = persisted
    await open()
    await page.evaluate((state) => globalThis.mock.load(state), { ...demo, projects: [] })
    await open()
    expect(await projectNames()).toEqual([])
    await page.evaluate(() => globalThis.mock.reset())
    await open()
    expect(await projectNames()).toHaveLength(4)
  })

  it('is off unless asked for', async () => {
    site.options = { session: 'acme-owner' }
    await open()
    await create('Roadmap')
    await open()
    expect(await projectNames()).not.toContain('Roadmap')
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  it.each([
    ['is not JSON', '{', /JSON/],
    ['has faults', JSON.stringify({ ...demo, teams: [] }), /projects\[0\]\.teamId: no team/],
  ])('falls back to the fixtures with a warning where the saved state %s', async (_, text, reason) => {
    site.options = persisted
    await open()
    await page.evaluate((saved) => localStorage.setItem('dashboard-api:', saved), text)
    expect(await open()).toBe('')
    expect(await projectNames()).toHaveLength(4)
    expect(warnings).toEqual([expect.stringMatching(reason)])
    expect(warnings[0]).toContain('The saved state "dashboard-api:" cannot be used')

    // The next change replaces it.
    await create('Roadmap')
    await open()
    expect(await projectNames()).toContain('Roadmap')
    expect(warnings).toHaveLength(1)
  })

  it('goes on with a warning where the storage is full', async () => {
    site.options = persisted
    await open()
    await page.evaluate(() => {
      for (let size = 8 * 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
        try {
          localStorage.setItem(`filler ${size}`, 'x'.repeat(size))
        } catch {
          // What does not fit is tried in halves.
        }
      }
    })
    expect((await create('Roadmap')).status).toBe(201)
    expect(await projectNames()).toContain('Roadmap')
    expect(warnings).toEqual([expect.stringContaining('The state could not be saved')])
  })
})

describe('the state', () => {
  it('is exported, loaded whole or not at all, and reset', async () => {
    site.options = { session: 'acme-owner' }
    await open()
    await create('Roadmap')
    const state = await page.evaluate(() => globalThis.mock.export())
    expect(state.projects.map(({ name }) => name)).toContain('Roadmap')

    await page.evaluate(() => globalThis.mock.reset())
    expect(await projectNames()).not.toContain('Roadmap')
    await page.evaluate((saved) => globalThis.mock.load(saved), state)
    expect(await projectNames()).toContain('Roadmap')
    expect(await page.evaluate(() => globalThis.mock.export())).toEqual(state)

    const wrong = { ...state, teams: [] }
    const loading = page.evaluate((saved) => globalThis.mock.load(saved), wrong)
    await expect(loading).rejects.toThrow('projects[0].teamId: no team "team-acme"')
    expect(await page.evaluate(() => globalThis.mock.export())).toEqual(state)
  })

  it('begins with the fixtures that are given', async () => {
    site.options = { session: 'acme-owner', fixtures: { ...demo, projects: [] } }
    await open()
    expect(await projectNames()).toEqual([])
  })

  it('does not begin with fixtures that are wrong', async () => {
    site.options = { fixtures: { ...demo, teams: [] } }
    expect(await open()).toContain('StateError: projects[0].teamId: no team "team-acme"')
  })
})

describe('the worker', () => {
  it('leaves to the site what is not of the interface, without a word', async () => {
    await open()
    expect(await ask('/nothing')).toMatchObject({ status: 404, text: 'The site has no such file.' })
    expect((await ask('/v1/nothing')).body).toMatchObject({ code: 'NOT_FOUND' })
    expect(site.reached).toEqual([])
    expect(warnings).toEqual([])
  })

  it('stops, and starts again', async () => {
    await open()
    await page.evaluate(() => globalThis.mock.stop())
    expect((await ask('/v1/projects')).text).toBe('The site has no such file.')
    expect(site.reached).toEqual(['GET /v1/projects'])
    await page.evaluate(async () => {
      await globalThis.app.startMockApi({ session: 'acme-owner', quiet: true })
    })
    expect(await me()).toBe('ada@acme.example')
  })

  it('takes the handlers of dashboard-api/msw among others, with the same session', async () => {
    await open()
    await page.evaluate(async () => {
      globalThis.mock.stop()
      const { createHandlers, setupWorker } = globalThis.app
      await setupWorker(...createHandlers()).start({ quiet: true })
    })
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    await ask('/auth/sign-in', { ...form, body: 'session=acme-viewer' })
    expect([await me(), await cookie()]).toEqual(['vera@acme.example', 'session=acme-viewer'])
    expect(await me('', { credentials: 'omit' })).toBe(401)
    await ask('/auth/sign-out', { method: 'POST' })
    expect(await me()).toBe(401)
  })

  it.each([
    ['has no such file', false],
    ['answers everything with the application', true],
  ])('says how to get its script from a site that %s', async (_, fallsBack) => {
    site.workerScript = undefined
    site.fallsBack = fallsBack
    const refusal = await open()
    expect(refusal).toContain('Error: The mock could not start its service worker.')
    expect(refusal).toContain('dashboard-api/vite')
    expect(refusal).toContain('npx dashboard-api init')
  })

  it('says that its script is out of date', async () => {
    site.workerScript = site.workerScript
      ?.replace(/(PACKAGE_VERSION = ')[^']+/, '$12.0.1')
      .replace(/(INTEGRITY_CHECKSUM = ')[^']+/, '$1another')
    expect(await open()).toBe('')
    expect(warnings).toEqual([expect.stringContaining('generated by a different version of MSW (2.0.1)')])
    expect(await me()).toBe(401)
  })
})

describe('signing in on a site that answers every path with the application', () => {
  /** Chooses a persona on the page that stands in for the application. */
  async function choose(persona: string, returnTo: string): Promise<string> {
    site.fallsBack = true
    await page.goto(`/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`)
    await page.getByRole('heading', { name: 'Sign in as a persona' }).waitFor()
    expect(await page.getByRole('heading', { name: 'The application' }).count()).toBe(0)
    expect(await page.title()).toContain('Sign in')
    const arrived = page.waitForEvent('load')
    await page.getByRole('button', { name: new RegExp(`^${persona}`) }).press('Enter')
    await arrived
    await page.evaluate(() => globalThis.starting)
    return page.url().replace(site.url, '')
  }

  it('chooses a persona in place, and goes on to where one came from', async () => {
    expect(await choose('acme-viewer', '/shop/?tab=a#b')).toBe('/shop/?tab=a#b')
    expect(await me()).toBe('vera@acme.example')
    expect(await choose('globex-owner', '/')).toBe('/')
    expect(await me()).toBe('gus@globex.example')
  })

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'is not led away to %s',
    async (returnTo) => {
      expect(await choose('acme-owner', returnTo)).toBe('/')
    },
  )

  it('leaves the path to the application where the service is elsewhere', async () => {
    site.fallsBack = true
    site.options = { baseUrl: 'https://api.example' }
    expect(await open('/auth/sign-in')).toBe('')
    expect(await page.getByRole('heading', { name: 'The application' }).count()).toBe(1)
  })
})

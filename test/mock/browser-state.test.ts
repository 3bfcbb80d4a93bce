import { describe, expect, it } from 'vitest'
import demo from '../../fixtures/demo.json' with { type: 'json' }
import { setUpMockSite } from './browser-harness.js'

const browser = setUpMockSite()

describe('persist', () => {
  const persisted = { persist: true, session: 'acme-owner' }

  it('saves each change before the response, so that it survives a crash of the page', async () => {
    browser.site.options = persisted
    await browser.open()
    expect((await browser.createProject('Roadmap')).status).toBe(201)
    // A crashed page runs no unload handlers.
    const crashed = browser.page.waitForEvent('crash')
    await browser.page.goto('chrome://crash').catch(() => {})
    await crashed
    await browser.newPage()
    await browser.open()
    expect(await browser.projectNames()).toContain('Roadmap')
  })

  it('saves a loaded state, and a reset', async () => {
    browser.site.options = persisted
    await browser.open()
    await browser.page.evaluate((state) => globalThis.mock.state.load(state), { ...demo, projects: [] })
    await browser.open()
    expect(await browser.projectNames()).toEqual([])
    await browser.page.evaluate(() => globalThis.mock.reset())
    await browser.open()
    expect(await browser.projectNames()).toHaveLength(4)
  })

  it('is off by default', async () => {
    browser.site.options = { session: 'acme-owner' }
    await browser.open()
    await browser.createProject('Roadmap')
    await browser.open()
    expect(await browser.projectNames()).not.toContain('Roadmap')
    expect(await browser.page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })

  it.each([
    ['is not JSON', '{', /JSON/],
    ['has faults', JSON.stringify({ ...demo, teams: [] }), /projects\[0\]\.teamId: no team/],
  ])('falls back to the fixtures with a warning if the saved state %s', async (_, text, reason) => {
    browser.site.options = persisted
    await browser.open()
    await browser.page.evaluate((saved) => localStorage.setItem('dashboard-api:', saved), text)
    expect(await browser.open()).toBe('')
    expect(await browser.projectNames()).toHaveLength(4)
    expect(browser.warnings).toEqual([expect.stringMatching(reason)])
    expect(browser.warnings[0]).toContain('The saved state "dashboard-api:" cannot be used')

    // The next change replaces it.
    await browser.createProject('Roadmap')
    await browser.open()
    expect(await browser.projectNames()).toContain('Roadmap')
    expect(browser.warnings).toHaveLength(1)
  })
})

describe('the state', () => {
  it('is initially that of the fixtures', async () => {
    browser.site.options = { session: 'acme-owner', fixtures: { ...demo, projects: [] } }
    await browser.open()
    expect(await browser.projectNames()).toEqual([])
  })

  it('keeps the mock from starting if the fixtures are not valid', async () => {
    browser.site.options = { fixtures: { ...demo, teams: [] } }
    expect(await browser.open()).toContain('StateError: projects[0].teamId: no team "team-acme"')
  })
})

import { describe, expect, it } from 'vitest'
import { setUpMockSite } from './browser-harness.js'

const browser = setUpMockSite()

describe('the session cookie of a page', () => {
  it('is set by signing in as a persona, and cleared by signing out', async () => {
    await browser.open()
    expect(await browser.me()).toBe(401)
    expect(await browser.usePersona('acme-viewer')).toMatchObject({ id: 'acme-viewer', role: 'viewer' })
    expect([await browser.me(), await browser.cookie()]).toEqual(['vera@acme.example', 'session=acme-viewer'])
    await browser.usePersona('globex-owner')
    expect([await browser.me(), await browser.cookie()]).toEqual([
      'gus@globex.example',
      'session=globex-owner',
    ])
    await expect(browser.usePersona('nobody')).rejects.toThrow(/no persona "nobody"/)
    expect(await browser.cookie()).toBe('session=globex-owner')
    await browser.page.evaluate(() => globalThis.mock.session.signOut())
    expect([await browser.me(), await browser.cookie()]).toEqual([401, ''])
  })

  it('is also set and cleared by the sign-in and sign-out paths', async () => {
    await browser.open()
    await browser.signInByForm('acme-viewer')
    expect([await browser.me(), await browser.cookie()]).toEqual(['vera@acme.example', 'session=acme-viewer'])
    await browser.usePersona('acme-owner')
    expect(await browser.me()).toBe('ada@acme.example')
    expect((await browser.send('/auth/sign-out', { method: 'POST' })).status).toBe(204)
    expect([await browser.me(), await browser.cookie()]).toEqual([401, ''])
    await browser.page.reload()
    await browser.page.evaluate(() => globalThis.starting)
    expect(await browser.me()).toBe(401)
  })

  it('is the one of several cookies that names a persona', async () => {
    browser.site.options = { session: 'acme-owner' }
    await browser.open('/folder/')
    await browser.page.evaluate(() => {
      for (const cookie of ['acme-viewer; Path=/', 'unknown; Path=/folder']) {
        // biome-ignore lint/suspicious/noDocumentCookie: a page of another subdomain could do it
        document.cookie = `session=${cookie}`
      }
    })
    expect(await browser.me()).toBe('vera@acme.example')
    await browser.open('/folder/')
    expect(await browser.me()).toBe('vera@acme.example')
  })

  it('follows the credentials mode of a request, for sending and for setting', async () => {
    await browser.open()
    await browser.usePersona('acme-owner')
    expect(await browser.me('', { credentials: 'omit' })).toBe(401)
    expect(await browser.me('', { credentials: 'same-origin' })).toBe('ada@acme.example')
    expect(await browser.me('', { credentials: 'include' })).toBe('ada@acme.example')
    await browser.send('/auth/sign-out', { method: 'POST', credentials: 'omit' })
    expect(await browser.cookie()).toBe('session=acme-owner')
  })

  it('goes to another origin only with credentials: include', async () => {
    browser.site.options = { baseUrl: 'https://api.example/dashboard' }
    await browser.open()
    await browser.usePersona('acme-owner')
    const base = 'https://api.example/dashboard'
    expect(await browser.me(base, { credentials: 'omit' })).toBe(401)
    expect(await browser.me(base, { credentials: 'same-origin' })).toBe(401)
    expect(await browser.me(base, { credentials: 'include' })).toBe('ada@acme.example')
    await browser.send(`${base}/auth/sign-out`, { method: 'POST' })
    expect(await browser.cookie()).toBe('session=acme-owner')
    await browser.send(`${base}/auth/sign-out`, { method: 'POST', credentials: 'include' })
    expect(await browser.cookie()).toBe('')
  })

  it('initially comes from the `session` option, unless there is one already', async () => {
    browser.site.options = { session: 'acme-member' }
    await browser.open()
    expect([await browser.me(), await browser.cookie()]).toEqual(['max@acme.example', 'session=acme-member'])
    await browser.usePersona('acme-viewer')
    await browser.open()
    expect(await browser.me()).toBe('vera@acme.example')
  })

  it('comes from the `session` option if the mock does not know the present one', async () => {
    browser.site.options = { session: 'acme-member' }
    await browser.page
      .context()
      .addCookies([{ name: 'session', value: 'of-another-service', url: browser.site.url }])
    await browser.open()
    expect([await browser.me(), await browser.cookie()]).toEqual(['max@acme.example', 'session=acme-member'])
  })

  it('stays if a loaded state has the persona, and is reported otherwise', async () => {
    await browser.open()
    await browser.usePersona('acme-viewer')
    const load = (without: string) =>
      browser.page.evaluate(async (id) => {
        // The records alone: the file names the persona, too.
        const { mock: _, ...state } = await globalThis.mock.state.export()
        const sessions = state.sessions.filter((session) => session.id !== id)
        return globalThis.mock.state.load({ ...state, sessions })
      }, without)
    expect(await load('acme-owner')).toEqual({ active: 'acme-viewer' })
    expect([await browser.me(), browser.warnings]).toEqual(['vera@acme.example', []])
    const { active, warning } = await load('acme-viewer')
    expect(await browser.cookie()).toBe(`session=${active}`)
    expect(browser.warnings).toEqual([warning])
    expect(warning).toMatch(/no persona "acme-viewer": session=active stands for/)
  })

  it('keeps the mock from starting if the `session` option is unknown', async () => {
    browser.site.options = { session: 'nobody' }
    expect(await browser.open()).toMatch(/^UnknownPersonaError: There is no persona "nobody"/)
  })
})

describe('the sign-in page on a site that serves the application for every path', () => {
  /** Chooses a persona on the sign-in page, which replaces the application. */
  async function choose(persona: string, returnTo: string): Promise<string> {
    browser.site.fallsBack = true
    await browser.page.goto(`/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`)
    await browser.page.getByRole('heading', { name: 'Sign in as a persona' }).waitFor()
    expect(await browser.page.getByRole('heading', { name: 'The application' }).count()).toBe(0)
    expect(await browser.page.title()).toContain('Sign in')
    // Waits for startMockApi, so that the application does not render over the sign-in page.
    const isPending = () =>
      Promise.race([
        globalThis.starting.then(() => false),
        new Promise((resolve) => setTimeout(resolve, 50, true)),
      ])
    expect(await browser.page.evaluate(isPending)).toBe(true)
    const arrived = browser.page.waitForEvent('load')
    await browser.page.getByRole('button', { name: new RegExp(`^${persona}`) }).press('Enter')
    await arrived
    await browser.page.evaluate(() => globalThis.starting)
    return browser.page.url().replace(browser.site.url, '')
  }

  it('signs in as the chosen persona and returns to where the user came from', async () => {
    expect(await choose('acme-viewer', '/shop/?tab=a#b')).toBe('/shop/?tab=a#b')
    expect(await browser.me()).toBe('vera@acme.example')
    expect(await choose('globex-owner', 'https://evil.example/')).toBe('/')
    expect(await browser.me()).toBe('gus@globex.example')
  })

  it('is not shown if the service has another origin', async () => {
    browser.site.fallsBack = true
    browser.site.options = { baseUrl: 'https://api.example' }
    expect(await browser.open('/auth/sign-in')).toBe('')
    expect(await browser.page.getByRole('heading', { name: 'The application' }).count()).toBe(1)
  })
})

describe('a session cookie of another application', () => {
  const start = async (cookies: object[], options: typeof browser.site.options = {}) => {
    browser.site.options = options
    const site = { name: 'session', value: 'of-another-application', url: browser.site.url }
    await browser.page.context().addCookies(cookies.map((cookie) => ({ ...site, ...cookie })))
    expect(await browser.open()).toBe('')
  }
  const warned = () =>
    browser.warnings.filter((text) => text.includes('Look at the cookie "session" of 127.0.0.1'))

  it.each([{ httpOnly: true }, { secure: true, httpOnly: true }])(
    'that pages cannot change (%j) is reported once, and the mock works nevertheless',
    async (cookie) => {
      await start([cookie], { session: 'acme-owner' })
      expect(await browser.me()).toBe('ada@acme.example')
      await browser.signInByForm('acme-viewer')
      expect(await browser.me()).toBe('vera@acme.example')
      expect(await browser.me('', { credentials: 'omit' })).toBe(401)
      expect(warned()).toHaveLength(1)
      // In this tab the session survives a reload, as a cookie does.
      await browser.open()
      expect(await browser.me()).toBe('vera@acme.example')
      await browser.page.evaluate(() => globalThis.mock.session.signOut())
      expect(await browser.me()).toBe(401)
    },
  )

  it('of a folder that names a persona is deleted once the user has signed out', async () => {
    await start([{ value: 'acme-viewer', domain: undefined, url: `${browser.site.url}/folder/` }])
    await browser.page.goto('/folder/')
    await browser.page.evaluate(() => globalThis.starting)
    expect(await browser.me()).toBe('vera@acme.example')
    await browser.usePersona('acme-owner')
    expect(await browser.me()).toBe('ada@acme.example')
    await browser.page.evaluate(() => globalThis.mock.session.signOut())
    expect([await browser.me(), await browser.cookie()]).toEqual([401, ''])
    expect(warned()).toEqual([])
    await browser.usePersona('acme-viewer')
    expect(await browser.me()).toBe('vera@acme.example')
  })
})

it('a reset removes the session that the mock has set, and leaves other cookies', async () => {
  await browser.open()
  await browser.page.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: an application does it
    document.cookie = 'theme=dark; Path=/'
  })
  await browser.signInByForm('acme-viewer')
  expect(await browser.me()).toBe('vera@acme.example')
  await browser.page.evaluate(() => globalThis.mock.reset())
  expect([await browser.me(), await browser.cookie()]).toEqual([401, 'theme=dark'])
})

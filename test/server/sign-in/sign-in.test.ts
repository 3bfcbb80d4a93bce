import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/server/settings/settings.js'
import { createBrowser } from '../../oidc/browser.js'
import { type Account, startRealProvider } from '../../oidc/real-provider.js'
import { callbackOf, signInAs } from '../../oidc/sign-in-flow.js'
import { hour, minute, secret } from '../server-harness.js'
import { ada, fromPage, open, prepareProvider, provider, service } from './provider-for-tests.js'

prepareProvider()

describe('sign-in with an identity provider', () => {
  const bundleOf = async (account = 'ada') => (await signInAs(account, service, provider)).response.json()

  it('creates a user with the profile, organisation and permissions of the provider', async () => {
    await open(provider)
    expect(await bundleOf()).toEqual({
      user: {
        id: expect.any(String),
        email: 'ada@id.example',
        givenName: 'Ada',
        familyName: 'Osei',
        picture: 'https://id.example/ada.png',
      },
      organization: { orgCode: 'org_acme' },
      permissions: ['create:projects'],
      teamId: 'team-acme',
      projects: expect.any(Array),
    })
    const { users } = await service.store.export()
    expect(users.at(-1)).toMatchObject({ issuer: provider.issuer, subject: 'ada' })
  })

  it('identifies a user by issuer and subject, and updates the profile', async () => {
    await open(provider)
    const first = await bundleOf()
    Object.assign(provider.accounts.ada as Account, {
      email: 'new@id.example',
      picture: undefined,
      permissions: [],
    })
    const second = await bundleOf()
    expect(second.user).toEqual({ ...first.user, email: 'new@id.example', picture: '' })
    expect(second.permissions).toEqual([])
  })

  it('does not sign in as a user whom the operator created with the same address', async () => {
    await open(provider)
    Object.assign(provider.accounts.ada as Account, { email: 'ada@acme.example' })
    expect((await service.store.usersWithEmail('ada@acme.example'))[0]?.id).toBe('user-ada')
    expect((await bundleOf()).user.id).not.toBe('user-ada')
  })

  it('issues a new session each time, and revokes the previous one of the browser', async () => {
    await open(provider)
    const { browser } = await signInAs('ada', service, provider)
    const before = browser.cookie(service.url, 'session') as string
    await signInAs('ada', service, provider, { browser })
    expect(browser.cookie(service.url, 'session')).not.toBe(before)
    expect((await browser.request(`${service.url}/v1/projects`)).status).toBe(200)
    const old = await fetch(`${service.url}/v1/projects`, { headers: { cookie: `session=${before}` } })
    expect(old.status).toBe(401)
  })

  it('keeps the permissions of the sign-in until the session ends, at the latest after its maximum age', async () => {
    await open(provider, { sessionTtl: 15 * minute, sessionIdle: hour })
    const { browser } = await signInAs('ada', service, provider)
    const bundle = async () => browser.request(`${service.url}/v1/auth/me`)
    Object.assign(provider.accounts.ada as Account, { org_code: 'org_globex', permissions: [] })
    service.clock.advance(15 * minute - 1)
    expect(await (await bundle()).json()).toMatchObject({
      organization: { orgCode: 'org_acme' },
      permissions: ['create:projects'],
    })
    service.clock.advance(1)
    expect((await bundle()).status).toBe(401)

    // The browser is still signed in at the provider, which shows no page.
    const again = await browser.follow(`${service.url}/auth/sign-in?returnTo=/v1/auth/me`)
    expect(await again.response.json()).toMatchObject({
      organization: { orgCode: 'org_globex' },
      permissions: [],
    })
  })

  it('uses the configured permissions only if the provider sends none', async () => {
    await open(provider, { defaultPermissions: ['update:projects'] })
    const permissionsWith = async (permissions: unknown) => {
      Object.assign(provider.accounts.ada as Account, { permissions })
      return (await bundleOf()).permissions
    }
    expect(await permissionsWith(undefined)).toEqual(['update:projects'])
    expect(await permissionsWith([])).toEqual([])
    expect(await permissionsWith(' read:all  create:projects\n')).toEqual(['read:all', 'create:projects'])
  })

  it.each([
    ['creates no team for an organisation without one', false],
    ['creates a team for an organisation without one, once, if configured', true],
  ])('%s', async (_, provisionTeams) => {
    await open(provider, { provisionTeams })
    Object.assign(provider.accounts.ada as Account, { org_code: 'org_new' })
    const teams = async () => (await service.store.export()).teams.length
    const before = await teams()
    const [first, second] = [await bundleOf(), await bundleOf()]
    expect(first.organization.orgCode).toBe('org_new')
    expect(first.teamId !== '').toBe(provisionTeams)
    expect(second.teamId).toBe(first.teamId)
    expect(await teams()).toBe(before + (provisionTeams ? 1 : 0))
  })

  it('uses PKCE, state and nonce, and stores them in a cookie for ten minutes', async () => {
    await open(provider)
    const response = await fetch(`${service.url}/auth/sign-in`, { redirect: 'manual' })
    expect(response.status).toBe(303)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const authorization = new URL(response.headers.get('location') ?? '')
    expect(authorization.origin).toBe(provider.issuer)
    expect(Object.fromEntries(authorization.searchParams)).toEqual({
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: `${service.url}/auth/callback`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sign-in-[\w-]{16}=sign-in\.\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('sets the attributes that the prefix of a cookie requires, and removes the sign-in cookie', async () => {
    await open(provider, { sessionCookie: '__Host-session' })
    const browser = createBrowser()
    const back = await callbackOf('ada', service, provider, { browser })
    const [name] = browser.attempt(service.url)
    const response = await browser.request(back.href)
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-session=session\.\S+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
      // The hint for signing out.
      expect.stringMatching(/^id-token=\S+; Max-Age=43200; Path=\/auth\/sign-out; HttpOnly; SameSite=Lax$/),
    ])
    expect(name).toMatch(/^__Host-sign-in-/)
    const value = browser.cookie(service.url, '__Host-session')
    const send = async (cookie: string) =>
      (await fetch(`${service.url}/v1/projects`, { headers: { cookie } })).status
    expect(await send(`__Host-session=${value}`)).toBe(200)
    expect(await send(`session=${value}`)).toBe(401)
  })

  // test/contract/return-to.test.ts tests which addresses are safe.
  it('returns to the requested page, and never to another site', async () => {
    await open(provider, { allowedOrigins: ['https://app.example'] })
    for (const [returnTo, destination] of [
      ['/projects?tab=a#b', '/projects?tab=a#b'],
      ['https://app.example/home', 'https://app.example/home'],
      ['https://evil.example/', '/'],
      // A cookie with a longer address would be lost.
      [`/${'a'.repeat(2_000)}`, '/'],
    ] as const) {
      const browser = createBrowser()
      const back = await callbackOf('ada', service, provider, { browser, returnTo })
      expect((await browser.request(back.href)).headers.get('location')).toBe(destination)
    }
  })

  it('logs no secret, token, code, cookie, address or profile', async () => {
    await open(provider)
    const browser = createBrowser()
    const back = await callbackOf('ada', service, provider, { browser })
    const [name, attempt] = browser.attempt(service.url)
    await browser.request(back.href)
    const session = browser.cookie(service.url, 'session') as string
    await browser.request(back.href)
    browser.setCookie(service.url, name, attempt)
    await browser.request(back.href)
    await browser.request(`${service.url}/auth/sign-out`, fromPage)
    // The first line has the address of the service.
    const log = service.lines.slice(1).join('')
    expect(service.lines.length).toBeGreaterThan(6)
    const parameters = [...back.searchParams.values()].filter((value) => value !== provider.issuer)
    const people = ['ada@', 'Ada', 'Osei', 'org_acme', '127.0.0.1']
    for (const canary of [provider.clientSecret, secret, attempt, session, ...parameters, ...people]) {
      expect(log).not.toContain(decodeURIComponent(canary))
    }
  })
})

describe('sign-in with claims of the access token', () => {
  it('takes the organisation and permissions from the verified token', async () => {
    const provider = await startRealProvider('jwt')
    try {
      const settings = readSettings({
        DASHBOARD_API_SESSION_SECRET: secret,
        DASHBOARD_API_OIDC_ACCESS_CLAIMS: 'access-token',
        DASHBOARD_API_OIDC_ISSUER: provider.issuer,
        DASHBOARD_API_OIDC_CLIENT_ID: provider.clientId,
        DASHBOARD_API_OIDC_CLIENT_SECRET: provider.clientSecret,
        DASHBOARD_API_OIDC_AUDIENCE: 'https://api.example',
      })
      await open(provider, { ...settings, logLevel: 'debug' })
      provider.accounts.ada = ada
      const { response } = await signInAs('ada', service, provider)
      expect(await response.json()).toMatchObject({
        user: { email: 'ada@id.example', givenName: 'Ada' },
        organization: { orgCode: 'org_acme' },
        permissions: ['create:projects'],
      })
      expect(settings.sessionTtl).toBe(12 * hour)
    } finally {
      await provider.close()
    }
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createBrowser } from '../../oidc/browser.js'
import { confirmSignOut, signInAs, startService } from '../../oidc/sign-in-flow.js'
import {
  type LogoutToken,
  startUntrustedProvider,
  type UntrustedProvider,
} from '../../oidc/untrusted-provider.js'
import { hour, openTestApp } from '../server-harness.js'
import { ada, prepareProvider, provider, service, open as startAt } from './provider-for-tests.js'

const path = '/auth/back-channel-logout'

describe('back-channel logout of a certified provider', () => {
  prepareProvider()

  const statusOf = async (browser: ReturnType<typeof createBrowser>) =>
    (await browser.request(`${service.url}/v1/projects`)).status
  const logged = () =>
    service.lines.filter((line) => line.includes('sessions ended')).map((line) => JSON.parse(line))

  it('ends the session that began with the one that ends there, at once, and no others', async () => {
    await startAt(provider)
    const [first, second] = [
      await signInAs('ada', service, provider),
      await signInAs('ada', service, provider),
    ]
    expect(await Promise.all([first, second].map(({ browser }) => statusOf(browser)))).toEqual([200, 200])
    await confirmSignOut(first.browser, `${provider.issuer}/session/end`)
    expect(await Promise.all([first, second].map(({ browser }) => statusOf(browser)))).toEqual([401, 200])
    expect(logged()).toMatchObject([{ operation: 'backChannelLogout', sessions: 1 }])
  })

  it('ends all sessions of the person where the provider names no session', async () => {
    await startAt(provider, {}, 'person')
    provider.accounts.max = { ...ada, email: 'max@id.example' }
    const signedIn = [
      await signInAs('ada', service, provider),
      await signInAs('ada', service, provider),
      await signInAs('max', service, provider),
    ]
    await confirmSignOut(signedIn[0]?.browser ?? createBrowser(), `${provider.issuer}/session/end`)
    expect(await Promise.all(signedIn.map(({ browser }) => statusOf(browser)))).toEqual([401, 401, 200])
    expect(logged()).toMatchObject([{ sessions: 2 }])
  })

  it('accepts the logout that follows a sign-out here', async () => {
    await startAt(provider)
    const { browser } = await signInAs('ada', service, provider)
    const signedOut = await browser.request(`${service.url}/auth/sign-out`, { method: 'POST' })
    const responses: Response[] = []
    await confirmSignOut(browser, signedOut.headers.get('x-sign-out-url') ?? '').then((each) =>
      responses.push(each),
    )
    expect(responses[0]?.status).toBe(303)
    expect(logged()).toMatchObject([{ sessions: 0 }])
  })
})

describe('a logout token', () => {
  let untrusted: UntrustedProvider
  beforeAll(async () => {
    untrusted = await startUntrustedProvider()
  })
  afterAll(() => untrusted.close())

  async function open(options: Parameters<typeof startService>[1] = {}) {
    const started = await startService(
      { issuer: untrusted.issuer, clientId: 'dashboard', clientSecret: 'secret' },
      options,
    )
    onTestFinished(started.close)
    const user = await started.store.upsertUser(
      { issuer: untrusted.issuer, subject: 'ada' },
      { id: 'at-provider', email: 'ada@id.example', givenName: '', familyName: '', picture: '' },
    )
    const { cookie } = await started.signIn({ userId: user.id, sid: 'sid-1' })
    const isSignedIn = async () =>
      (await fetch(`${started.url}/v1/projects`, { headers: { cookie } })).status === 200
    const send = (body: BodyInit | null, headers: Record<string, string> = {}) =>
      fetch(started.url + path, { method: 'POST', body, headers })
    return { ...started, isSignedIn, send, sendToken: (token: string) => send(formOf(token)) }
  }
  const formOf = (...tokens: string[]) => new URLSearchParams(tokens.map((token) => ['logout_token', token]))

  async function expectRefused(response: Response, error: string, reason: string, status = 400) {
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '30' : null)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual({ error, error_description: reason })
  }

  it.each<[string, (token: LogoutToken) => void]>([
    ['with a session and a subject', () => {}],
    ['with a session', ({ claims }) => delete claims.sub],
    ['with a subject', ({ claims }) => delete claims.sid],
    ['of the type JWT', ({ header }) => Object.assign(header, { typ: 'JWT' })],
    ['of the whole media type', ({ header }) => Object.assign(header, { typ: 'application/logout+jwt' })],
    ['without a type', ({ header }) => delete header.typ],
    ['for several clients', ({ claims }) => Object.assign(claims, { aud: ['other', 'dashboard'] })],
    ['from a clock that is ahead', ({ claims }) => Object.assign(claims, { iat: (claims.iat ?? 0) + 20 })],
    [
      'with unknown claims',
      ({ claims }) =>
        Object.assign(claims, { trace: 'x', events: { ...(claims.events as object), other: {} } }),
    ],
  ])('%s ends the session', async (_, change) => {
    const { isSignedIn, sendToken } = await open()
    expect(await isSignedIn()).toBe(true)
    const response = await sendToken(await untrusted.logoutToken(change))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toBe('')
    expect(await isSignedIn()).toBe(false)
  })

  const refusedFor = (part: string) => `the logout token is refused for its ${part}`
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  type SignedBy = Parameters<UntrustedProvider['logoutToken']>[1]
  it.each<[string, string, (token: LogoutToken) => void, SignedBy?]>([
    ['signed with another key', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED', () => {}, 'unknown'],
    ['signed with the client secret', 'ERR_JOSE_ALG_NOT_ALLOWED', () => {}, 'client secret'],
    ['not signed', 'ERR_JOSE_ALG_NOT_ALLOWED', () => {}, 'nobody'],
    ['of an unknown key', 'ERR_JWKS_NO_MATCHING_KEY', ({ header }) => Object.assign(header, { kid: 'k2' })],
    [
      'of another issuer',
      'ERR_JWT_CLAIM_VALIDATION_FAILED: iss: expected "ISSUER", got "https://other.example"',
      ({ claims }) => Object.assign(claims, { iss: 'https://other.example' }),
    ],
    [
      'for another client',
      'ERR_JWT_CLAIM_VALIDATION_FAILED: aud: expected "dashboard", got "other"',
      ({ claims }) => Object.assign(claims, { aud: 'other' }),
    ],
    [
      'for nobody',
      'ERR_JWT_CLAIM_VALIDATION_FAILED: aud: expected "dashboard", got none',
      ({ claims }) => delete claims.aud,
    ],
    ['without the time of issue', 'ERR_JWT_CLAIM_VALIDATION_FAILED: iat', ({ claims }) => delete claims.iat],
    [
      'from the future',
      'ERR_JWT_CLAIM_VALIDATION_FAILED: iat',
      ({ claims }) => Object.assign(claims, { iat: (claims.iat ?? 0) + 60 }),
    ],
    [
      'that was issued long ago',
      'ERR_JWT_EXPIRED: iat',
      ({ claims }) => Object.assign(claims, { iat: (claims.iat ?? 0) - 660 }),
    ],
    [
      'that has expired',
      'ERR_JWT_EXPIRED: exp',
      ({ claims }) => Object.assign(claims, { exp: (claims.iat ?? 0) - 60 }),
    ],
    ['without an expiry', 'ERR_JWT_CLAIM_VALIDATION_FAILED: exp', ({ claims }) => delete claims.exp],
    ['without an id', 'ERR_JWT_CLAIM_VALIDATION_FAILED: jti', ({ claims }) => delete claims.jti],
    ['with an empty id', refusedFor('jti'), ({ claims }) => Object.assign(claims, { jti: '' })],
    ['without events', refusedFor('events'), ({ claims }) => delete claims.events],
    [
      'with another event',
      refusedFor('events'),
      ({ claims }) => Object.assign(claims, { events: { other: {} } }),
    ],
    [
      'with an event that is no object',
      refusedFor('events'),
      ({ claims }) => Object.assign(claims, { events: { [event]: true } }),
    ],
    [
      'with a nonce, like an id token',
      refusedFor('nonce'),
      ({ claims }) => Object.assign(claims, { nonce: 'n' }),
    ],
    [
      'of a type that only begins like it',
      refusedFor('typ'),
      ({ header }) => Object.assign(header, { typ: 'JWT2' }),
    ],
    [
      'of the type of access tokens',
      refusedFor('typ'),
      ({ header }) => Object.assign(header, { typ: 'at+jwt' }),
    ],
    ['about nobody', refusedFor('sub or sid'), ({ claims }) => [delete claims.sub, delete claims.sid]],
    ['about a subject that is no text', refusedFor('sub'), ({ claims }) => Object.assign(claims, { sub: 1 })],
    [
      'about a session that is no text',
      refusedFor('sid'),
      ({ claims }) => Object.assign(claims, { sid: ['sid-1'] }),
    ],
    [
      'about a session that cannot be stored',
      refusedFor('sid'),
      ({ claims }) => Object.assign(claims, { sid: 'a\0b' }),
    ],
  ])('%s is refused, and the reason is logged', async (_, expected, change, signedBy) => {
    const reason = expected.replace('ISSUER', untrusted.issuer)
    const { isSignedIn, sendToken, lines } = await open()
    await expectRefused(
      await sendToken(await untrusted.logoutToken(change, signedBy)),
      'invalid_request',
      reason,
    )
    expect(await isSignedIn()).toBe(true)
    const log = lines.map((line) => JSON.parse(line))
    expect(log).toContainEqual(
      expect.objectContaining({ level: 40, operation: 'backChannelLogout', fault: 'unacceptable', reason }),
    )
    expect(lines.join('')).not.toContain('eyJ')
  })

  it('ends sessions once', async () => {
    const { isSignedIn, sendToken, signIn, url } = await open()
    const token = await untrusted.logoutToken()
    expect((await sendToken(token)).status).toBe(200)
    expect(await isSignedIn()).toBe(false)
    const { cookie } = await signIn({ userId: 'at-provider', sid: 'sid-1' })
    await expectRefused(await sendToken(token), 'invalid_request', 'the logout token was used before')
    expect((await fetch(`${url}/v1/projects`, { headers: { cookie } })).status).toBe(200)
  })

  it('about nobody who is signed in is accepted', async () => {
    const { isSignedIn, sendToken } = await open()
    const change = ({ claims }: LogoutToken) => Object.assign(claims, { sub: 'nobody', sid: 'none' })
    expect((await sendToken(await untrusted.logoutToken(change))).status).toBe(200)
    expect(await isSignedIn()).toBe(true)
  })

  describe('of a person who is signing in', () => {
    /** Begins a sign-in, and returns what completes it. */
    async function begin(url: string, sid: string | undefined) {
      const browser = createBrowser()
      const begun = await browser.request(`${url}/auth/sign-in?returnTo=/v1/projects`)
      const back = untrusted.authorize(new URL(begun.headers.get('location') ?? ''))
      untrusted.tamper(({ idToken }) => void (sid !== undefined && Object.assign(idToken, { sid })))
      return async () => (await browser.request(back)).status
    }
    afterEach(() => untrusted.tamper(() => {}))
    const onlySid = ({ claims }: LogoutToken) => delete claims.sub
    const onlySubject = ({ claims }: LogoutToken) => delete claims.sid

    it.each<[string, string | undefined, (token: LogoutToken) => void]>([
      ['with the session', 'sid-1', onlySid],
      ['with the session, and the subject', 'sid-1', () => {}],
      ['with the subject', 'sid-2', onlySubject],
      ['with the subject, where the provider names no session', undefined, onlySubject],
      ['with the subject and a session, where the provider names none', undefined, () => {}],
    ])('%s refuses the sign-in that began before', async (_, sid, change) => {
      const { sendToken, store, lines, url } = await open()
      const complete = await begin(url, sid)
      expect((await sendToken(await untrusted.logoutToken(change))).status).toBe(200)
      const before = await store.listSessions()
      expect(await complete()).toBe(400)
      expect(await store.listSessions()).toEqual(before)
      const reason = 'the session ended at the identity provider meanwhile'
      expect(lines.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ operation: 'signInCallback', fault: 'unfinished', reason }),
      )
    })

    it.each<[string, string | undefined, (token: LogoutToken) => void]>([
      ['with another session', 'sid-2', () => {}],
      ['with another session alone', undefined, onlySid],
      [
        'with another subject',
        'sid-2',
        ({ claims }) => Object.assign(claims, { sub: 'max', sid: undefined }),
      ],
      ['of a session of another subject', undefined, ({ claims }) => Object.assign(claims, { sub: 'max' })],
    ])('%s does not', async (_, sid, change) => {
      const { sendToken, url } = await open()
      const complete = await begin(url, sid)
      expect((await sendToken(await untrusted.logoutToken(change))).status).toBe(200)
      expect(await complete()).toBe(303)
    })

    it('does not refuse a sign-in that began after it', async () => {
      const { sendToken, url, clock } = await open()
      for (const _ of ['first', 'second']) {
        expect((await sendToken(await untrusted.logoutToken(onlySubject))).status).toBe(200)
        clock.advance(1)
      }
      expect(await (await begin(url, 'sid-2'))()).toBe(303)
    })
  })

  const noToken = 'the request has no form with one logout_token'
  it.each<[string, (token: string) => [BodyInit | null, Record<string, string>?]]>([
    ['has no body', () => [null]],
    ['has no token', () => [new URLSearchParams({ token: 'x' })]],
    ['has an empty token', () => [formOf('')]],
    ['has two tokens', (token) => [formOf(token, token)]],
    ['is JSON', (token) => [JSON.stringify({ logout_token: token }), { 'content-type': 'application/json' }]],
    [
      'is of a type that only ends like a form',
      (token) => [formOf(token).toString(), { 'content-type': 'x-application/x-www-form-urlencoded' }],
    ],
    ['is plain text', (token) => [formOf(token).toString(), { 'content-type': 'text/plain' }]],
    [
      'is larger than 64 KiB',
      (token) => [
        `${formOf(token)}&x=${'x'.repeat(65_536)}`,
        { 'content-type': 'application/x-www-form-urlencoded' },
      ],
    ],
  ])('is not read from a request that %s', async (_, requestWith) => {
    const { isSignedIn, send } = await open()
    const [body, headers] = requestWith(await untrusted.logoutToken())
    await expectRefused(await send(body, headers), 'invalid_request', noToken)
    expect(await isSignedIn()).toBe(true)
  })

  it('is no text that is no token', async () => {
    const { sendToken } = await open()
    await expectRefused(await sendToken('x'), 'invalid_request', 'ERR_JWS_INVALID')
  })

  it('is accepted whatever the request says about its page and cookies, which it does not use', async () => {
    const { isSignedIn, send, signIn, url } = await open()
    const { cookie } = await signIn()
    const headers = { origin: 'https://id.example', 'sec-fetch-site': 'cross-site', cookie }
    expect((await send(formOf(await untrusted.logoutToken()), headers)).status).toBe(200)
    expect(await isSignedIn()).toBe(false)
    expect((await fetch(`${url}/v1/projects`, { headers: { cookie } })).status).toBe(200)
    const signOut = await fetch(`${url}/auth/sign-out`, { method: 'POST', headers })
    expect(signOut.status).toBe(403)
  })

  const undecided = 'The token cannot be verified now. Send it again.'

  describe('of a provider that is away', () => {
    const away = () =>
      untrusted.tamper(({ failing }) => {
        Object.assign(failing, { '/keys': 503, '/.well-known/openid-configuration': 503 })
      })
    afterEach(() => untrusted.tamper(() => {}))

    const aboutNobody = ({ claims }: LogoutToken) => Object.assign(claims, { sub: 'nobody', sid: 'none' })

    it('is verified with the keys that are known, however old', async () => {
      const { isSignedIn, sendToken } = await open()
      expect((await sendToken(await untrusted.logoutToken(aboutNobody))).status).toBe(200)
      away()
      const started = performance.now()
      for (const [hours, change] of [
        [0.5, aboutNobody],
        [2, aboutNobody],
        [24, () => {}],
      ] as const) {
        const now = vi.spyOn(performance, 'now').mockReturnValue(started + hours * hour)
        onTestFinished(() => now.mockRestore())
        expect((await sendToken(await untrusted.logoutToken(change))).status).toBe(200)
      }
      expect(await isSignedIn()).toBe(false)
    })

    it.each([404, 500, 503])('and replies %s, is asked for again after a restart', async (status) => {
      untrusted.tamper(({ failing }) =>
        Object.assign(failing, { '/.well-known/openid-configuration': status }),
      )
      const { isSignedIn, sendToken } = await open()
      const token = await untrusted.logoutToken()
      await expectRefused(await sendToken(token), 'temporarily_unavailable', undecided, 503)
      untrusted.tamper(() => {})
      expect((await sendToken(token)).status).toBe(200)
      expect(await isSignedIn()).toBe(false)
    })

    it.each([404, 429, 503])('and replies %s, is asked for again where its key is new', async (status) => {
      const { isSignedIn, sendToken } = await open()
      expect((await sendToken(await untrusted.logoutToken(aboutNobody))).status).toBe(200)
      const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 20_000)
      onTestFinished(() => later.mockRestore())
      untrusted.tamper(({ failing }) => Object.assign(failing, { '/keys': status }))
      const signedByNext = () =>
        untrusted.logoutToken(({ header }) => Object.assign(header, { kid: 'k2' }), 'next')
      await expectRefused(await sendToken(await signedByNext()), 'temporarily_unavailable', undecided, 503)
      untrusted.tamper((responses) => Object.assign(responses, { hasNextKey: true }))
      later.mockReturnValue(performance.now() + 20_000)
      expect((await sendToken(await signedByNext())).status).toBe(200)
      expect(await isSignedIn()).toBe(false)
    })
  })

  it('with an unknown key requests the keys at most every ten seconds, and is asked for again meanwhile', async () => {
    const { sendToken } = await open()
    expect((await sendToken(await untrusted.logoutToken())).status).toBe(200)
    untrusted.tamper(() => {})
    const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 20_000)
    onTestFinished(() => later.mockRestore())
    const statuses: number[] = []
    for (let i = 0; i < 20; i += 1) {
      const token = await untrusted.logoutToken(({ header }) =>
        Object.assign(header, { kid: `unknown-${i}` }),
      )
      statuses.push((await sendToken(token)).status)
    }
    expect(statuses).toEqual([400, ...Array(19).fill(503)])
    expect(untrusted.requests.filter(({ path }) => path === '/keys')).toHaveLength(1)
    // The known key is not affected.
    expect((await sendToken(await untrusted.logoutToken())).status).toBe(200)
  })

  it('can be sent again after its provider or the database could not be reached', async () => {
    const { isSignedIn, sendToken, store, lines } = await open({ providerTimeoutMs: 3_000 })
    const token = await untrusted.logoutToken()
    untrusted.tamper(({ silent }) => silent.push('/keys'))
    await expectRefused(await sendToken(token), 'temporarily_unavailable', undecided, 503)
    const reason = `ERR_JWKS_TIMEOUT at ${untrusted.issuer}/keys`
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 40, operation: 'backChannelLogout', fault: 'unreachable', reason }),
    )
    untrusted.tamper(() => {})

    const { revokeSessionsOfProvider } = store
    store.revokeSessionsOfProvider = () => Promise.reject(new StoreUnavailableError('the database is locked'))
    await expectRefused(await sendToken(token), 'server_error', 'The sessions could not be ended.', 503)
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 50, operation: 'backChannelLogout', msg: 'fault' }),
    )
    store.revokeSessionsOfProvider = revokeSessionsOfProvider
    expect(await isSignedIn()).toBe(true)
    expect((await sendToken(token)).status).toBe(200)
    expect(await isSignedIn()).toBe(false)
  })

  it('has a rate limit of its own', async () => {
    const rates = { signInRate: { max: 1, ms: 60_000 }, backChannelLogoutRate: { max: 2, ms: 60_000 } }
    const { sendToken } = await open(rates)
    const statuses = []
    for (let i = 0; i < 3; i += 1) statuses.push((await sendToken(await untrusted.logoutToken())).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('has nowhere to go without an identity provider', async () => {
    const { app } = openTestApp()
    expect((await app.inject({ method: 'POST', url: path })).statusCode).toBe(404)
  })
})

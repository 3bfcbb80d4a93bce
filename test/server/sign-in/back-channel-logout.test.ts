import type { JWK } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createBrowser } from '../../oidc/browser.js'
import { confirmSignOut, signInAs, startService } from '../../oidc/sign-in-flow.js'
import {
  type LogoutToken,
  type Signer,
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

  it.each([
    ['the session that began with the one that ends there', 'session', [401, 200, 200], 1],
    ['all sessions of the person where the provider names none', 'person', [401, 401, 200], 2],
  ] as const)('ends %s immediately, and no others', async (_, logout, statuses, count) => {
    await startAt(provider, {}, logout)
    provider.accounts.max = { ...ada, email: 'max@id.example' }
    const browsers = []
    for (const name of ['ada', 'ada', 'max']) browsers.push((await signInAs(name, service, provider)).browser)
    expect(await Promise.all(browsers.map(statusOf))).toEqual([200, 200, 200])
    await confirmSignOut(browsers[0] ?? createBrowser(), `${provider.issuer}/session/end`)
    expect(await Promise.all(browsers.map(statusOf))).toEqual(statuses)
    const ended = service.lines
      .filter((line) => line.includes('sessions ended'))
      .map((line) => JSON.parse(line))
    expect(ended).toMatchObject([{ operation: 'backChannelLogout', sessions: count }])
  })

  it('accepts the logout that follows a sign-out at the service', async () => {
    await startAt(provider)
    const { browser } = await signInAs('ada', service, provider)
    const signedOut = await browser.request(`${service.url}/auth/sign-out`, { method: 'POST' })
    const confirmed = await confirmSignOut(browser, signedOut.headers.get('x-sign-out-url') ?? '')
    expect(confirmed.status).toBe(303)
  })
})

describe('a logout token', () => {
  let untrusted: UntrustedProvider
  beforeAll(async () => {
    untrusted = await startUntrustedProvider()
  })
  afterEach(() => untrusted.tamper())
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
    const sendToken = async (...args: Parameters<UntrustedProvider['logoutToken']>) =>
      send(formOf(await untrusted.logoutToken(...args)))
    const logged = () => started.lines.map((line) => JSON.parse(line))
    return { ...started, isSignedIn, send, sendToken, logged }
  }
  const formOf = (...tokens: string[]) => new URLSearchParams(tokens.map((token) => ['logout_token', token]))
  const fromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

  async function expectRefused(response: Response, error: string, reason: string, status = 400) {
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '30' : null)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({ error, error_description: reason })
  }

  it.each<[string, LogoutToken]>([
    ['with a session and a subject', {}],
    ['with a session', { claims: { sub: undefined } }],
    ['with a subject', { claims: { sid: undefined } }],
    ['of the type JWT', { header: { typ: 'JWT' } }],
    ['of the whole media type', { header: { typ: 'application/logout+jwt' } }],
    ['without a type', { header: { typ: undefined } }],
    ['for several clients', { claims: { aud: ['other', 'dashboard'] } }],
    ['from a clock that is ahead', { claims: { iat: fromNow(20) } }],
    ['with unknown claims', { claims: { trace: 'x' } }],
  ])('%s ends the session', async (_, change) => {
    const { isSignedIn, sendToken } = await open()
    expect(await isSignedIn()).toBe(true)
    const response = await sendToken(change)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toBe('')
    expect(await isSignedIn()).toBe(false)
  })

  const claimFailed = 'ERR_JWT_CLAIM_VALIDATION_FAILED'
  const refusedFor = (part: string) => `the logout token is refused for its ${part}`
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  it.each<[string, string, LogoutToken, Signer?]>([
    ['signed with another key', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED', {}, 'unknown'],
    ['signed with the client secret', 'ERR_JOSE_ALG_NOT_ALLOWED', {}, 'client secret'],
    ['not signed', 'ERR_JOSE_ALG_NOT_ALLOWED', {}, 'nobody'],
    ['of an unknown key', 'ERR_JWKS_NO_MATCHING_KEY', { header: { kid: 'k2' } }],
    [
      'of another issuer',
      `${claimFailed}: iss: expected "ISSUER", got "https://other.example"`,
      { claims: { iss: 'https://other.example' } },
    ],
    [
      'for another client',
      `${claimFailed}: aud: expected "dashboard", got "other"`,
      { claims: { aud: 'other' } },
    ],
    ['from the future', `${claimFailed}: iat`, { claims: { iat: fromNow(300) } }],
    ['that was issued long ago', 'ERR_JWT_EXPIRED: iat', { claims: { iat: fromNow(-660) } }],
    ['that has expired', 'ERR_JWT_EXPIRED: exp', { claims: { exp: fromNow(-60) } }],
    ['without an expiry', `${claimFailed}: exp`, { claims: { exp: undefined } }],
    ['without an id', `${claimFailed}: jti`, { claims: { jti: undefined } }],
    ['with an empty id', refusedFor('jti'), { claims: { jti: '' } }],
    ['without events', refusedFor('events'), { claims: { events: undefined } }],
    ['with another event', refusedFor('events'), { claims: { events: { other: {} } } }],
    ['with an event that is no object', refusedFor('events'), { claims: { events: { [event]: true } } }],
    ['with a nonce, like an id token', refusedFor('nonce'), { claims: { nonce: 'n' } }],
    ['of a type that only begins like it', refusedFor('typ'), { header: { typ: 'JWT2' } }],
    ['of the type of access tokens', refusedFor('typ'), { header: { typ: 'at+jwt' } }],
    ['about no one', refusedFor('sub or sid'), { claims: { sub: undefined, sid: undefined } }],
    ['about a subject that is no text', refusedFor('sub'), { claims: { sub: 1 as unknown as string } }],
    ['about a session that is no text', refusedFor('sid'), { claims: { sid: ['sid-1'] } }],
    ['about a session that cannot be stored', refusedFor('sid'), { claims: { sid: 'a\0b' } }],
  ])('%s is refused, and the reason is logged', async (_, expected, change, signedBy) => {
    const reason = expected.replace('ISSUER', untrusted.issuer)
    const { isSignedIn, sendToken, logged, lines } = await open()
    await expectRefused(await sendToken(change, signedBy), 'invalid_request', reason)
    expect(await isSignedIn()).toBe(true)
    expect(logged()).toContainEqual(
      expect.objectContaining({ level: 40, operation: 'backChannelLogout', fault: 'unacceptable', reason }),
    )
    expect(lines.join('')).not.toContain('eyJ')
  })

  it('ends sessions once', async () => {
    const { isSignedIn, send, signIn, url } = await open()
    const token = formOf(await untrusted.logoutToken())
    expect((await send(token)).status).toBe(200)
    expect(await isSignedIn()).toBe(false)
    const { cookie } = await signIn({ userId: 'at-provider', sid: 'sid-1' })
    await expectRefused(await send(token), 'invalid_request', 'the logout token was used before')
    expect((await fetch(`${url}/v1/projects`, { headers: { cookie } })).status).toBe(200)
  })

  const ofOther = { claims: { sub: 'nobody', sid: 'none' } }
  const onlySid = { claims: { sub: undefined } }
  const onlySubject = { claims: { sid: undefined } }

  it('about a user who is not signed in is accepted', async () => {
    const { isSignedIn, sendToken } = await open()
    expect((await sendToken(ofOther)).status).toBe(200)
    expect(await isSignedIn()).toBe(true)
  })

  describe('of a person who is signing in', () => {
    /** Begins a sign-in. @returns a function that completes it */
    async function begin(url: string, sid?: string) {
      const browser = createBrowser()
      const begun = await browser.request(`${url}/auth/sign-in?returnTo=/v1/projects`)
      const back = untrusted.authorize(new URL(begun.headers.get('location') ?? ''))
      untrusted.tamper({ idToken: { sid } })
      return async () => (await browser.request(back)).status
    }

    it.each<[string, string | undefined, LogoutToken]>([
      ['with the session', 'sid-1', onlySid],
      ['with the session, and the subject', 'sid-1', {}],
      ['with the subject', 'sid-2', onlySubject],
      ['with the subject, where the provider names no session', undefined, onlySubject],
      ['with the subject and a session, where the provider names none', undefined, {}],
    ])('%s refuses the sign-in that began before', async (_, sid, change) => {
      const { sendToken, store, logged, url } = await open()
      const complete = await begin(url, sid)
      expect((await sendToken(change)).status).toBe(200)
      const before = await store.listSessions()
      expect(await complete()).toBe(400)
      expect(await store.listSessions()).toEqual(before)
      const reason = 'the session ended at the identity provider meanwhile'
      expect(logged()).toContainEqual(
        expect.objectContaining({ operation: 'signInCallback', fault: 'unfinished', reason }),
      )
    })

    it.each<[string, string | undefined, LogoutToken]>([
      ['with another session', 'sid-2', {}],
      ['with another session alone', undefined, onlySid],
      ['with another subject', 'sid-2', { claims: { sub: 'max', sid: undefined } }],
      ['of a session of another subject', undefined, { claims: { sub: 'max' } }],
    ])('%s does not', async (_, sid, change) => {
      const { sendToken, url } = await open()
      const complete = await begin(url, sid)
      expect((await sendToken(change)).status).toBe(200)
      expect(await complete()).toBe(303)
    })

    it('does not refuse a sign-in that began after it', async () => {
      const { sendToken, url, clock } = await open()
      for (const _ of ['first', 'second']) {
        expect((await sendToken(onlySubject)).status).toBe(200)
        clock.advance(1)
      }
      expect(await (await begin(url, 'sid-2'))()).toBe(303)
    })
  })

  const form = 'application/x-www-form-urlencoded'
  it.each<[string, (token: string) => [body: BodyInit | null, type?: string]]>([
    ['has no body', () => [null]],
    ['has no token', () => [new URLSearchParams({ token: 'x' })]],
    ['has an empty token', () => [formOf('')]],
    ['has two tokens', (token) => [formOf(token, token)]],
    ['is JSON', (token) => [JSON.stringify({ logout_token: token }), 'application/json']],
    ['is of a type that only ends like a form', (token) => [formOf(token).toString(), `x-${form}`]],
    ['is larger than 64 KiB', (token) => [`${formOf(token)}&x=${'x'.repeat(65_536)}`, form]],
  ])('is not read from a request that %s', async (_, requestWith) => {
    const { isSignedIn, send } = await open()
    const [body, type] = requestWith(await untrusted.logoutToken())
    const reason = 'the request has no form with one logout_token'
    await expectRefused(await send(body, type ? { 'content-type': type } : {}), 'invalid_request', reason)
    expect(await isSignedIn()).toBe(true)
  })

  it('is accepted whatever the page and the cookies of the request are', async () => {
    const { isSignedIn, send, signIn, url } = await open()
    const { cookie } = await signIn()
    const headers = { origin: 'https://id.example', 'sec-fetch-site': 'cross-site', cookie }
    expect((await send(formOf(await untrusted.logoutToken()), headers)).status).toBe(200)
    expect(await isSignedIn()).toBe(false)
    expect((await fetch(`${url}/v1/projects`, { headers: { cookie } })).status).toBe(200)
  })

  const undecided = 'The token cannot be verified now. Send it again.'
  const expectUndecided = (response: Response) =>
    expectRefused(response, 'temporarily_unavailable', undecided, 503)
  const metadata = '/.well-known/openid-configuration'
  const setTime = (ms: number) => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(ms)
    onTestFinished(() => now.mockRestore())
  }

  describe('of an unavailable provider', () => {
    it('is verified with the known keys, however old they are', async () => {
      const { isSignedIn, sendToken } = await open()
      expect((await sendToken(ofOther)).status).toBe(200)
      untrusted.tamper({ failing: { '/keys': 503, [metadata]: 503 } })
      const started = performance.now()
      for (const [hours, change] of [
        [0.5, ofOther],
        [2, ofOther],
        [24, {}],
      ] as const) {
        setTime(started + hours * hour)
        expect((await sendToken(change)).status).toBe(200)
      }
      expect(await isSignedIn()).toBe(false)
    })

    it.each([404, 503])(
      'that replies %s is answered so that it is sent again, after a restart',
      async (status) => {
        untrusted.tamper({ failing: { [metadata]: status } })
        const { isSignedIn, sendToken } = await open()
        await expectUndecided(await sendToken())
        untrusted.tamper()
        expect((await sendToken()).status).toBe(200)
        expect(await isSignedIn()).toBe(false)
      },
    )

    it.each([404, 429, 503])(
      'that replies %s is answered so that it is sent again, if its key is new',
      async (status) => {
        const { isSignedIn, sendToken } = await open()
        const started = performance.now()
        expect((await sendToken(ofOther)).status).toBe(200)
        setTime(started + 20_000)
        untrusted.tamper({ failing: { '/keys': status } })
        await expectUndecided(await sendToken({ header: { kid: 'k2' } }, 'next'))
        untrusted.tamper({ keys: [untrusted.knownKey, untrusted.nextKey] })
        setTime(started + 40_000)
        expect((await sendToken({ header: { kid: 'k2' } }, 'next')).status).toBe(200)
        expect(await isSignedIn()).toBe(false)
      },
    )
  })

  it.each(['k1', undefined])('is verified after the keys were replaced under the id %s', async (kid) => {
    const { knownKey, nextKey } = untrusted
    const rename = (key: JWK) => ({ ...key, kid })
    untrusted.tamper({ keys: [rename(knownKey)] })
    const { isSignedIn, sendToken } = await open()
    const started = performance.now()
    const header = { kid }
    expect((await sendToken({ ...ofOther, header })).status).toBe(200)
    untrusted.tamper({ keys: [rename(nextKey)] })
    expect((await sendToken({ header }, 'next')).status).toBe(200)
    expect(await isSignedIn()).toBe(false)
    // Moments later they are not requested again.
    await expectUndecided(await sendToken({ header }, 'unknown'))
    setTime(started + 20_000)
    expect((await sendToken({ header }, 'unknown')).status).toBe(400)
  })

  it('without the id of a key is verified with each of several keys', async () => {
    const { knownKey, nextKey } = untrusted
    untrusted.tamper({ keys: [knownKey, nextKey].map((key) => ({ ...key, kid: undefined })) })
    const { isSignedIn, sendToken } = await open()
    const header = { kid: undefined }
    expect((await sendToken({ header }, 'unknown')).status).toBe(400)
    expect(await isSignedIn()).toBe(true)
    expect((await sendToken({ header }, 'next')).status).toBe(200)
    expect(await isSignedIn()).toBe(false)
  })

  it('with an unknown key requests the keys at most every ten seconds, and is meanwhile answered so that it is sent again', async () => {
    const { sendToken } = await open()
    expect((await sendToken()).status).toBe(200)
    untrusted.tamper()
    setTime(performance.now() + 20_000)
    const statuses: number[] = []
    for (let i = 0; i < 20; i += 1)
      statuses.push((await sendToken({ header: { kid: `unknown-${i}` } })).status)
    expect(statuses).toEqual([400, ...Array(19).fill(503)])
    expect(untrusted.requests.filter(({ path }) => path === '/keys')).toHaveLength(1)
    // Tokens with a known key are not affected.
    expect((await sendToken()).status).toBe(200)
  })

  it('can be sent again after its provider or the database could not be reached', async () => {
    const { isSignedIn, send, store, logged } = await open({ providerTimeoutMs: 3_000 })
    const token = formOf(await untrusted.logoutToken())
    untrusted.tamper({ silent: ['/keys'] })
    await expectUndecided(await send(token))
    const reason = `ERR_JWKS_TIMEOUT at ${untrusted.issuer}/keys`
    expect(logged()).toContainEqual(
      expect.objectContaining({ level: 40, operation: 'backChannelLogout', fault: 'unreachable', reason }),
    )
    untrusted.tamper()

    const { revokeSessionsOfProvider } = store
    store.revokeSessionsOfProvider = () => Promise.reject(new StoreUnavailableError('the database is locked'))
    await expectRefused(await send(token), 'server_error', 'The sessions could not be ended.', 503)
    expect(logged()).toContainEqual(
      expect.objectContaining({ level: 50, operation: 'backChannelLogout', msg: 'fault' }),
    )
    store.revokeSessionsOfProvider = revokeSessionsOfProvider
    expect(await isSignedIn()).toBe(true)
    expect((await send(token)).status).toBe(200)
    expect(await isSignedIn()).toBe(false)
  })

  it('has a separate rate limit', async () => {
    const rates = { signInRate: { max: 1, ms: 60_000 }, backChannelLogoutRate: { max: 2, ms: 60_000 } }
    const { sendToken } = await open(rates)
    const statuses = []
    for (let i = 0; i < 3; i += 1) statuses.push((await sendToken()).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('is 404 without an identity provider', async () => {
    const { app } = openTestApp()
    expect((await app.inject({ method: 'POST', url: path })).statusCode).toBe(404)
  })
})

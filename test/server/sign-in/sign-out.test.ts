import { describe, expect, it, onTestFinished } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { startService } from '../../oidc/sign-in-flow.js'
import { startUntrustedProvider } from '../../oidc/untrusted-provider.js'
import { openTestApp } from '../server-harness.js'

describe('sign-out', () => {
  const signOut = '/auth/sign-out'

  it('revokes the session and removes the cookie', async () => {
    const { app, signIn } = openTestApp()
    const { cookie } = await signIn()
    const response = await app.inject({ method: 'POST', url: signOut, headers: { cookie } })
    expect(response.statusCode).toBe(204)
    expect(response.payload).toBe('')
    expect(response.headers).not.toHaveProperty('x-sign-out-url')
    expect(response.headers['set-cookie']).toBe('session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax')
    const after = await app.inject({ url: '/v1/projects', headers: { cookie } })
    expect(after.statusCode).toBe(401)
  })

  it('revokes the session of the signed cookie, and none if two are signed', async () => {
    const { app, store, signIn } = openTestApp()
    const { cookie, session } = await signIn()
    await app.inject({ method: 'POST', url: signOut, headers: { cookie: `${cookie}; ${cookie}` } })
    expect((await store.session(session.id))?.revokedAt).toBeUndefined()
    await app.inject({ method: 'POST', url: signOut, headers: { cookie: `session=x; ${cookie}` } })
    expect((await store.session(session.id))?.revokedAt).toBeDefined()
  })

  // test/contract/return-to.test.ts tests which addresses are safe.
  it.each([
    ['', '/'],
    ['?returnTo=/app%3Fa=b', '/app?a=b'],
    ['?returnTo=https://evil.example', '/'],
    ['?returnTo=/a&returnTo=/b', '/'],
    ['?returnTo=/caf%C3%A9', '/caf%C3%A9'],
    ['?returnTo=%ZZ', '/'],
  ])('redirects a form with %j to %s', async (query, location) => {
    const { app } = openTestApp()
    const response = await app.inject({
      method: 'POST',
      url: signOut + query,
      payload: 'a=b',
      headers: { accept: 'text/html,*/*', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe(location)
    expect(response.headers['set-cookie']).toContain('session=;')
  })

  it.each([
    ['http://127.0.0.1:8080', false],
    ['http://localhost:8080', false],
    ['http://[::1]:8080', false],
    ['http://192.168.1.5:8080', true],
    ['http://127.0.0.1.example.com', true],
    ['https://localhost', true],
  ])('at %s sets a Secure cookie: %s', async (publicUrl, secure) => {
    const { app } = openTestApp({ publicUrl })
    const response = await app.inject({ method: 'POST', url: signOut })
    expect(String(response.headers['set-cookie']).includes('Secure')).toBe(secure)
  })

  it('leaves the cookie if the session cannot be revoked', async () => {
    const { app, store, lines, signIn } = openTestApp()
    const { cookie } = await signIn()
    store.revokeSession = async () => {
      throw new StoreUnavailableError('locked')
    }
    const response = await app.inject({ method: 'POST', url: signOut, headers: { cookie } })
    expect(response.statusCode).toBe(503)
    expect(response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(response.headers).not.toHaveProperty('set-cookie')
    expect(lines.join('')).toContain('locked')
  })

  it('has no page to return to without an identity provider', async () => {
    const { app } = openTestApp()
    expect((await app.inject('/auth/signed-out?state=/projects')).statusCode).toBe(404)
  })
})

describe('sign-out at the identity provider', () => {
  async function signOutAt(metadata: Record<string, unknown>, clientId = 'dashboard') {
    const provider = await startUntrustedProvider()
    onTestFinished(provider.close)
    provider.tamper({ discovery: metadata })
    const service = await startService({ issuer: provider.issuer, clientId })
    onTestFinished(async () => void (await service.close()))
    const request = (accept: string) =>
      fetch(`${service.url}/auth/sign-out?returnTo=/bye`, {
        method: 'POST',
        headers: { accept },
        redirect: 'manual',
      })
    return { service, form: await request('text/html'), script: await request('application/json') }
  }

  it('redirects to the provider with the return address, and logs the return', async () => {
    const { service, form, script } = await signOutAt({ end_session_endpoint: 'https://id.example/end' })
    const location = new URL(form.headers.get('location') ?? '')
    expect(location.origin + location.pathname).toBe('https://id.example/end')
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'dashboard',
      post_logout_redirect_uri: `${service.url}/auth/signed-out`,
      state: '/bye',
    })
    expect(script.headers.get('x-sign-out-url')).toBe(location.href)

    const back = await fetch(`${service.url}/auth/signed-out?state=/bye`, { redirect: 'manual' })
    expect([back.status, back.headers.get('location')]).toEqual([303, '/bye'])
    await expect.poll(() => service.lines.at(-1)).toContain('"operation":"signedOut"')
  })

  it.each([
    ['has none', {}, []],
    [
      'cannot be used',
      { issuer: 'https://other.example' },
      Array(2).fill([
        'signOut',
        expect.stringMatching(
          /^OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: issuer: expected .* got "https:\/\/other\.example"$/,
        ),
      ]),
    ],
  ])('is omitted if the provider %s', async (_, metadata, warnings) => {
    const { service, form, script } = await signOutAt(metadata)
    expect([form.status, form.headers.get('location')]).toEqual([303, '/bye'])
    expect([script.status, script.headers.get('x-sign-out-url')]).toEqual([204, null])
    const logged = service.lines.map((line) => JSON.parse(line))
    const warned = logged.filter(({ msg }) => msg === 'no sign-out at the identity provider')
    expect(warned.map(({ operation, reason }) => [operation, reason])).toEqual(warnings)
  })

  it('is a fault of the service if it cannot create the request to the provider', async () => {
    const { service, form } = await signOutAt({}, '')
    expect(form.status).toBe(500)
    expect(service.lines.join('')).toContain('"msg":"fault"')
  })
})

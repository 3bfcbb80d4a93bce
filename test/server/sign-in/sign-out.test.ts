import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { openTestApp } from '../server-harness.js'

describe('sign-out', () => {
  const signOut = '/auth/sign-out'

  it('revokes the session and removes the cookie', async () => {
    const { app, signIn } = openTestApp()
    const { cookie } = await signIn()
    const response = await app.inject({ method: 'POST', url: signOut, headers: { cookie } })
    expect(response.statusCode).toBe(204)
    expect(response.payload).toBe('')
    expect(response.headers['set-cookie']).toBe('session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax')
    const after = await app.inject({ url: '/v1/projects', headers: { cookie } })
    expect(after.statusCode).toBe(401)
  })

  it('replies the same without a session', async () => {
    const { app } = openTestApp()
    for (const cookie of ['', 'session=forged', 'session=a; session=b']) {
      const response = await app.inject({ method: 'POST', url: signOut, headers: { cookie } })
      expect(response.statusCode).toBe(204)
      expect(response.headers['set-cookie']).toContain('session=;')
    }
  })

  it('does not revoke a session whose cookie was sent twice', async () => {
    const { app, store, signIn } = openTestApp()
    const { cookie, session } = await signIn()
    await app.inject({ method: 'POST', url: signOut, headers: { cookie: `${cookie}; ${cookie}` } })
    expect((await store.session(session.id))?.revokedAt).toBeUndefined()
  })

  it.each([
    ['', '/'],
    ['?returnTo=/app%3Fa=b', '/app?a=b'],
    ['?returnTo=https://api.example.com/x', '/x'],
    ['?returnTo=https://evil.example', '/'],
    ['?returnTo=//evil.example', '/'],
    ['?returnTo=/%5Cevil.example', '/'],
    ['?returnTo=/a&returnTo=/b', '/'],
    ['?returnTo=/caf%C3%A9%0D%0Ax:y', '/'],
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

  it('accepts only POST', async () => {
    const { app } = openTestApp()
    expect((await app.inject(signOut)).statusCode).toBe(404)
  })
})

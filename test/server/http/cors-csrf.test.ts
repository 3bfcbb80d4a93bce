import { describe, expect, it } from 'vitest'
import { openTestApp } from '../server-harness.js'

// test/contract/origins.test.ts tests which requests come from another site, test/contract/cors.test.ts the headers for allowed
// pages, and the conformance suite ("callers: other sites") the responses of operations to pages of other sites.

const site = 'https://api.example.com'
const friend = 'https://app.example.com'
const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

describe('a request that changes data', () => {
  it.each([
    ['POST', '/v1/projects', 401],
    ['POST', '/v1/waitlist', 400],
    ['POST', '/auth/sign-out', 204],
    ['POST', '/nowhere', 404],
    ['DELETE', '/v1/projects', 405],
  ] as const)(
    '%s %s is refused from every site except this one and the allowed origins',
    async (method, url, status) => {
      const { app } = openTestApp({ allowedOrigins: [friend] })
      const statusFrom = async (headers: Record<string, string>) =>
        (await app.inject({ method, url, headers })).statusCode
      expect(await statusFrom(evil)).toBe(403)
      expect(await statusFrom({ origin: site, 'sec-fetch-site': 'same-site' })).toBe(403)
      expect(await statusFrom({ origin: site })).toBe(status)
      expect(await statusFrom({ ...evil, origin: friend })).toBe(status)
    },
  )

  it('is accepted from the origin that it was sent to, if there is no public URL', async () => {
    const { app } = openTestApp({ publicUrl: undefined })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const signOut = async (origin: string, host: string, at = app) =>
      (await at.inject({ method: 'POST', url: '/auth/sign-out', headers: { origin, host } })).statusCode
    expect(await signOut('http://localhost:8080', 'localhost:8080')).toBe(204)
    expect(await signOut(app.listeningOrigin, 'whatever')).toBe(204)
    expect(await signOut('http://localhost:9090', 'localhost:8080')).toBe(403)
    // With a public URL the Host header does not matter.
    expect(await signOut('http://localhost:8080', 'localhost:8080', openTestApp().app)).toBe(403)
  })
})

describe('a page of another origin', () => {
  const read = async (origin: string, allowedOrigins: string[]) => {
    const { app } = openTestApp({ allowedOrigins })
    const headers = { origin, 'access-control-request-method': 'POST' }
    return [
      await app.inject({ url: '/v1/projects', headers: { origin } }),
      await app.inject({ method: 'OPTIONS', url: '/v1/projects', headers }),
    ] as const
  }

  it('may read responses with cookies, including refusals, if its origin is allowed', async () => {
    const [response, preflight] = await read(friend, [friend])
    expect(response.statusCode).toBe(401)
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': friend,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers).toHaveProperty('access-control-allow-methods')
  })

  it.each([`${friend}.evil.example`, `${friend}:444`, 'http://app.example.com', 'null', '*', site])(
    'gets no CORS header if its origin is %s',
    async (origin) => {
      for (const allowedOrigins of [[friend], []])
        for (const { statusCode, headers } of await read(origin, allowedOrigins)) {
          expect([401, 405]).toContain(statusCode)
          expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
        }
    },
  )
})

describe('every response', () => {
  it.each(['/v1/projects', '/nowhere', '/%ZZ', '/auth/sign-in', '/docs/errors/not-found'])(
    'from %s has the security headers',
    async (url) => {
      const { headers } = await openTestApp().app.inject(url)
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
      })
      expect(headers).not.toHaveProperty('server')
      expect(headers).not.toHaveProperty('x-powered-by')
    },
  )

  it('that is a page cannot be framed by old browsers, and sends no referrer', async () => {
    const { headers } = await openTestApp().app.inject('/docs/errors/not-found')
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' })
  })

  it.each(['http://127.0.0.1:8080', undefined])(
    'has no Strict-Transport-Security at %s',
    async (publicUrl) => {
      const { headers } = await openTestApp({ publicUrl }).app.inject('/v1/projects')
      expect(headers).not.toHaveProperty('strict-transport-security')
    },
  )
})

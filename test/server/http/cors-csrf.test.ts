import { describe, expect, it } from 'vitest'
import { errors } from '../../../src/contract/errors.js'
import { errorFormAt, operationMethods } from '../../../src/contract/route.js'
import { openTestApp } from '../server-harness.js'

const site = 'https://api.example.com'
const friend = 'https://app.example.com'

describe('a request that changes data', () => {
  type Row = { secFetchSite?: string; origin?: string; allowed: boolean }
  // Every Origin that a browser may send, with every Sec-Fetch-Site.
  const origins = [undefined, site, friend, 'https://evil.example', 'https://www.example.com', 'null', '']
  const relations = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'something-new']
  const rows: Row[] = relations.flatMap((secFetchSite) =>
    origins.map((origin) => {
      const bySite = secFetchSite === 'same-origin' || secFetchSite === 'none'
      const byOrigin = origin === undefined || origin === site
      const allowed = origin === friend || (secFetchSite === undefined ? byOrigin : bySite)
      return { secFetchSite, origin, allowed }
    }),
  )
  const changes = [
    ['POST', '/v1/projects', (row: string) => ({ name: row }), 201],
    ['PATCH', '/v1/projects/acme-data-warehouse', () => ({}), 404],
    ['POST', '/v1/waitlist', () => ({ email: 'a@b.example' }), 200],
    ['POST', '/auth/sign-out', undefined, 204],
    ['POST', '/nowhere', undefined, 404],
    ['DELETE', '/v1/projects', undefined, 405],
  ] as const

  it.each(changes)(
    '%s %s is refused from every site except this one and the allowed origins',
    async (method, url, payload, status) => {
      const { app, signIn, store } = openTestApp({ allowedOrigins: [friend] })
      for (const { secFetchSite, origin, allowed } of rows) {
        const row = JSON.stringify({ secFetchSite, origin })
        const { cookie, session } = await signIn()
        const before = await store.export()
        const response = await app.inject({
          method,
          url,
          ...(payload && { payload: payload(row) }),
          headers: {
            cookie,
            ...(secFetchSite !== undefined && { 'sec-fetch-site': secFetchSite }),
            ...(origin !== undefined && { origin }),
          },
        })
        expect(response.statusCode, row).toBe(allowed ? status : 403)
        if (allowed) continue
        const { message: error } = errors.CROSS_SITE_REFUSED
        const docsUrl = `${site}/docs/errors/cross-site-refused`
        expect(response.json()).toEqual(
          errorFormAt(url) === 'short' ? { error } : { error, code: 'CROSS_SITE_REFUSED', docsUrl },
        )
        expect(response.headers).not.toHaveProperty('set-cookie')
        expect(await store.export()).toEqual(before)
        expect((await store.session(session.id))?.revokedAt).toBeUndefined()
      }
    },
  )

  it('is accepted from the origin that it was sent to, if there is no public URL', async () => {
    const { app } = openTestApp({ publicUrl: undefined })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const join = async (origin: string, host: string) => {
      const headers = { origin, host }
      const payload = { email: 'a@b.example' }
      return (await app.inject({ method: 'POST', url: '/v1/waitlist', payload, headers })).statusCode
    }
    expect(await join('http://localhost:8080', 'localhost:8080')).toBe(200)
    expect(await join(app.listeningOrigin, 'whatever')).toBe(200)
    expect(await join('http://localhost:9090', 'localhost:8080')).toBe(403)
    expect(await join('http://evil.example', 'localhost:8080')).toBe(403)
    // With a public URL the Host header does not matter.
    const known = openTestApp().app
    const headers = { origin: 'http://localhost:8080', host: 'localhost:8080' }
    const response = await known.inject({ method: 'POST', url: '/auth/sign-out', headers })
    expect(response.statusCode).toBe(403)
  })
})

describe('a page of another origin', () => {
  const preflight = (origin: string) => ({
    method: 'OPTIONS' as const,
    url: '/v1/projects',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })

  it('reads responses with its cookies, refusals too, if its origin is allowed', async () => {
    const { app } = openTestApp({ allowedOrigins: [friend] })
    const response = await app.inject({ url: '/v1/projects', headers: { origin: friend } })
    expect(response.statusCode).toBe(401)
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': friend,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'allow, retry-after, x-request-id, x-sign-out-url',
      vary: 'Origin',
    })
    const preflighted = await app.inject(preflight(friend))
    expect(preflighted.statusCode).toBe(204)
    expect(preflighted.headers).toMatchObject({
      'access-control-allow-origin': friend,
      'access-control-allow-methods': operationMethods.join(', '),
      'access-control-allow-headers': 'content-type',
    })
  })

  it('names the headers that it wants to send, or else gets those of JSON', async () => {
    const { app } = openTestApp({ allowedOrigins: [friend] })
    const allowedHeaders = async (asked: object) => {
      const headers = { origin: friend, 'access-control-request-method': 'POST', ...asked }
      const response = await app.inject({ method: 'OPTIONS', url: '/v1/projects', headers })
      return response.headers['access-control-allow-headers']
    }
    expect(await allowedHeaders({ 'access-control-request-headers': 'x-own, content-type' })).toBe(
      'x-own, content-type',
    )
    expect(await allowedHeaders({})).toBe('content-type')
  })

  it.each([
    ['OPTIONS', {}, 405],
    ['GET', { 'access-control-request-method': 'POST' }, 401],
  ] as const)('sends a %s request that is no preflight request', async (method, headers, status) => {
    const { app } = openTestApp({ allowedOrigins: [friend] })
    const response = await app.inject({
      method,
      url: '/v1/projects',
      headers: { origin: friend, ...headers },
    })
    expect(response.statusCode).toBe(status)
    expect(response.headers).not.toHaveProperty('access-control-allow-methods')
  })

  it.each([
    `${friend}.evil.example`,
    `${friend}:444`,
    'http://app.example.com',
    'https://APP.example.com',
    'null',
    '*',
    site,
  ])('gets no CORS header if its origin is %s', async (origin) => {
    for (const allowedOrigins of [[friend], []]) {
      const { app } = openTestApp({ allowedOrigins })
      for (const response of [
        await app.inject({ url: '/v1/projects', headers: { origin } }),
        await app.inject(preflight(origin)),
      ]) {
        expect([401, 405]).toContain(response.statusCode)
        expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    }
  })
})

describe('every response', () => {
  const urls = ['/v1/projects', '/v1/auth/me', '/nowhere', '/%ZZ', '/auth/sign-in', '/docs/errors/not-found']

  it.each(urls)('from %s has the security headers', async (url) => {
    const { app } = openTestApp()
    const { headers } = await app.inject(url)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
    })
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  it('that is a page is not framed by old browsers, and sends no referrer', async () => {
    const { app } = openTestApp()
    const { headers } = await app.inject('/docs/errors/not-found')
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' })
  })

  it('has Strict-Transport-Security only with https', async () => {
    for (const publicUrl of ['http://127.0.0.1:8080', undefined]) {
      const { app } = openTestApp({ publicUrl })
      expect((await app.inject('/v1/projects')).headers).not.toHaveProperty('strict-transport-security')
    }
  })
})

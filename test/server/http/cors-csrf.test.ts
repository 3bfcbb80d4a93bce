import { afterEach, describe, expect, it } from 'vitest'
import { operationMethods } from '../../../src/contract/operations.js'
import { ErrorBody } from '../../../src/contract/schemas.js'
import { createTestApp } from '../server-harness.js'

const site = 'https://api.example.com'
const friend = 'https://app.example.com'
const opened: ReturnType<typeof createTestApp>[] = []
function open(...args: Parameters<typeof createTestApp>) {
  const made = createTestApp(...args)
  opened.push(made)
  return made
}
afterEach(async () => {
  for (const { app } of opened.splice(0)) await app.close()
})

describe('a request that changes something', () => {
  type Row = { secFetchSite?: string; origin?: string; allowed: boolean }
  // Each way in which a browser can say where a page is, against each relation of that page to the service.
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
    ['POST', '/v1/projects', { name: 'New' }, 201],
    ['PATCH', '/v1/projects/acme-data-warehouse', {}, 404],
    ['POST', '/v1/waitlist', { email: 'a@b.example' }, 200],
    ['POST', '/auth/sign-out', undefined, 204],
    ['POST', '/nowhere', undefined, 404],
    ['DELETE', '/v1/projects', undefined, 405],
  ] as const

  it.each(changes)(
    '%s %s is refused from every site but ours and those allowed',
    async (method, url, payload, status) => {
      for (const { secFetchSite, origin, allowed } of rows) {
        const { app, signIn, store } = open({ allowedOrigins: [friend] })
        const { cookie, session } = await signIn()
        const before = await store.export()
        const answer = await app.inject({
          method,
          url,
          ...(payload && { payload }),
          headers: {
            cookie,
            ...(secFetchSite !== undefined && { 'sec-fetch-site': secFetchSite }),
            ...(origin !== undefined && { origin }),
          },
        })
        const row = JSON.stringify({ secFetchSite, origin })
        expect(answer.statusCode, row).toBe(allowed ? status : 403)
        if (allowed) continue
        expect(ErrorBody.parse(answer.json())).toMatchObject({
          code: 'CROSS_SITE_REFUSED',
          docsUrl: `${site}/docs/errors/cross-site-refused`,
        })
        expect(answer.headers).not.toHaveProperty('set-cookie')
        expect(await store.export()).toEqual(before)
        expect((await store.session(session.id))?.revokedAt).toBeUndefined()
      }
    },
  )

  it('is not refused where the service goes by the name that it was called by', async () => {
    const { app } = open({ publicUrl: undefined })
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
    // Where the public URL is known, the Host header says nothing.
    const known = open().app
    const headers = { origin: 'http://localhost:8080', host: 'localhost:8080' }
    const answer = await known.inject({ method: 'POST', url: '/auth/sign-out', headers })
    expect(answer.statusCode).toBe(403)
  })

  it('reads with a session from anywhere, but no page of another site reads the answer', async () => {
    const { app, signIn } = open({ allowedOrigins: [friend] })
    const { cookie } = await signIn()
    const headers = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const answer = await app.inject({ url: '/v1/projects', headers })
    expect(answer.statusCode).toBe(200)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
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

  it('reads answers with its cookies, refusals too, where its origin is allowed', async () => {
    const { app } = open({ allowedOrigins: [friend] })
    const answer = await app.inject({ url: '/v1/projects', headers: { origin: friend } })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': friend,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'allow, retry-after, x-request-id, x-sign-out-url',
      vary: 'Origin',
    })
    const asked = await app.inject(preflight(friend))
    expect(asked.statusCode).toBe(204)
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': friend,
      'access-control-allow-methods': operationMethods.join(', '),
      'access-control-allow-headers': 'content-type',
    })
  })

  it.each([
    `${friend}.evil.example`,
    `${friend}:444`,
    'http://app.example.com',
    'https://APP.example.com',
    'null',
    '*',
    site,
  ])('is told nothing where its origin is %s', async (origin) => {
    for (const allowedOrigins of [[friend], []]) {
      const { app } = open({ allowedOrigins })
      for (const answer of [
        await app.inject({ url: '/v1/projects', headers: { origin } }),
        await app.inject(preflight(origin)),
      ]) {
        expect([401, 405]).toContain(answer.statusCode)
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    }
  })
})

describe('every answer', () => {
  const urls = ['/v1/projects', '/v1/auth/me', '/nowhere', '/%ZZ', '/auth/sign-in', '/docs/errors/not-found']

  it.each(urls)('from %s tells browsers to be careful', async (url) => {
    const { app } = open()
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

  it('that is a page is neither framed by old browsers, nor named to where it leads', async () => {
    const { app } = open()
    const { headers } = await app.inject('/docs/errors/not-found')
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' })
  })

  it('speaks of https only where there is https', async () => {
    const { app } = open({ publicUrl: 'http://127.0.0.1:8080' })
    expect((await app.inject('/v1/projects')).headers).not.toHaveProperty('strict-transport-security')
  })
})

describe('a body', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-seq',
    'text/plain; application/json',
  ])('of the type %s is not read', async (contentType) => {
    const { app, signIn, store } = open()
    const { cookie } = await signIn()
    const before = await store.export()
    const send = async (url: '/v1/projects' | '/v1/waitlist', payload: object) =>
      (
        await app.inject({
          method: 'POST',
          url,
          payload: JSON.stringify(payload),
          headers: { cookie, 'content-type': contentType },
        })
      ).statusCode
    expect(await send('/v1/projects', { name: 'New' })).toBe(415)
    expect(await send('/v1/waitlist', { email: 'a@b.example' })).toBe(400)
    expect(await store.export()).toEqual(before)
  })
})

describe('a client that asks too often', () => {
  const rates = { waitlist: { max: 3, ms: 60_000 }, signIn: { max: 2, ms: 60_000 } }
  const join = (app: ReturnType<typeof open>['app'], remoteAddress = '192.0.2.1', forwarded?: string) =>
    app.inject({
      method: 'POST',
      url: '/v1/waitlist',
      payload: { email: 'a@b.example' },
      remoteAddress,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    })

  it('is told so, and when to come back; others go on', async () => {
    const { app, lines } = open({ rates })
    for (let i = 0; i < 3; i++) expect((await join(app)).statusCode).toBe(200)
    const refused = await join(app)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(ErrorBody.parse(refused.json())).toMatchObject({ code: 'RATE_LIMITED' })
    expect((await join(app, '192.0.2.2')).statusCode).toBe(200)
    expect((await app.inject({ url: '/v1/projects', remoteAddress: '192.0.2.1' })).statusCode).toBe(401)
    expect(lines.join('')).not.toContain('192.0.2')
  })

  it('is the whole network where it has IPv6', async () => {
    const { app } = open({ rates })
    for (let i = 1; i <= 3; i++) expect((await join(app, `2001:db8::${i}`)).statusCode).toBe(200)
    expect((await join(app, '2001:db8::4')).statusCode).toBe(429)
    expect((await join(app, '2001:db8:0:1::4')).statusCode).toBe(200)
  })

  it('cannot be another by saying so', async () => {
    const { app } = open({ rates })
    for (let i = 1; i <= 3; i++) await join(app, '192.0.2.1', `198.51.100.${i}`)
    expect((await join(app, '192.0.2.1', '198.51.100.9')).statusCode).toBe(429)
  })

  it('is who a trusted proxy says it is', async () => {
    const { app } = open({ rates, trustedProxies: ['10.0.0.0/8'] })
    for (let i = 1; i <= 4; i++) {
      expect((await join(app, '10.0.0.1', `198.51.100.${i}`)).statusCode).toBe(200)
    }
    // What comes before the client's own address, it has written itself.
    for (let i = 1; i <= 2; i++) await join(app, '10.0.0.1', `203.0.113.${i}, 198.51.100.1`)
    expect((await join(app, '10.0.0.1', '203.0.113.9, 198.51.100.1')).statusCode).toBe(429)
    for (let i = 1; i <= 3; i++) await join(app, '192.0.2.1', `198.51.100.5${i}`)
    expect((await join(app, '192.0.2.1', '198.51.100.59')).statusCode).toBe(429)
  })

  it('is limited in signing in too', async () => {
    const { app } = open({ rates })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await app.inject('/auth/sign-in')).statusCode)
    expect(statuses).toEqual([501, 501, 429])
  })

  it('is not limited where it was turned off', async () => {
    const { app } = open({ rates: { waitlist: 'off', signIn: 'off' } })
    for (let i = 0; i < 200; i++) expect((await join(app)).statusCode).toBe(200)
  })
})

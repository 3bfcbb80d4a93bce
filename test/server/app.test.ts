import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { errors } from '../../src/contract/errors.js'
import { route } from '../../src/contract/route.js'
import { type Store, StoreUnavailableError } from '../../src/store/store.js'
import { createTestApp, secret } from './server-harness.js'

const json = { 'content-type': 'application/json' }
const opened: ReturnType<typeof createTestApp>[] = []

function open(...args: Parameters<typeof createTestApp>) {
  const made = createTestApp(...args)
  opened.push(made)
  return made
}

afterEach(async () => {
  for (const { app } of opened.splice(0)) await app.close()
})

const failing = (error: Error): Partial<Store> => ({
  listProjects: async () => {
    throw error
  },
})

describe('the production app', () => {
  it('answers as the contract says, with a header of caution and nothing of the framework', async () => {
    const { app, signIn } = open()
    const { cookie } = await signIn()
    const answer = await app.inject({ url: '/v1/auth/me', headers: { cookie } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.json()).toMatchObject({ user: { id: 'user-ada' }, teamId: 'team-acme' })
    expect(answer.json()).not.toHaveProperty('devMode')
    expect(answer.json()).not.toHaveProperty('role')
  })

  it('does not sign in a persona of the mock', async () => {
    const { app } = open()
    for (const value of ['acme-owner', 'active']) {
      const answer = await app.inject({ url: '/v1/projects', headers: { cookie: `session=${value}` } })
      expect(answer.statusCode).toBe(401)
    }
    const signIn = await app.inject({ method: 'POST', url: '/auth/sign-in', payload: 'session=acme-owner' })
    expect(signIn.statusCode).toBe(404)
    expect(signIn.headers).not.toHaveProperty('set-cookie')
  })

  it('refuses a session at the next request after it was revoked', async () => {
    const { app, store, clock, signIn } = open()
    const { cookie, session } = await signIn()
    const ask = async () => (await app.inject({ url: '/v1/projects', headers: { cookie } })).statusCode
    expect(await ask()).toBe(200)
    await store.revokeSession(session.id, clock.now().toISOString())
    expect(await ask()).toBe(401)
  })

  it('asks for the session before it looks at content type or body', async () => {
    const { app, signIn } = open()
    const { cookie } = await signIn()
    for (const contentType of ['text/plain', 'application/json', 'no media type at all', '/']) {
      const request = {
        method: 'POST' as const,
        url: '/v1/projects',
        payload: '{',
        headers: { 'content-type': contentType },
      }
      expect((await app.inject(request)).statusCode).toBe(401)
      const signedIn = { ...request, headers: { ...request.headers, cookie } }
      const answer = await app.inject(signedIn)
      expect(answer.statusCode).toBe(contentType === 'application/json' ? 422 : 415)
      expect(answer.json()).toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  it('neither coerces nor drops anything in a body', async () => {
    const { app, signIn } = open()
    const { cookie } = await signIn()
    const create = (payload: object) =>
      app.inject({ method: 'POST', url: '/v1/projects', payload, headers: { cookie } })
    expect((await create({ name: 5 })).statusCode).toBe(422)
    expect((await create({ name: 'New', id: 'mine' })).statusCode).toBe(422)
    expect((await create(JSON.parse('{"name":"New","__proto__":{}}'))).statusCode).toBe(422)
    expect((await create({ name: 'New' })).statusCode).toBe(201)
  })

  it('hands a project id to the store as it was encoded, whatever it is', async () => {
    const { app, store, signIn } = open()
    const { cookie } = await signIn()
    let asked: string | undefined
    store.project = async (_team, id) => {
      asked = id
      return undefined
    }
    const update = async (id: string) => {
      asked = undefined
      const answer = await app.inject({
        method: 'PATCH',
        url: `/v1/projects/${encodeURIComponent(id)}`,
        payload: {},
        headers: { cookie },
      })
      return answer.json().code
    }
    const readable = fc.string({ unit: 'grapheme' }).filter((id) => id.trim() !== '' && !/^\.\.?$/.test(id))
    await fc.assert(
      fc.asyncProperty(readable, async (id) => {
        expect(await update(id)).toBe('PROJECT_NOT_FOUND')
        expect(asked).toBe(id)
      }),
    )
    const awkward = ['a/b', 'a%2Fb', '%', '%25', 'a?b#c', 'a;b', ':projectId', '*', 'x'.repeat(8_000)]
    for (const id of awkward) {
      expect(await update(id)).toBe('PROJECT_NOT_FOUND')
      expect(asked).toBe(id)
    }
  })

  it('learns from an update whether its project is there, before it only for a name', async () => {
    const { app, signIn, store } = open()
    store.updateProject = async () => {
      throw new StoreUnavailableError('locked')
    }
    const { cookie } = await signIn()
    const update = async (payload: object) =>
      (await app.inject({ method: 'PATCH', url: '/v1/projects/unknown', payload, headers: { cookie } }))
        .statusCode
    expect([await update({ status: 'paused' }), await update({ name: 'New' }), await update({})]).toEqual([
      503, 404, 404,
    ])
  })

  it('runs the operation where the id is empty, and where it is blank', async () => {
    const { app, signIn } = open()
    const { cookie } = await signIn()
    for (const url of ['/v1/projects/', '/v1/projects/%20', '/v1/projects/%09%0A', '/v1/projects/?a=b']) {
      const answer = await app.inject({ method: 'PATCH', url, payload: {}, headers: { cookie } })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'EMPTY_QUERY_FILTER' })
    }
  })

  it.each([
    '/',
    '/v1',
    '/v1/projects/%ZZ',
    '/v1/projects/%FF',
    '/v1/projects/%',
    '/v1/projects/a/b',
    '/V1/projects',
    '/v1/projects/a/',
    '//v1/projects',
    '/docs/errors/unknown',
    '/docs/errors/',
  ])('has nothing at %s, and says so in the form of the contract', async (url) => {
    const { app } = open()
    for (const method of ['GET', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'] as const) {
      const answer = await app.inject({ method: method as 'GET', url, payload: 'text', headers: json })
      expect(answer.statusCode).toBe(404)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.json()).toEqual({
        error: errors.NOT_FOUND.message,
        code: 'NOT_FOUND',
        docsUrl: 'https://api.example.com/docs/errors/not-found',
      })
    }
  })

  it('names the methods that a path takes', async () => {
    const { app } = open()
    const allow = async (method: 'DELETE' | 'PUT' | 'OPTIONS' | 'HEAD', url: string) => {
      const answer = await app.inject({ method, url, payload: '{', headers: json })
      expect(answer.statusCode).toBe(405)
      return answer.headers.allow
    }
    expect(await allow('DELETE', '/v1/projects')).toBe('POST, GET, HEAD')
    expect(await allow('OPTIONS', '/v1/projects/x')).toBe(
      route('OPTIONS', '/v1/projects/x').allow?.join(', '),
    )
    expect(await allow('HEAD', '/v1/waitlist')).toBe('POST')
    expect(await allow('PUT', '/v1/auth/me')).toBe('GET, HEAD')
  })

  it('answers HEAD as GET, without the body', async () => {
    const { app, signIn } = open()
    const { cookie } = await signIn()
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    for (const path of ['/v1/projects', '/v1/auth/me', '/docs/errors/not-found']) {
      const head = await fetch(origin + path, { method: 'HEAD', headers: { cookie } })
      expect(head.status).toBe(200)
      expect(await head.text()).toBe('')
      const get = await fetch(origin + path, { headers: { cookie } })
      for (const name of ['content-length', 'content-type']) {
        expect(head.headers.get(name)).not.toBeNull()
        expect(head.headers.get(name)).toBe(get.headers.get(name))
      }
    }
  })

  it('says nothing of a fault, and logs it with its stack and the id of the request', async () => {
    const { app, store, lines, signIn } = open()
    const { cookie } = await signIn()
    Object.assign(store, failing(new Error('a fault inside')))
    const answer = await app.inject({ url: '/v1/projects', headers: { cookie } })
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({ code: 'INTERNAL_ERROR', error: errors.INTERNAL_ERROR.message })
    expect(answer.payload).not.toContain('inside')
    const [fault, request] = lines.map((line) => JSON.parse(line))
    expect(fault).toMatchObject({ operation: 'listProjects', err: { message: 'a fault inside' } })
    expect(fault.err.stack).toContain('app.test.ts')
    expect(request).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' })
    expect(fault.requestId).toBe(request.requestId)
  })

  it('is unavailable, and says when to come back, while the store is', async () => {
    const { app, store, signIn } = open()
    const { cookie } = await signIn()
    Object.assign(store, failing(new StoreUnavailableError('locked')))
    const answer = await app.inject({ url: '/v1/projects', headers: { cookie } })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  it('links to the pages about errors below the configured address', async () => {
    const { app } = open({ docsUrl: 'https://docs.example.com/api' })
    expect((await app.inject('/v1/projects')).json().docsUrl).toBe(
      'https://docs.example.com/api/docs/errors/auth-required',
    )
  })
})

describe('the pages of production', () => {
  it('has one about each code, at the address that an error names', async () => {
    const { app } = open()
    for (const code of Object.keys(errors)) {
      const answer = await app.inject(`/docs/errors/${code.toLowerCase().replaceAll('_', '-')}`)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.payload).toContain(`<h1><code>${code}</code></h1>`)
    }
  })

  it('says where sessions come from while there is no identity provider', async () => {
    const { app } = open()
    const answer = await app.inject('/auth/sign-in?returnTo=/app')
    expect(answer.statusCode).toBe(501)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.payload).toContain('No identity provider is configured')
    expect(answer.payload).toContain('dashboard-api session issue')
  })
})

describe('signing out', () => {
  const signOut = '/auth/sign-out'

  it('ends the session and takes the cookie away', async () => {
    const { app, signIn } = open()
    const { cookie } = await signIn()
    const answer = await app.inject({ method: 'POST', url: signOut, headers: { cookie } })
    expect(answer.statusCode).toBe(204)
    expect(answer.payload).toBe('')
    expect(answer.headers['set-cookie']).toBe('session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax')
    const after = await app.inject({ url: '/v1/projects', headers: { cookie } })
    expect(after.statusCode).toBe(401)
  })

  it('does the same, harmlessly, for somebody without a session', async () => {
    const { app } = open()
    for (const cookie of ['', 'session=forged', 'session=a; session=b']) {
      const answer = await app.inject({ method: 'POST', url: signOut, headers: { cookie } })
      expect(answer.statusCode).toBe(204)
      expect(answer.headers['set-cookie']).toContain('session=;')
    }
  })

  it('leaves a session alone whose cookie was sent twice', async () => {
    const { app, store, signIn } = open()
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
  ])('takes a form with %j on to %s', async (query, location) => {
    const { app } = open()
    const answer = await app.inject({
      method: 'POST',
      url: signOut + query,
      payload: 'a=b',
      headers: { accept: 'text/html,*/*', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(location)
    expect(answer.headers['set-cookie']).toContain('session=;')
  })

  it.each([
    ['http://127.0.0.1:8080', false],
    ['http://localhost:8080', false],
    ['http://[::1]:8080', false],
    ['http://192.168.1.5:8080', true],
    ['http://127.0.0.1.example.com', true],
    ['https://localhost', true],
  ])('over %s is a matter of a Secure cookie: %s', async (publicUrl, secure) => {
    const { app } = open({ publicUrl })
    const answer = await app.inject({ method: 'POST', url: signOut })
    expect(String(answer.headers['set-cookie']).includes('Secure')).toBe(secure)
  })

  it('keeps the cookie while the session cannot be ended', async () => {
    const { app, store, lines, signIn } = open()
    const { cookie } = await signIn()
    store.revokeSession = async () => {
      throw new StoreUnavailableError('locked')
    }
    const answer = await app.inject({ method: 'POST', url: signOut, headers: { cookie } })
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(lines.join('')).toContain('locked')
  })

  it('takes a POST and nothing else', async () => {
    const { app } = open()
    expect((await app.inject(signOut)).statusCode).toBe(404)
  })
})

describe('the log of production', () => {
  it('has one line a request, which names the operation and not the URL', async () => {
    const { app, lines, signIn } = open()
    const { cookie } = await signIn()
    const headers = { cookie }
    await app.inject({ url: '/v1/projects?token=canary-query', headers })
    await app.inject({ method: 'PATCH', url: '/v1/projects/canary-id', payload: {}, headers })
    await app.inject({ method: 'PATCH', url: '/v1/projects/', payload: {}, headers })
    await app.inject('/canary-path')
    await app.inject('/canary-%ZZ')
    await app.inject('/docs/errors/not-found')
    await app.inject('/auth/sign-in')
    await app.inject({ method: 'POST', url: '/auth/sign-out' })
    expect(lines.join('')).not.toContain('canary')
    const logged = lines.map((line) => JSON.parse(line))
    expect(logged.map(({ method, operation, status, code }) => [method, operation, status, code])).toEqual([
      ['GET', 'listProjects', 200, undefined],
      ['PATCH', 'updateProject', 404, 'PROJECT_NOT_FOUND'],
      ['PATCH', 'updateProject', 400, 'EMPTY_QUERY_FILTER'],
      ['GET', undefined, 404, 'NOT_FOUND'],
      ['GET', undefined, 404, 'NOT_FOUND'],
      ['GET', 'errorPage', 200, undefined],
      ['GET', 'signIn', 501, undefined],
      ['POST', 'signOut', 204, undefined],
    ])
    expect(new Set(logged.map(({ requestId }) => requestId)).size).toBe(8)
    for (const line of logged) {
      expect(line.requestId).toMatch(/^[\da-f-]{36}$/)
      expect(line.ms).toBeGreaterThanOrEqual(0)
    }
  })

  it('has no secret, cookie, address of a client, email or name in it', async () => {
    const { app, lines, signIn, store } = open()
    const { cookie, value, session } = await signIn()
    const headers = { cookie, 'x-forwarded-for': '203.0.113.7', 'user-agent': 'canary-agent' }
    const ask = { headers, remoteAddress: '203.0.113.8' }
    await app.inject({ ...ask, url: '/v1/auth/me' })
    await app.inject({ ...ask, url: '/v1/projects', headers: { cookie: `session=${value}x` } })
    await app.inject({ ...ask, method: 'POST', url: '/v1/projects', payload: { name: 'canary-name' } })
    await app.inject({
      ...ask,
      method: 'POST',
      url: '/v1/waitlist',
      payload: { email: 'canary@example.com' },
    })
    Object.assign(store, failing(new Error('a fault')))
    await app.inject({ ...ask, url: '/v1/projects' })
    await app.inject({ ...ask, method: 'POST', url: '/auth/sign-out' })
    const log = lines.join('')
    expect(lines).toHaveLength(7)
    for (const canary of [secret, value, session.id, 'ada@', 'canary', '203.0.113', 'localhost']) {
      expect(log).not.toContain(canary)
    }
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errors } from '../../src/contract/errors.js'
import { route } from '../../src/contract/route.js'
import { type Store, StoreUnavailableError } from '../../src/store/store.js'
import { openTestApp } from './server-harness.js'

const json = { 'content-type': 'application/json' }

const failing = (error: Error): Partial<Store> => {
  const fail = async () => {
    throw error
  }
  return { listProjects: fail, listProjectNames: fail, addToWaitlist: fail }
}

describe('the production app', () => {
  it('responds as the contract says, with security headers and without headers of the framework', async () => {
    const { app, signIn } = openTestApp()
    const { cookie } = await signIn()
    const response = await app.inject({ url: '/v1/auth/me', headers: { cookie } })
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(response.json()).toMatchObject({ user: { id: 'user-ada' }, teamId: 'team-acme' })
    expect(response.json()).not.toHaveProperty('devMode')
    expect(response.json()).not.toHaveProperty('role')
  })

  it('does not sign in a persona of the mock', async () => {
    const { app } = openTestApp()
    for (const value of ['acme-owner', 'active']) {
      const response = await app.inject({ url: '/v1/projects', headers: { cookie: `session=${value}` } })
      expect(response.statusCode).toBe(401)
    }
    const signIn = await app.inject({ method: 'POST', url: '/auth/sign-in', payload: 'session=acme-owner' })
    expect(signIn.statusCode).toBe(404)
    expect(signIn.headers).not.toHaveProperty('set-cookie')
  })

  it('refuses a session at the next request after it was revoked', async () => {
    const { app, store, clock, signIn } = openTestApp()
    const { cookie, session } = await signIn()
    const send = async () => (await app.inject({ url: '/v1/projects', headers: { cookie } })).statusCode
    expect(await send()).toBe(200)
    await store.revokeSession(session.id, clock.now().toISOString())
    expect(await send()).toBe(401)
  })

  it('checks the session before content type and body', async () => {
    const { app, signIn } = openTestApp()
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
      const response = await app.inject(signedIn)
      expect(response.statusCode).toBe(contentType === 'application/json' ? 422 : 415)
      expect(response.json()).toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  it('neither coerces nor drops values of a body', async () => {
    const { app, signIn } = openTestApp()
    const { cookie } = await signIn()
    const create = (payload: object) =>
      app.inject({ method: 'POST', url: '/v1/projects', payload, headers: { cookie } })
    expect((await create({ name: 5 })).statusCode).toBe(422)
    expect((await create({ name: 'New', id: 'mine' })).statusCode).toBe(422)
    expect((await create(JSON.parse('{"name":"New","__proto__":{}}'))).statusCode).toBe(422)
    expect((await create({ name: 'New' })).statusCode).toBe(201)
  })

  it('passes every project id to the store as it was encoded', async () => {
    const { app, store, signIn } = openTestApp()
    const { cookie } = await signIn()
    let receivedId: string | undefined
    store.project = async (_team, id) => {
      receivedId = id
      return undefined
    }
    const update = async (id: string) => {
      receivedId = undefined
      const response = await app.inject({
        method: 'PATCH',
        url: `/v1/projects/${encodeURIComponent(id)}`,
        payload: {},
        headers: { cookie },
      })
      return response.json().code
    }
    const readable = fc.string({ unit: 'grapheme' }).filter((id) => id.trim() !== '' && !/^\.\.?$/.test(id))
    await fc.assert(
      fc.asyncProperty(readable, async (id) => {
        expect(await update(id)).toBe('PROJECT_NOT_FOUND')
        expect(receivedId).toBe(id)
      }),
    )
    const awkward = ['a/b', 'a%2Fb', '%', '%25', 'a?b#c', 'a;b', ':projectId', '*', 'x'.repeat(8_000)]
    for (const id of awkward) {
      expect(await update(id)).toBe('PROJECT_NOT_FOUND')
      expect(receivedId).toBe(id)
    }
  })

  it('checks that a project exists, and that a new name is free, in the update itself', async () => {
    const { app, signIn, store } = openTestApp()
    store.updateProject = async () => {
      throw new StoreUnavailableError('locked')
    }
    const { cookie } = await signIn()
    const update = async (payload: object) =>
      (await app.inject({ method: 'PATCH', url: '/v1/projects/unknown', payload, headers: { cookie } }))
        .statusCode
    expect([await update({ status: 'paused' }), await update({ name: 'New' }), await update({})]).toEqual([
      503, 503, 404,
    ])
  })

  it('runs the operation for an empty and for a blank id', async () => {
    const { app, signIn } = openTestApp()
    const { cookie } = await signIn()
    for (const url of ['/v1/projects/', '/v1/projects/%20', '/v1/projects/%09%0A', '/v1/projects/?a=b']) {
      const response = await app.inject({ method: 'PATCH', url, payload: {}, headers: { cookie } })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ code: 'EMPTY_QUERY_FILTER' })
    }
  })

  it('replies { error } at the paths with the short form, whatever went wrong', async () => {
    for (const [fault, status] of [
      [new Error('a bug'), 500],
      [new StoreUnavailableError('locked'), 503],
    ] as const) {
      const { app, store, signIn } = openTestApp()
      const { cookie } = await signIn()
      Object.assign(store, failing(fault))
      const requests = [
        { method: 'GET', url: '/v1/auth/me', headers: { cookie } },
        { method: 'POST', url: '/v1/waitlist', payload: { email: 'a@b.example' } },
      ] as const
      for (const request of requests) {
        const response = await app.inject(request)
        expect(response.statusCode).toBe(status)
        expect(response.json()).toEqual({ error: expect.stringMatching(/^[A-Z]/) })
      }
      const list = await app.inject({ url: '/v1/projects', headers: { cookie } })
      expect(list.statusCode).toBe(status)
      expect(Object.keys(list.json())).toEqual(['error', 'code', 'docsUrl'])
    }
  })

  it.each(['%ZZ', '%FF', '%', '%25%zz'])('takes %s for an id that the team does not have', async (id) => {
    const { app, signIn } = openTestApp()
    const { cookie } = await signIn()
    const patch = (headers: Record<string, string>) =>
      app.inject({ method: 'PATCH', url: `/v1/projects/${id}?a=%`, payload: { name: 'Roadmap' }, headers })
    expect((await patch({})).json()).toMatchObject({ code: 'AUTH_REQUIRED' })
    const response = await patch({ cookie })
    expect([response.statusCode, response.json().code]).toEqual([404, 'PROJECT_NOT_FOUND'])
    expect((await app.inject({ url: `/v1/projects/${id}` })).headers.allow).toContain('PATCH')
  })

  it.each([
    '/',
    '/v1',
    '/v1/%ZZ',
    '/v1/projects/%FF/',
    '/%',
    '/v1/projects/a/b',
    '/V1/projects',
    '/v1/projects/a/',
    '//v1/projects',
    '/docs/errors/unknown',
    '/docs/errors/',
  ])('replies 404 with the error body at %s', async (url) => {
    const { app } = openTestApp()
    for (const method of ['GET', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'] as const) {
      const response = await app.inject({ method: method as 'GET', url, payload: 'text', headers: json })
      expect(response.statusCode).toBe(404)
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(response.json()).toEqual({
        error: errors.NOT_FOUND.message,
        code: 'NOT_FOUND',
        docsUrl: 'https://api.example.com/docs/errors/not-found',
      })
    }
  })

  it('lists the methods of a path in Allow', async () => {
    const { app } = openTestApp()
    const allow = async (method: 'DELETE' | 'PUT' | 'OPTIONS' | 'HEAD', url: string) => {
      const response = await app.inject({ method, url, payload: '{', headers: json })
      expect(response.statusCode).toBe(405)
      return response.headers.allow
    }
    expect(await allow('DELETE', '/v1/projects')).toBe('POST, GET, HEAD')
    expect(await allow('OPTIONS', '/v1/projects/x')).toBe(
      route('OPTIONS', '/v1/projects/x').allow?.join(', '),
    )
    expect(await allow('HEAD', '/v1/waitlist')).toBe('POST')
    expect(await allow('PUT', '/v1/auth/me')).toBe('GET, HEAD')
  })

  it('answers HEAD as GET, without the body', async () => {
    const { app, signIn } = openTestApp()
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

  it('replies without details of a fault, and logs it with its stack and the id of the request', async () => {
    const { app, store, lines, signIn } = openTestApp()
    const { cookie } = await signIn()
    Object.assign(store, failing(new Error('a fault inside')))
    const response = await app.inject({ url: '/v1/projects', headers: { cookie } })
    expect(response.statusCode).toBe(500)
    expect(response.json()).toMatchObject({ code: 'INTERNAL_ERROR', error: errors.INTERNAL_ERROR.message })
    expect(response.payload).not.toContain('inside')
    const [fault, request] = lines.map((line) => JSON.parse(line))
    expect(fault).toMatchObject({ operation: 'listProjects', err: { message: 'a fault inside' } })
    expect(fault.err.stack).toContain('app.test.ts')
    expect(request).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' })
    expect(fault.requestId).toBe(request.requestId)
  })

  it('replies 503 with Retry-After while the store is unavailable', async () => {
    const { app, store, signIn } = openTestApp()
    const { cookie } = await signIn()
    Object.assign(store, failing(new StoreUnavailableError('locked')))
    const response = await app.inject({ url: '/v1/projects', headers: { cookie } })
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('1')
    expect(response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  it.each(['javascript', 'wss', 'https://x'])(
    'links to a page that opens, where a proxy says %s',
    async (scheme) => {
      const { app } = openTestApp({ publicUrl: undefined, trustProxy: ['loopback'] })
      const headers = { 'x-forwarded-proto': scheme }
      const { docsUrl } = (await app.inject({ url: '/v1/projects', headers })).json()
      expect(docsUrl).toMatch(/^https?:\/\/localhost\/docs\/errors\/auth-required$/)
    },
  )

  it('links to the pages about errors below the configured URL', async () => {
    const { app } = openTestApp({ docsUrl: 'https://docs.example.com/api' })
    expect((await app.inject('/v1/projects')).json().docsUrl).toBe(
      'https://docs.example.com/api/docs/errors/auth-required',
    )
  })
})

describe('the pages of production', () => {
  it('has one for each code, at its docsUrl', async () => {
    const { app } = openTestApp()
    for (const code of Object.keys(errors)) {
      const response = await app.inject(`/docs/errors/${code.toLowerCase().replaceAll('_', '-')}`)
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(response.headers['content-security-policy']).toContain("default-src 'none'")
      expect(response.headers['x-content-type-options']).toBe('nosniff')
      expect(response.payload).toContain(`<h1><code>${code}</code></h1>`)
    }
  })

  it('has a page about issued sessions if there is no identity provider', async () => {
    const { app } = openTestApp()
    const response = await app.inject('/auth/sign-in?returnTo=/app')
    expect(response.statusCode).toBe(501)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.headers['content-security-policy']).toContain("default-src 'none'")
    expect(response.payload).toContain('No identity provider is configured')
    expect(response.payload).toContain('dashboard-api session issue')
  })
})

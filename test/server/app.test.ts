import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errors } from '../../src/contract/errors.js'
import { type Store, StoreUnavailableError } from '../../src/store/store.js'
import { openTestApp } from './server-harness.js'

const failing = (error: Error): Partial<Store> => {
  const fail = async () => {
    throw error
  }
  return { listProjects: fail, listProjectNames: fail, addToWaitlist: fail }
}

describe('the production app', () => {
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

  it('checks in the update itself that a project exists, and that a new name is free', async () => {
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

  it.each([
    [new Error('a bug'), 500, 'INTERNAL_ERROR', undefined],
    [new StoreUnavailableError('locked'), 503, 'SERVICE_UNAVAILABLE', '1'],
  ])('replies to %s with %i, in the form of the path', async (fault, status, code, retryAfter) => {
    const { app, store, signIn } = openTestApp()
    const { cookie } = await signIn()
    Object.assign(store, failing(fault))
    const headers = { cookie }
    for (const request of [
      { url: '/v1/auth/me', headers },
      { method: 'POST', url: '/v1/waitlist', payload: { email: 'a@b.example' } },
    ] as const) {
      const response = await app.inject(request)
      expect(response.statusCode).toBe(status)
      expect(response.json()).toEqual({ error: expect.stringMatching(/^[A-Z]/) })
    }
    const list = await app.inject({ url: '/v1/projects', headers })
    expect([list.statusCode, list.headers['retry-after']]).toEqual([status, retryAfter])
    expect(list.json()).toEqual({ error: expect.any(String), code, docsUrl: expect.any(String) })
  })

  it('replies without details of a fault, and logs it with its stack trace and the id of the request', async () => {
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

  it.each(['javascript', 'wss', 'https://x'])(
    'links to a valid URL if a proxy forwards the scheme %s',
    async (scheme) => {
      const { app } = openTestApp({ publicUrl: undefined, trustProxy: ['loopback'] })
      const headers = { 'x-forwarded-proto': scheme }
      const { docsUrl } = (await app.inject({ url: '/v1/projects', headers })).json()
      expect(docsUrl).toMatch(/^https?:\/\/localhost\/docs\/errors\/auth-required$/)
    },
  )

  it('links to the error pages below the configured URL', async () => {
    const { app } = openTestApp({ docsUrl: 'https://docs.example.com/api' })
    expect((await app.inject('/v1/projects')).json().docsUrl).toBe(
      'https://docs.example.com/api/docs/errors/auth-required',
    )
  })
})

describe('the pages of production', () => {
  it('include a page about issued sessions if there is no identity provider', async () => {
    const { app } = openTestApp()
    const response = await app.inject('/auth/sign-in?returnTo=/app')
    expect(response.statusCode).toBe(501)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.headers['content-security-policy']).toContain("default-src 'none'")
    expect(response.payload).toContain('No identity provider is configured')
    expect(response.payload).toContain('dashboard-api session issue')
  })

  it('has no page about an unknown error code', async () => {
    const response = await openTestApp().app.inject('/docs/errors/unknown')
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'NOT_FOUND' })
  })
})

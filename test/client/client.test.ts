import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ApiError, type ClientOptions, createClient, UnexpectedReplyError } from '../../src/client/client.js'
import { errors } from '../../src/contract/errors.js'
import { operations } from '../../src/contract/operations.js'
import type { Outcome } from '../../src/mock/core/outcomes.js'
import { outcomesOf } from '../../src/mock/core/outcomes.js'
import type { Scenario } from '../../src/mock/core/scenarios.js'
import { createMockServer } from '../../src/mock/node.js'

const baseUrl = 'http://api.test'
const mock = createMockServer({ baseUrl, session: 'acme-owner' })
beforeAll(() => mock.listen())
afterEach(() => mock.reset())
afterAll(() => mock.close())

const client = createClient({ baseUrl })
const throwing = createClient({ baseUrl, throwing: true })

/** A fetch that answers every call alike. */
const answering =
  (body: unknown, init: ResponseInit): NonNullable<ClientOptions['fetch']> =>
  async () =>
    Response.json(body, init)

const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error) => error,
  )

describe('a call', () => {
  it('sends the headers that it is given, beside its own', async () => {
    const headers = { prefer: 'code=PROJECT_NAME_TAKEN' }
    expect(await client.projects.create({ name: 'Roadmap' }, { headers })).toMatchObject({ status: 409 })
    expect(await client.projects.create({ name: 'Roadmap' })).toMatchObject({ status: 201 })
    const signOut = await thrownBy(client.session.signOut('/', { headers: { 'x-unused': 'a' } }))
    expect(signOut).toBeUndefined()
  })

  it.each(Object.keys(operations) as (keyof typeof operations)[])(
    'to %s is cancelled by its signal',
    async (target) => {
      await mock.scenarios.set({ target, outcome: 'hang' })
      const controller = new AbortController()
      const { signal } = controller
      const calls = {
        createProject: () => client.projects.create({ name: 'Roadmap' }, { signal }),
        listProjects: () => client.projects.list({ signal }),
        updateProject: () => client.projects.update('project-1', {}, { signal }),
        getSession: () => client.session.get({ signal }),
        joinWaitlist: () => client.waitlist.join('a@b.example', { signal }),
      }
      const failed = thrownBy(calls[target]())
      controller.abort()
      expect(await failed).toMatchObject({ name: 'AbortError' })
    },
  )
})

describe('the result of an error', () => {
  const codesOf = (name: keyof typeof operations) =>
    outcomesOf(name).filter((outcome: Outcome) => outcome in errors)

  it.each(codesOf('createProject'))('%s has its code', async (outcome) => {
    await mock.scenarios.set({ target: 'createProject', outcome } as Scenario)
    const result = await client.projects.create({ name: 'Roadmap' })
    expect(result).toMatchObject({ ok: false, code: outcome, body: { code: outcome } })
  })

  it.each(['getSession', 'joinWaitlist'] as const)(
    'of %s has a code where the body has none',
    async (target) => {
      for (const outcome of codesOf(target)) {
        await mock.scenarios.set({ target, outcome } as Scenario)
        const call = target === 'getSession' ? client.session.get() : client.waitlist.join('a@b.example')
        expect(await call).toMatchObject({ ok: false, code: outcome })
      }
    },
  )

  it.each([
    [400, 'VALIDATION_FAILED'],
    [401, 'AUTH_REQUIRED'],
    [403, 'CROSS_SITE_REFUSED'],
    [404, 'NOT_FOUND'],
    [405, 'METHOD_NOT_ALLOWED'],
    [413, 'VALIDATION_FAILED'],
    [422, 'VALIDATION_FAILED'],
    [429, 'RATE_LIMITED'],
    [500, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('with status %d and a body of one field has the code %s', async (status, code) => {
    const short = createClient({ fetch: answering({ error: 'email_required' }, { status }) })
    expect(await short.waitlist.join('')).toMatchObject({ status, code, body: { error: 'email_required' } })
  })

  it('has the messages of the fields that are not valid', async () => {
    const invalid = await client.projects.create({ name: '' })
    expect(invalid.status === 422 && invalid.body.details?.fieldErrors).toEqual({
      name: ['Must not be empty'],
    })
  })

  const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString()

  it.each([
    ['120', 120],
    ['0', 0],
    [later(-60), 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('with Retry-After %s has retryAfter %s', async (header, seconds) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header }
    const limited = createClient({ fetch: answering({ error: 'Too many' }, { status: 429, headers }) })
    const result = await limited.session.get()
    expect('retryAfter' in result ? result.retryAfter : undefined).toBe(seconds)
  })

  it('counts the seconds to the date of a Retry-After header', async () => {
    const init = { status: 503, headers: { 'retry-after': later(90) } }
    const result = await createClient({ fetch: answering({ error: 'Down' }, init) }).session.get()
    expect(result).toMatchObject({ retryAfter: expect.toSatisfy((value) => value > 80 && value <= 91) })
  })

  it('has the Retry-After of the service', async () => {
    await mock.scenarios.set({ target: 'listProjects', outcome: 'RATE_LIMITED' })
    expect(await client.projects.list()).toMatchObject({ status: 429, retryAfter: 1 })
  })
})

describe('a client that throws', () => {
  it('resolves with the body of a success', async () => {
    expect((await throwing.projects.list()).projects).toHaveLength(4)
    const { project } = await throwing.projects.create({ name: 'Roadmap' })
    expect((await throwing.projects.update(project.id, { status: 'paused' })).project.status).toBe('paused')
    expect((await throwing.session.get()).teamId).toBe('team-acme')
    expect(await throwing.waitlist.join('a@b.example')).toEqual({ status: 'ok' })
  })

  it('throws an error with status, code, address of the page, and details', async () => {
    const error = await thrownBy(throwing.projects.create({ name: '' }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      name: 'ApiError',
      message: errors.VALIDATION_FAILED.message,
      endpoint: 'POST /v1/projects',
      status: 422,
      code: 'VALIDATION_FAILED',
      docsUrl: `${baseUrl}/docs/errors/validation-failed`,
      details: { formErrors: [], fieldErrors: { name: ['Must not be empty'] } },
    })
  })

  it('throws an error with code and Retry-After for a body of one field', async () => {
    const init = { status: 503, headers: { 'retry-after': '7' } }
    const limited = createClient({ throwing: true, fetch: answering({ error: 'Not now' }, init) })
    const error = await thrownBy(limited.session.get())
    expect(error).toMatchObject({ message: 'Not now', code: 'SERVICE_UNAVAILABLE', retryAfter: 7 })
    expect(error).toMatchObject({ docsUrl: undefined, details: undefined })
  })
})

describe('a response that the service does not send', () => {
  const page = (init: ResponseInit) => async () => new Response('<h1>Bad gateway</h1>', init)

  it.each([true, false])(
    'is an UnexpectedReplyError with its Retry-After (throwing: %s)',
    async (throwing) => {
      const init = { status: 502, headers: { 'retry-after': '3' } }
      const error = await thrownBy(createClient({ fetch: page(init), throwing }).projects.list())
      expect(error).toBeInstanceOf(UnexpectedReplyError)
      expect(error).toMatchObject({ status: 502, retryAfter: 3 })
      expect((error as Error).message).toContain('GET /v1/projects answered 502 without JSON')
    },
  )

  it('is one too if its JSON is not an error of the interface', async () => {
    const other = createClient({ fetch: answering({ message: 'no route' }, { status: 404 }) })
    await expect(other.projects.list()).rejects.toThrow('answered 404 without an error of the interface')
    const none = createClient({ fetch: answering(null, { status: 500 }) })
    await expect(none.projects.list()).rejects.toBeInstanceOf(UnexpectedReplyError)
  })
})

describe('signing out', () => {
  it('rejects if the service refuses, because the session goes on', async () => {
    const body = { error: 'A page of another site may not do this.', code: 'CROSS_SITE_REFUSED' }
    for (const throwing of [true, false]) {
      const refused = createClient({ throwing, fetch: answering(body, { status: 403 }) })
      expect(await thrownBy(refused.session.signOut())).toMatchObject({
        name: 'ApiError',
        endpoint: 'POST /auth/sign-out',
        status: 403,
        code: 'CROSS_SITE_REFUSED',
      })
    }
  })

  it('resolves with where to continue', async () => {
    const headers = { 'x-sign-out-url': 'https://id.example/logout' }
    const fetch = async () => new Response(null, { status: 204, headers })
    expect(await createClient({ fetch }).session.signOut()).toEqual({ continueAt: headers['x-sign-out-url'] })
  })
})

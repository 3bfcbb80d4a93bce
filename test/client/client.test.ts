import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  ApiError,
  type CallOptions,
  type ClientOptions,
  createClient,
  type ThrowingClient,
  UnexpectedReplyError,
} from '../../src/client/client.js'
import { errors } from '../../src/contract/errors.js'
import { operations } from '../../src/contract/operations.js'
import type { Outcome } from '../../src/mock/engine/outcomes.js'
import { outcomesOf } from '../../src/mock/engine/outcomes.js'
import type { ScenarioSetting } from '../../src/mock/engine/scenarios.js'
import { createMockServer } from '../../src/mock/node.js'

const baseUrl = 'http://api.test'
const mock = createMockServer({ baseUrl, session: 'acme-owner' })
beforeAll(() => mock.listen())
afterEach(() => mock.reset())
afterAll(() => mock.close())

const client = createClient({ baseUrl })
const throwing = createClient({ baseUrl, throwing: true })

/** A fetch with the same response for every call. */
const answering =
  (body: unknown, init: ResponseInit): NonNullable<ClientOptions['fetch']> =>
  async () =>
    Response.json(body, init)

const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error) => error,
  )

/** A call of each method. */
const calls = {
  createProject: (client: ThrowingClient, call?: CallOptions) => client.projects.create({ name: 'x' }, call),
  listProjects: (client: ThrowingClient, call?: CallOptions) => client.projects.list(call),
  updateProject: (client: ThrowingClient, call?: CallOptions) => client.projects.update('x', {}, call),
  getSession: (client: ThrowingClient, call?: CallOptions) => client.session.get(call),
  joinWaitlist: (client: ThrowingClient, call?: CallOptions) => client.waitlist.join('a@b.example', call),
}

describe('a call', () => {
  it('sends the given headers, beside its own', async () => {
    const headers = { prefer: 'code=PROJECT_NAME_TAKEN' }
    expect(await client.projects.create({ name: 'Roadmap' }, { headers })).toMatchObject({ status: 409 })
    expect(await client.projects.create({ name: 'Roadmap' })).toMatchObject({ status: 201 })
    const signOut = await thrownBy(client.session.signOut('/', { headers: { 'x-unused': 'a' } }))
    expect(signOut).toBeUndefined()
  })

  it.each(Object.keys(calls) as (keyof typeof calls)[])(
    'to %s is cancelled by its signal',
    async (target) => {
      await mock.scenarios.set({ target, outcome: 'hang', times: null })
      const controller = new AbortController()
      const failed = thrownBy(calls[target](throwing, { signal: controller.signal }))
      controller.abort()
      expect(await failed).toMatchObject({ name: 'AbortError' })
    },
  )
})

describe('the result of an error', () => {
  const codesOf = (name: keyof typeof operations) =>
    outcomesOf(name).filter((outcome: Outcome) => outcome in errors)

  it.each(['createProject', 'getSession', 'joinWaitlist'] as const)(
    'of %s has its code, even if the body has none',
    async (target) => {
      for (const outcome of codesOf(target)) {
        await mock.scenarios.set({ target, outcome, times: null } as ScenarioSetting)
        const result = calls[target](client as unknown as ThrowingClient)
        expect(await result).toMatchObject({ ok: false, code: outcome })
      }
    },
  )

  it.each([
    [400, 'VALIDATION_FAILED'],
    [401, 'AUTH_REQUIRED'],
    [403, 'CROSS_SITE_REFUSED'],
    [431, 'VALIDATION_FAILED'],
    [429, 'RATE_LIMITED'],
    [500, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('with status %d and a body of one field has the code %s', async (status, code) => {
    const short = createClient({ fetch: answering({ error: 'email_required' }, { status }) })
    expect(await short.waitlist.join('')).toMatchObject({ status, code, body: { error: 'email_required' } })
  })

  const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString()

  it.each([
    ['120', 120],
    ['0', 0],
    [later(-60), 0],
    [later(90), expect.toSatisfy((value) => value > 80 && value <= 91)],
    ['soon', undefined],
    [undefined, undefined],
  ])('with Retry-After %s has retryAfter %s', async (header, seconds) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header }
    const limited = createClient({ fetch: answering({ error: 'Too many' }, { status: 429, headers }) })
    const result = await limited.session.get()
    expect('retryAfter' in result ? result.retryAfter : undefined).toEqual(seconds)
    const throwing = createClient({
      throwing: true,
      fetch: answering({ error: 'Not now' }, { status: 429, headers }),
    })
    expect(await thrownBy(throwing.session.get())).toMatchObject({
      message: 'Not now',
      code: 'RATE_LIMITED',
      retryAfter: seconds,
      docsUrl: undefined,
      details: undefined,
    })
  })
})

describe('a client that throws', () => {
  it('throws an error with the status, the code, the address of the page, and the details', async () => {
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
})

describe('a response that is not of the service', () => {
  const withRetryAfter = { 'retry-after': '3' }
  const json = { 'content-type': 'application/json', ...withRetryAfter }
  /** A body that ends with an error, as if the connection was lost. */
  const cut = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"error":')),
      pull: (controller) => controller.error(new TypeError('terminated')),
    })

  const [noJson, unreadable] = ['without JSON', 'with a body that is empty, cut or not JSON']
  it.each([
    [
      'a page',
      502,
      noJson,
      () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: withRetryAfter }),
    ],
    ['no body', 503, noJson, () => new Response(null, { status: 503, headers: withRetryAfter })],
    ['half a body', 503, unreadable, () => new Response('{"error":"Not', { status: 503, headers: json })],
    ['a body that is cut', 503, unreadable, () => new Response(cut(), { status: 503, headers: json })],
    ['a success that is cut', 200, unreadable, () => new Response(cut(), { headers: json })],
    [
      'other JSON',
      404,
      'without an error of the interface',
      () => Response.json({ message: 'no route' }, { status: 404, headers: json }),
    ],
    [
      'an error without a code',
      503,
      'without an error of the interface',
      () => Response.json({ error: 'x' }, { status: 503, headers: json }),
    ],
  ])('is an UnexpectedReplyError with status and Retry-After: %s', async (_, status, what, respond) => {
    for (const throwing of [true, false]) {
      const error = await thrownBy(createClient({ fetch: async () => respond(), throwing }).projects.list())
      expect(error).toBeInstanceOf(UnexpectedReplyError)
      expect(error).toMatchObject({ status, retryAfter: 3 })
      // Nothing was looked at that shows where the response comes from.
      expect((error as Error).message).toBe(
        `GET /v1/projects answered ${status} ${what}: look at the response, and at baseUrl.`,
      )
    }
  })

  it.each([
    [404, 'NOT_FOUND'],
    [405, 'METHOD_NOT_ALLOWED'],
    [403, 'CROSS_SITE_REFUSED'],
  ])('is one if no operation could send it: %d %s', async (status, code) => {
    const body = { error: 'No', code, docsUrl: 'https://api.example/docs' }
    const { projects, session } = createClient({ fetch: answering(body, { status }) })
    await expect(projects.list()).rejects.toThrow(`answered ${status} with the error ${code}`)
    await expect(session.get()).rejects.toBeInstanceOf(UnexpectedReplyError)
  })

  it('is one if its details are not those of the interface', async () => {
    const body = { error: 'No', code: 'VALIDATION_FAILED', docsUrl: 'https://api.example/docs' }
    const create = (more: object) =>
      createClient({ fetch: answering({ ...body, ...more }, { status: 422 }) }).projects.create({ name: '' })
    expect(await create({ details: null })).toMatchObject({ status: 422 })
    expect(await create({ details: { formErrors: ['x'], fieldErrors: { name: ['y'] } } })).toMatchObject({
      status: 422,
    })
    for (const details of [undefined, 'x', {}, { formErrors: [], fieldErrors: { name: 'y' } }]) {
      await expect(create({ details })).rejects.toBeInstanceOf(UnexpectedReplyError)
    }
  })

  const { success } = operations.createProject
  const { project } = success.example
  const bundle = operations.getSession.success.example
  const callWith = (name: keyof typeof calls, body: unknown, status: number) =>
    calls[name](createClient({ throwing: true, fetch: answering(body, { status }) }))

  it.each(Object.keys(calls) as (keyof typeof calls)[])('is one as a success of %s', async (name) => {
    const { status, example } = operations[name].success
    expect(await callWith(name, example, status)).toEqual(example)
    expect(await callWith(name, { ...example, later: 1 }, status)).toMatchObject(example)
    for (const wrong of [null, {}, [], 'ok', { projects: {} }, { project: null }]) {
      await expect(callWith(name, wrong, status), JSON.stringify(wrong)).rejects.toThrow('a success that')
    }
    for (const other of [200, 201, 202].filter((other) => other !== status)) {
      await expect(callWith(name, example, other)).rejects.toMatchObject({ status: other })
    }
  })

  it.each([
    ['createProject', { project: { ...project, name: undefined } }],
    ['listProjects', { projects: [project, { ...project, teamId: 5 }] }],
    ['updateProject', { project: { ...project, status: null } }],
    ['getSession', { ...bundle, user: { ...bundle.user, email: null } }],
    ['getSession', { ...bundle, permissions: [1] }],
    ['getSession', { ...bundle, projects: [{ id: 'x' }] }],
    ['getSession', { ...bundle, devMode: false }],
    ['joinWaitlist', { status: 'pending' }],
  ] as const)('is one if a field has another type: %s %j', async (name, body) => {
    const { status } = operations[name].success
    await expect(callWith(name, body, status)).rejects.toBeInstanceOf(UnexpectedReplyError)
  })

  it.each([
    ['application/json', true],
    ['application/json ; Charset=UTF-8', true],
    ['application/jsonp', false],
    ['application/problem+json', false],
    ['text/plain; application/json', false],
    ['', false],
  ])('is one if its content type is not JSON: %j', async (type, isJson) => {
    const fetch = async () => new Response('{"status":"ok"}', { headers: { 'content-type': type } })
    const joined = createClient({ fetch }).waitlist.join('a@b.example')
    if (isJson) expect(await joined).toMatchObject({ ok: true })
    else await expect(joined).rejects.toThrow('answered 200 without JSON')
  })

  it('is not one if the call was cancelled while the body arrived', async () => {
    const controller = new AbortController()
    const abort = () => {
      controller.abort()
      return new Response(cut(), { headers: json })
    }
    const { projects } = createClient({ fetch: async () => abort() })
    expect(await thrownBy(projects.list({ signal: controller.signal }))).toMatchObject({
      message: 'terminated',
    })
  })
})

describe('an id', () => {
  const sent: string[] = []
  const { projects } = createClient({
    baseUrl,
    async fetch(url) {
      sent.push(new URL(url).pathname)
      return Response.json(operations.updateProject.success.example)
    },
  })

  it.each(['a/b', '../x', '%2e%2e', '?', '#', '...', ' ', ''])('stays in its path: %j', async (id) => {
    await projects.update(id, {})
    expect(sent.pop()).toBe(`/v1/projects/${encodeURIComponent(id)}`)
  })

  it.each(['.', '..'])('that a URL cannot contain is refused: %j', async (id) => {
    await expect(projects.update(id, {})).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })
})

describe('signing out', () => {
  it('rejects if the service refuses, because the session continues', async () => {
    const error = 'A page of another site may not do this.'
    const body = { error, code: 'CROSS_SITE_REFUSED', docsUrl: 'https://api.example/docs' }
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

  it('rejects if another program answered', async () => {
    const page = async () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } })
    await expect(createClient({ fetch: page }).session.signOut()).rejects.toBeInstanceOf(UnexpectedReplyError)
  })

  it('resolves with the address at which to continue', async () => {
    const headers = { 'x-sign-out-url': 'https://id.example/logout' }
    const fetch = async () => new Response(null, { status: 204, headers })
    expect(await createClient({ fetch }).session.signOut()).toEqual({ continueAt: headers['x-sign-out-url'] })
  })
})

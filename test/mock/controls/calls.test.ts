import { HttpResponse, http, type RequestHandler } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { createMockServer } from '../../../src/mock/node.js'
import { ControlError } from '../../../src/mock/state/control-error.js'

const baseUrl = 'http://api.test'

/** A mock that answers in this process, and requests to it. */
function start(options: { logBodies?: boolean; handlers?: RequestHandler[] } = {}) {
  const mock = createMockServer({ baseUrl, session: 'acme-owner', ...options })
  mock.listen()
  const create = (name: string, init: RequestInit = {}) =>
    fetch(`${baseUrl}/v1/projects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, description: 'more' }),
      ...init,
    })
  return { mock, create, list: () => fetch(`${baseUrl}/v1/projects`), [Symbol.dispose]: () => mock.close() }
}

describe('the calls to a target', () => {
  it('have parsed bodies, the status and the persona, oldest first', async () => {
    using api = start()
    const { mock, create } = api
    await create('Apollo')
    await create('Apollo')
    const calls = await mock.calls('POST /v1/projects')
    expect(calls).toMatchObject([
      { id: 1, target: 'createProject', session: 'acme-owner', status: 201, body: { name: 'Apollo' } },
      { id: 2, status: 409, code: 'PROJECT_NAME_TAKEN', response: { code: 'PROJECT_NAME_TAKEN' } },
    ])
    expect(await mock.calls('createProject', { status: '4xx' })).toMatchObject([{ id: 2 }])
    expect(await mock.calls('createProject', { since: 1 })).toMatchObject([{ id: 2 }])
    expect(await mock.calls('createProject', { session: 'signed out' })).toEqual([])
    expect(await mock.calls('createProject', { body: '{"name":"Apollo"}' })).toHaveLength(2)
    await expect(mock.calls('createProjct')).rejects.toThrow('Did you mean createProject?')
  })

  it('are without aborted requests, which the message of an expectation names', async () => {
    using api = start()
    const { mock, create } = api
    await mock.delay.set(60_000)
    const controller = new AbortController()
    const aborted = create('Apollo', { signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toThrow()
    await expect.poll(() => mock.log.read()).toMatchObject([{ aborted: true }])
    expect(await mock.calls('createProject')).toEqual([])
    await expect(mock.expectCalls('createProject', { times: 1, timeout: 0 })).rejects.toThrow(
      'Expected 1 call to createProject. There were none. Aborted requests do not count: request 1.',
    )
  })
})

describe('waitForRequest', () => {
  it('returns a call that was logged before, or the next one', async () => {
    using api = start()
    const { mock, create, list } = api
    const waiting = mock.waitForRequest('createProject', { body: { name: 'Apollo' } })
    await create('Gemini')
    await create('Apollo')
    expect(await waiting).toMatchObject({ id: 2, body: { name: 'Apollo', description: 'more' } })
    expect(await mock.waitForRequest('createProject')).toMatchObject({ id: 1 })
    const next = mock.waitForRequest('createProject', { since: 2 })
    await list()
    await create('Mercury')
    expect(await next).toMatchObject({ id: 4 })
  })

  it('waits for a path without a handler', async () => {
    using api = start()
    const waiting = api.mock.waitForRequest('GET /v1/lost')
    await fetch(`${baseUrl}/v1/lost`)
    expect(await waiting).toMatchObject({ target: 'GET /v1/lost', status: 404 })
  })

  it('takes the path of one request, which a pattern answers', async () => {
    using api = start({
      handlers: [http.get('*/v1/things/:id', ({ params }) => HttpResponse.json(params))],
    })
    const { mock } = api
    const status = async (id: number) => (await fetch(`${baseUrl}/v1/things/${id}?all`)).status
    expect([await status(6), await status(5)]).toEqual([200, 200])
    const ids = async (target: string) => (await mock.calls(target)).map(({ id }) => id)
    expect(await ids('GET /v1/things/:id')).toEqual([1, 2])
    expect(await ids('GET /v1/things/5')).toEqual([2])
    expect(await mock.log.read({ target: 'GET /v1/things/6' })).toMatchObject([{ id: 1 }])
    await expect(mock.expectCalls('GET /v1/things/7', { timeout: 0 })).rejects.toThrow('There were none.')
    await expect(mock.delay.set(5, 'GET /v1/things/6')).rejects.toThrow('GET /v1/things/:id matches it.')
    await expect(mock.delay.set(5, 'PATCH /v1/projects/5')).rejects.toThrow('updateProject matches it.')
    await expect(mock.scenarios.set({ target: 'GET /v1/things/5', outcome: 503 })).rejects.toThrow(
      'GET /v1/things/:id matches it.',
    )
  })

  it('refuses a text as the body that begins like JSON', async () => {
    using api = start()
    const { mock } = api
    await expect(mock.expectCalls('createProject', { body: '{bad' })).rejects.toThrow(
      'The body {bad begins like JSON, and is none. As a text, give it as JSON: "{bad".',
    )
    await fetch(`${baseUrl}/v1/projects`, { method: 'POST', body: '{bad' })
    expect(await mock.calls('createProject', { body: '"{bad"' })).toHaveLength(1)
  })

  it('says after the timeout what was called instead', async () => {
    using api = start()
    const wait = () => api.mock.waitForRequest('createProject', { timeout: 1 })
    await expect(wait()).rejects.toThrow(
      'Expected a call to createProject. There were none. The log is empty.',
    )
    await api.list()
    await expect(api.mock.expectCalls('createProject', { since: 1, timeout: 0 })).rejects.toThrow(
      'Expected a call to createProject after request 1. There were none. There was no request after request 1.',
    )
    await expect(
      api.mock.expectCalls('createProject', { session: 'signed out', timeout: 0 }),
    ).rejects.toThrow('Expected a call to createProject signed out.')
    await expect(wait()).rejects.toThrow('The log has requests to listProjects (1).')
  })
})

describe('expectCalls', () => {
  it('waits until there are as many calls, and returns them', async () => {
    using api = start()
    const { mock, create } = api
    const expecting = mock.expectCalls('createProject', { times: 2 })
    await create('Apollo')
    await create('Gemini')
    expect(await expecting).toMatchObject([{ body: { name: 'Apollo' } }, { body: { name: 'Gemini' } }])
    expect(await mock.expectCalls('listProjects', { times: 0 })).toEqual([])
  })

  it('says which calls came instead, the nearest first, and how their bodies differ', async () => {
    using api = start()
    const { mock, create } = api
    await create('')
    await create('Apolo')
    const body = { name: 'Apollo', description: 'more' }
    await expect(
      mock.expectCalls('createProject', { times: 1, timeout: 0, body, status: 201 }),
    ).rejects.toThrow(
      'Expected 1 call to createProject with status 201 and the body {"name":"Apollo","description":"more"}. There were none. ' +
        'Other calls to it: request 2 (acme-owner, 201): name is "Apolo", not "Apollo"; ' +
        'request 1 (acme-owner, 422): name is "", not "Apollo".',
    )
    await expect(mock.expectCalls('createProject', { times: 1, timeout: 0 })).rejects.toThrow(
      'Expected 1 call to createProject. There were 2: request 1 (acme-owner, 422); request 2 (acme-owner, 201).',
    )
  })
})

describe('a wait', () => {
  it('ends when it is aborted, and when the mock is closed', async () => {
    using api = start()
    const { mock } = api
    const client = new AbortController()
    const run = () =>
      mock.run('waitForRequest', { target: 'listProjects', timeout: 60_000 }, { signal: client.signal })
    const waiting = run()
    client.abort()
    await expect(waiting).rejects.toThrow('The wait has ended, as it was aborted.')
    await expect(run()).rejects.toThrow('it was aborted')
    const expecting = mock.expectCalls('listProjects', { timeout: 60_000 })
    // It looks at the log first.
    await mock.calls('listProjects')
    mock.close()
    await expect(expecting).rejects.toThrow('The wait has ended, as the mock was closed.')
    mock.listen()
    await api.list()
    expect(await mock.expectCalls('listProjects', { timeout: 60_000 })).toHaveLength(1)
  })

  it('looks at the log again only after a request to its target', async () => {
    using api = start()
    const { mock, create, list } = api
    await list()
    const parse = vi.spyOn(JSON, 'parse')
    const body = { name: 'Apollo' }
    const waiting = mock.waitForRequest('createProject', { body })
    await create('Gemini')
    const after = parse.mock.calls.length
    await list()
    await list()
    expect(parse.mock.calls.length).toBe(after)
    parse.mockRestore()
    await create('Apollo')
    expect(await waiting).toMatchObject({ body })
  })
})

describe('an invalid filter', () => {
  it.each([
    [{ status: 'nonsense' }, 'Expected a status: one such as 409, 4xx for all from 400 to 499'],
    [{ since: -1 }, 'Expected a whole number from 0. Invalid: since.'],
    [{ times: '1' }, 'Expected a whole number from 0. Invalid: times.'],
    [{ timeout: 99_999_999_999 }, 'Expected a whole number from 0 to 300000. Invalid: timeout.'],
    [{ timeout: -1 }, 'Expected a whole number from 0 to 300000.'],
    [{ session: 1 }, 'Expected a text. Invalid: session.'],
    [{ bodies: {} }, 'Unknown: bodies. Possible: status, session, since, body, times, timeout.'],
    [5, 'Expected an object with any of status, session'],
  ])('%j is refused', async (filter, message) => {
    using api = start()
    const refused = expect(api.mock.expectCalls('createProject', filter as object)).rejects
    await refused.toThrow(message)
    await refused.toBeInstanceOf(ControlError)
  })

  it('is refused by calls, waitForRequest and the log, too', async () => {
    using api = start()
    const { mock } = api
    const filter = { status: 'nonsense' }
    await expect(mock.calls('createProject', filter)).rejects.toThrow('Expected a status')
    await expect(mock.waitForRequest('createProject', filter)).rejects.toThrow('Expected a status')
    await expect(mock.log.read(filter)).rejects.toThrow('Expected a status')
    await expect(mock.log.read('5' as never)).rejects.toThrow('Expected an object with any of target, status')
    await expect(mock.log.read({ limit: 0 })).rejects.toThrow(
      'Expected a whole number from 1. Invalid: limit.',
    )
  })
})

it('says that a body was not logged, and finds no inherited fields', async () => {
  using api = start({ logBodies: false })
  await api.create('Apollo')
  await expect(
    api.mock.expectCalls('createProject', { body: { name: 'Apollo' }, timeout: 0 }),
  ).rejects.toThrow('request 1 (acme-owner, 201): its body was not logged.')
  using other = start()
  await other.create('Apollo')
  await expect(
    other.mock.expectCalls('createProject', { body: { constructor: 1 }, timeout: 0 }),
  ).rejects.toThrow('constructor is missing.')
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { graphql, HttpResponse, http, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock, type HandlerOptions } from '../../../src/mock/create-mock.js'
import type { HandlerTarget } from '../../../src/mock/engine/target-name.js'
import { openHandlersFile } from '../../../src/mock/handlers/handlers-file.js'
import { emptyFolder } from '../../cli/cli-process.js'
import { withModules } from '../with-modules.js'

const baseUrl = 'http://front.test'

let close = () => {}
afterEach(() => close())

function start(options: HandlerOptions = {}, onUnhandledRequest: 'error' | 'bypass' = 'error') {
  const mock = createMock({ baseUrl, session: 'acme-owner', ...options })
  const warned: string[] = []
  const server = setupServer(...mock.handlers)
  server.events.on('request:unhandled', ({ request }) => void warned.push(request.url))
  server.listen({ onUnhandledRequest })
  close = () => server.close()
  const send = (path: string, init?: RequestInit) => fetch(new URL(path, baseUrl), init)
  return { mock, send, warned }
}

const order7 = 'GET /api/orders/:id'

describe('requests without a handler', () => {
  it('get another log entry when they are sent again', async () => {
    const { mock, send } = start()
    await expect(send('/api/orders/7')).rejects.toThrow()
    expect(await mock.log.send(1)).toMatchObject({ id: 2, target: order7, status: 0 })
    expect(await mock.log.read()).toHaveLength(2)
  })

  it('are in the log, grouped by path, and MSW still reports them', async () => {
    const { mock, send, warned } = start()
    for (const path of [
      '/api/orders/7?a=1',
      '/api/orders/8',
      '/api/orders/8/lines/0198c0de-5a1e-7c3b-9d24-6f0e8b7a1c52',
    ]) {
      await expect(send(path)).rejects.toThrow()
    }
    await expect(send('/api/orders', { method: 'POST', body: '{"total":3}' })).rejects.toThrow()
    expect(warned).toHaveLength(4)
    const unanswered = (await mock.targets.list()).filter(({ kind }) => kind === 'unanswered')
    expect(unanswered.map(({ target, hits }) => [target, hits])).toEqual([
      [order7, 2],
      ['GET /api/orders/:id/lines/:id2', 1],
      ['POST /api/orders', 1],
    ])
    const entries = await mock.log.read()
    expect(entries[0]).toMatchObject({
      path: '/api/orders/7?a=1',
      status: 0,
      why: 'no handler',
      session: 'acme-owner',
    })
    expect((await mock.log.entry(entries[3]?.id ?? 0)).request.body?.text).toBe('{"total":3}')
  })

  it('do not include the resources of a page', async () => {
    const { mock, send } = start()
    const html = { headers: { accept: 'text/html,*/*' } }
    for (const [path, init] of [
      ['/src/main.tsx'],
      ['/@react-refresh'],
      ['/logo.svg'],
      ['data:text/plain,large'],
      ['/app', html],
    ] as const) {
      await expect(send(path, init)).rejects.toThrow()
    }
    expect(await mock.log.read()).toEqual([])
  })

  it('keep a custom response, however many other paths are requested', async () => {
    const { mock, send } = start({
      handlers: [http.get('*/api/:name', () => HttpResponse.text('of the handler'))],
    })
    await mock.scenarios.set({ target: 'GET /api/one', response: { text: 'custom' }, times: null })
    for (let i = 0; i <= 200; i++) await expect(send(`/other/n${i}`)).rejects.toThrow()
    expect((await mock.targets.list()).map(({ target }) => target)).toContain('GET /api/one')
    expect(await (await send('/api/one')).text()).toBe('custom')
  })

  it('get a custom response, for a logged request or for any path', async () => {
    const { mock, send } = start()
    await expect(send('/api/orders/7')).rejects.toThrow()
    await mock.scenarios.set({ target: order7, response: { body: { total: 3 } }, times: null })
    expect(await (await send('/api/orders/9')).json()).toEqual({ total: 3 })
    await mock.scenarios.set({ target: 'POST /api/carts/:cart/items', response: { status: 201 }, times: 1 })
    expect((await send('/api/carts/a/items', { method: 'POST' })).status).toBe(201)
    await expect(send('/api/carts/a/items', { method: 'POST' })).rejects.toThrow()
    await mock.scenarios.set({ target: order7, outcome: 503, times: null })
    expect((await send('/api/orders/9')).status).toBe(503)
    await mock.scenarios.clear(order7)
    await expect(send('/api/orders/9')).rejects.toThrow()
    const withQuery = mock.scenarios.set({
      target: 'GET /api/orders?page=2',
      response: { status: 204 },
      times: null,
    })
    await expect(withQuery).rejects.toThrow(
      'There is no target "GET /api/orders?page=2". Did you mean GET /api/orders/:id? Possible: GET /api/',
    )
    for (const contentType of ['text/html\n', 'テキスト']) {
      const refused = mock.scenarios.set({ target: order7, response: { text: '', contentType }, times: null })
      await expect(refused).rejects.toThrow('is not a content type')
    }
    expect((await mock.log.read()).map(({ target, status }) => [target, status])).toEqual([
      [order7, 0],
      [order7, 200],
      ['POST /api/carts/:cart/items', 201],
      ['POST /api/carts/a/items', 0],
      [order7, 503],
      [order7, 0],
    ])
  })

  it.each(['/api/c++', '/api/f(x)', '/api/{x'])(
    'get a custom response for %s, which is not a pattern, and others do not',
    async (path) => {
      const { mock, send } = start()
      await expect(send(path)).rejects.toThrow()
      const target = (await mock.log.read())[0]?.target as HandlerTarget
      await mock.scenarios.set({ target, response: { body: { found: true } }, times: null })
      expect(await (await send(path)).json()).toEqual({ found: true })
      await expect(send('/api/other')).rejects.toThrow('Cannot bypass')
    },
  )

  it('get a custom response for all methods; one for a path with a colon is for that path only', async () => {
    const { mock, send } = start()
    await mock.scenarios.set({ target: 'ALL /api/any', response: { body: { any: true } }, times: null })
    expect((await send('/api/any', { method: 'DELETE' })).status).toBe(200)
    await mock.scenarios.set({ target: 'GET /api/größe', response: { status: 203 }, times: null })
    expect((await send('/api/größe')).status).toBe(203)
    await mock.scenarios.set({ target: 'POST /api/users:batch', response: { status: 202 }, times: null })
    expect((await send('/api/users:batch', { method: 'POST' })).status).toBe(202)
    await expect(send('/api/usersX', { method: 'POST' })).rejects.toThrow('Cannot bypass')
  })

  it('get the response forced for their exact path first, then for patterns, each for its persona', async () => {
    const { mock, send } = start()
    const set = (target: HandlerTarget, session?: string) =>
      mock.scenarios.set({ target, response: { body: target }, session, times: null })
    await set(order7)
    await set('GET /api/orders/5')
    await set('GET /api/orders/latest', 'acme-viewer')
    const seen = async (path: string, session = 'acme-owner') =>
      (await send(path, { headers: { cookie: `session=${session}` } })).json()
    expect(await seen('/api/orders/5')).toBe('GET /api/orders/5')
    expect(await seen('/api/orders/7')).toBe(order7)
    expect(await seen('/api/orders/latest', 'acme-viewer')).toBe('GET /api/orders/latest')
    expect(await seen('/api/orders/latest')).toBe(order7)
    expect(await mock.log.read()).toHaveLength(4)
    await set('GET /v1/orders/latest', 'acme-viewer')
    await set('GET /v1/orders/:id')
    expect(await seen('/v1/orders/latest')).toBe('GET /v1/orders/:id')
    await set('GET /api/days/:day/10:30')
    expect(await seen('/api/days/3/10:30')).toBe('GET /api/days/:day/10:30')
  })

  it('get the response forced for their exact path before that of a handler or an operation with a pattern', async () => {
    const handlers = [
      http.all('*/api/*', () => undefined),
      http.get('*/api/orders/:id', ({ params: { id } }) => HttpResponse.json({ id })),
      graphql.query('GetUser', () => HttpResponse.json({ data: { user: 1 } })),
    ]
    const { mock, send } = start({ handlers })
    const project = 'PATCH /v1/projects/0198c0de-0000-7000-8000-000000000002'
    const order = 'GET /api/orders/5'
    await mock.scenarios.set({
      target: order,
      response: { body: { mine: 5 } },
      session: 'acme-owner',
      times: 1,
    })
    await mock.scenarios.set({ target: project, response: { body: { mine: 2 } }, times: null })
    await mock.scenarios.set({ target: 'POST /graphql', response: { body: 'no query of ours' }, times: null })
    const seen = async (path: string, init?: RequestInit) => (await send(path, init)).json()
    expect(await seen('/api/orders/6')).toEqual({ id: '6' })
    expect(await seen('/api/orders/5', { headers: { cookie: 'session=acme-viewer' } })).toEqual({ id: '5' })
    expect(await seen('/api/orders/5')).toEqual({ mine: 5 })
    expect(await seen('/api/orders/5')).toEqual({ id: '5' })
    expect(await seen(project.replace('PATCH ', ''), { method: 'PATCH', body: '{}' })).toEqual({ mine: 2 })
    const query = async (name: string) =>
      seen('/graphql', {
        method: 'POST',
        body: JSON.stringify({ query: `query ${name} { user }` }),
        headers: { 'content-type': 'application/json' },
      })
    expect(await query('GetUser')).toEqual({ data: { user: 1 } })
    expect((await mock.log.read()).map(({ target, status }) => `${status} ${target}`)).toEqual([
      '200 GET /api/orders/:id',
      '200 GET /api/orders/:id',
      `200 ${order}`,
      '200 GET /api/orders/:id',
      `200 ${project}`,
      '200 query GetUser',
    ])
  })

  it('get no response if their path cannot be decoded', async () => {
    const { mock, send } = start()
    await mock.scenarios.set({ target: order7, response: { body: { total: 3 } }, times: null })
    await expect(send('/api/orders/%zz')).rejects.toThrow('Cannot bypass')
  })

  it('are delayed before a custom response, and are subject to chaos', async () => {
    const { mock, send } = start()
    await mock.scenarios.set({
      target: order7,
      response: { body: { total: 3 } },
      session: 'acme-owner',
      times: null,
    })
    await mock.log.clear()
    await mock.delay.set(60_000, order7)
    const abort = new AbortController()
    const delayed = send('/api/orders/7', { signal: abort.signal })
    expect((await send('/v1/projects')).status).toBe(200)
    abort.abort()
    await expect(delayed).rejects.toThrow('abort')
    await mock.delay.set(null, order7)
    expect((await send('/api/orders/7')).status).toBe(200)
    await mock.session.use('acme-viewer')
    await mock.chaos.set({ target: order7, errorRate: 1, outcomes: [418] })
    expect((await send('/api/orders/7')).status).toBe(418)
  })

  it('below /v1/ get 404, 405 or a custom response', async () => {
    const { mock, send } = start()
    expect((await send('/v1/widgets/7')).status).toBe(404)
    expect((await send('/v1/projects', { method: 'DELETE' })).status).toBe(405)
    await mock.scenarios.set({
      target: 'GET /v1/widgets/:id',
      response: { body: { widget: true } },
      times: null,
    })
    expect(await (await send('/v1/widgets/8')).json()).toEqual({ widget: true })
    expect((await mock.log.read()).map(({ target, kind }) => [target, kind])).toEqual([
      ['GET /v1/widgets/:id', 'unanswered'],
      ['DELETE /v1/projects', 'unanswered'],
      ['GET /v1/widgets/:id', 'unanswered'],
    ])
    await mock.scenarios.set({
      target: 'POST /v1/widgets',
      response: { status: 201, body: { id: 9 } },
      times: null,
    })
    const made = await send('/v1/widgets', { method: 'POST', body: '{"name":"Ninth"}' })
    expect([made.status, await made.json()]).toEqual([201, { id: 9 }])
    expect((await mock.log.entry(4)).request.body?.text).toBe('{"name":"Ninth"}')
  })
})

describe('a reset', () => {
  it('is not undone by an earlier request, which does not use up later settings', async () => {
    const { mock, send } = start()
    await mock.delay.set(100)
    const create = () =>
      send('/v1/projects', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Late"}',
      })
    const timer = vi.spyOn(globalThis, 'setTimeout')
    const late = create()
    await expect.poll(() => timer.mock.calls.some(([, ms]) => ms === 100)).toBe(true)
    timer.mockRestore()
    await mock.reset()
    await mock.scenarios.set({ target: 'createProject', outcome: 'SERVICE_UNAVAILABLE', times: 1 })
    expect((await late).status).toBe(201)
    expect((await mock.data.list('projects', { search: 'Late' })).matched).toBe(0)
    expect((await create()).status).toBe(503)
  })

  it('leaves no earlier requests, not even one that is in flight', async () => {
    let answer = () => {}
    const { mock, send } = start({
      handlers: [
        http.get('*/api/slow', async () => {
          await new Promise<void>((resolve) => {
            answer = resolve
          })
          return HttpResponse.text('late')
        }),
      ],
    })
    const slow = send('/api/slow')
    await expect(send('/api/orders/7')).rejects.toThrow()
    await mock.reset()
    answer()
    expect(await (await slow).text()).toBe('late')
    expect(await mock.log.read()).toEqual([])
    expect((await mock.targets.list()).every(({ hits, kind }) => hits === 0 && kind !== 'unanswered')).toBe(
      true,
    )
    await send('/v1/projects')
    expect(await mock.log.read()).toHaveLength(1)
  })
})

it('forced responses are exported as a file of handlers with the same responses', async () => {
  const own = [
    http.get('*/api/invoices/:id', () => HttpResponse.json({})),
    graphql.query('GetUser', () => HttpResponse.json({})),
    http.all(/\/files\//, () => undefined),
    http.get(
      () => false,
      () => undefined,
    ),
  ]
  const { mock, send } = start({ handlers: own })
  expect((await mock.targets.export()).text).toBe('export const handlers = [\n]\n')
  const set = mock.scenarios.set
  await set({ target: 'GET /api/invoices/:id', response: { body: { text: "it's\n" }, status: 202 } })
  await set({ target: 'POST /api/orders', response: { status: 204 }, times: 1 })
  await set({ target: 'GET /api/c++:x/(1)', response: { text: 'c++' } })
  await set({ target: 'GET /api/page', response: { text: '<b>', contentType: 'text/html' } })
  await set({ target: 'query GetUser', response: { body: { data: { user: null } } } })
  await set({ target: 'ALL /\\/files\\//', outcome: 503 })
  await set({ target: 'listProjects', response: { body: { projects: [] } } })
  await set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN' })
  await set({ target: 'updateProject', outcome: 'RATE_LIMITED', times: null })
  await set({ target: 'listProjects', outcome: 'AUTH_REQUIRED', session: 'acme-viewer' })
  await set({ target: 'joinWaitlist', outcome: 'drop' })
  await set({ target: 'empty' })
  await set({ target: 'GET [predicate]', outcome: 500 })
  await set({ target: 'getSession', response: { text: '{"us', unchecked: true }, times: 2 })
  const { text } = await mock.targets.export()
  expect(text.match(/\/\/ Left out: .*/g)).toEqual([
    '// Left out: listProjects, as it is for acme-viewer alone',
    '// Left out: empty, which changes the data of operations',
    '// Left out: GET [predicate], whose matcher cannot be written',
  ])
  expect(text).toContain("// With MSW 3, `graphql` is in 'msw/graphql'.")
  expect(text).toContain("// Here 2 times only:\n  http.get('*/v1/auth/me'")

  const folder = withModules(emptyFolder())
  const file = join(folder, 'made.ts')
  writeFileSync(file, text)
  const { handlers, close: unwatch } = await openHandlersFile(file)
  unwatch()
  const { getResponse } = await import('msw')
  const answer = (method: string, path: string, body?: string) =>
    getResponse(
      handlers() as RequestHandler[],
      new Request(baseUrl + path, {
        method,
        ...(body && { body, headers: { 'content-type': 'application/json' } }),
      }),
    )
  const invoice = await answer('GET', '/api/invoices/7')
  expect([invoice?.status, await invoice?.json()]).toEqual([202, { text: "it's\n" }])
  expect((await answer('POST', '/api/orders'))?.status).toBe(204)
  expect(await answer('POST', '/api/orders')).toBeUndefined()
  const page = await answer('GET', '/api/page')
  expect([page?.headers.get('content-type'), await page?.text()]).toEqual(['text/html', '<b>'])
  expect(await (await answer('GET', '/api/c++:x/(1)'))?.text()).toBe('c++')
  expect(await answer('GET', '/api/cx/1')).toBeUndefined()
  const user = await answer('POST', '/graphql', JSON.stringify({ query: 'query GetUser { user }' }))
  expect(await user?.json()).toEqual({ data: { user: null } })
  const unavailable = await answer('PUT', '/files/1')
  expect([unavailable?.status, unavailable?.headers.get('retry-after')]).toEqual([503, '1'])
  const cut = await answer('GET', '/v1/auth/me')
  expect([cut?.headers.get('content-type'), await cut?.text()]).toEqual([
    'application/json; charset=utf-8',
    '{"us',
  ])
  expect(await (await answer('GET', '/v1/projects'))?.json()).toEqual({ projects: [] })
  // The errors of operations have the bodies of the mock.
  const taken = await answer('POST', '/v1/projects')
  expect([taken?.status, await taken?.json()]).toEqual([
    409,
    await (await send('/v1/projects', { method: 'POST' })).json(),
  ])
  expect(await answer('POST', '/v1/projects')).toBeUndefined()
  const limited = await answer('PATCH', '/v1/projects/7')
  expect([limited?.status, limited?.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await limited?.json()).toEqual(await (await send('/v1/projects/7', { method: 'PATCH' })).json())
  expect((await answer('POST', '/v1/waitlist'))?.type).toBe('error')
})

it('an exported file imports what its code uses, whatever its texts contain', async () => {
  const { mock } = start()
  const importsOf = async () => /import (.*) from/.exec((await mock.targets.export()).text)?.[1]
  const text = "see http.get(, delay(1), graphql.query( and new HttpResponse('')"
  await mock.scenarios.set({ target: 'GET /api/page', response: { text } })
  expect(await importsOf()).toBe('{ http, HttpResponse }')
  await mock.scenarios.set({ target: 'GET /api/page', outcome: 'hang' })
  expect(await importsOf()).toBe('{ delay, http }')
  await mock.scenarios.set({ target: 'POST /api/delay', response: { text } })
  expect(await importsOf()).toBe('{ delay, http, HttpResponse }')
  await mock.scenarios.clear()
  expect(await importsOf()).toBeUndefined()
})

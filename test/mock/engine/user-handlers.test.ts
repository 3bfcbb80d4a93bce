import nodeHttp from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { getResponse, graphql, HttpResponse, http, passthrough, ws } from 'msw'
import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock, type HandlerOptions } from '../../../src/mock/create-mock.js'

const baseUrl = 'http://front.test'

let close = () => {}
afterEach(() => close())

/** A mock with custom handlers that answers the requests of this process. */
function start(handlers: NonNullable<HandlerOptions['handlers']>, options: HandlerOptions = {}) {
  const mock = createMock({ baseUrl, session: 'acme-owner', handlers, ...options })
  const server = setupServer(...mock.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  close = () => server.close()
  const get = (path: string, init?: RequestInit) => fetch(new URL(path, baseUrl), init)
  const post = (path: string, body: unknown) =>
    get(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const text = async (path: string) => (await get(path)).text()
  const last = async () => {
    const entry = (await mock.log.read()).at(-1)
    return mock.log.entry(entry?.id ?? 0)
  }
  return { mock, server, get, post, text, last }
}

const invoice = http.get('*/api/invoices/:id', ({ params }) => HttpResponse.json({ id: params.id }))
const target = 'GET /api/invoices/:id'

describe('the log of custom handlers', () => {
  it('has the bodies, the caller, the query without secrets, and the name of the target', async () => {
    const { mock, get, post, last } = start([
      invoice,
      http.post('*/api/invoices', async ({ request }) =>
        HttpResponse.json(await request.json(), { status: 201, headers: { 'set-cookie': 'a=b' } }),
      ),
    ])
    expect(await (await get('/api/invoices/7?full=1&api_key=k1')).json()).toEqual({ id: '7' })
    await mock.session.use('acme-viewer')
    const posted = await post('/api/invoices', { total: 3 })
    expect([posted.headers.get('set-cookie'), await posted.json()]).toEqual(['a=b', { total: 3 }])
    expect(await mock.log.read()).toMatchObject([
      { target, kind: 'handler', status: 200, why: 'handler', session: 'acme-owner' },
      { target: 'POST /api/invoices', method: 'POST', status: 201, session: 'acme-viewer' },
    ])
    expect((await mock.log.read())[0]?.path).toBe('/api/invoices/7?full=1&api_key=(not%20logged)')
    expect(await last()).toMatchObject({
      request: { body: { text: '{"total":3}' } },
      response: { headers: { 'content-type': 'application/json' }, body: { text: '{"total":3}' } },
    })
    expect(JSON.stringify(await last())).not.toContain('a=b')
  })

  it('does not change the spelling of headers of a handler, for clients of node:http', async () => {
    const { last } = start([
      http.get('*/api/x', () => HttpResponse.json({}, { headers: { 'X-Total': '1' } })),
    ])
    const names = await new Promise<string[]>((resolve, reject) => {
      const sent = nodeHttp.get(`${baseUrl}/api/x`, (response) => resolve(response.resume().rawHeaders))
      sent.on('error', reject)
    })
    expect(names).toContain('X-Total')
    expect(await last()).toMatchObject({ response: { body: { text: '{}' } } })
  })

  it('has no bodies if the log is set to have none', async () => {
    const handlers = [http.post('*/api/carts', () => HttpResponse.json({ id: 7 }))]
    const { post, last } = start(handlers, { logBodies: false })
    expect(await (await post('/api/carts', {})).json()).toEqual({ id: 7 })
    const { request, response } = await last()
    expect([request.body?.text, response?.body]).toEqual([undefined, undefined])
    expect(response?.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  it('is refused if the option is not a list of handlers', () => {
    for (const handlers of [{ handlers: [invoice] }, [[invoice]], [undefined], () => invoice]) {
      expect(() => createMock({ handlers: handlers as never })).toThrow('not a list of MSW handlers')
    }
  })

  it('names GraphQL, regular expressions, predicates and other origins', async () => {
    const { mock } = start([
      graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
      graphql.link('https://other.test/graphql').mutation('Pay', () => HttpResponse.json({ data: {} })),
      http.put(/\/files\/.*/, () => undefined),
      http.all(
        ({ request }) => request.url.endsWith('!'),
        () => undefined,
      ),
      http.get('https://other.test/api/x', () => undefined),
      http.get(`${baseUrl}/api/y`, () => undefined),
    ])
    const own = (await mock.targets.list()).filter(({ kind }) => kind === 'handler')
    expect(own.map((known) => known.target)).toEqual([
      'query GetUser',
      'mutation Pay',
      'PUT /\\/files\\/.*/',
      'ALL [predicate]',
      'GET https://other.test/api/x',
      'GET /api/y',
    ])
  })

  it('has GraphQL operations, whose bodies the handlers can still read', async () => {
    const { post, last, mock } = start([
      graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { user: variables.id } })),
    ])
    const query = { query: 'query GetUser($id: ID) { user(id: $id) }', variables: { id: '1' } }
    expect(await (await post('/graphql', query)).json()).toEqual({ data: { user: '1' } })
    expect(await last()).toMatchObject({
      target: 'query GetUser',
      response: { body: { text: '{"data":{"user":"1"}}' } },
    })
    await mock.scenarios.set({ target: 'query GetUser', response: { body: { data: null } }, times: null })
    expect(await (await post('/graphql', query)).json()).toEqual({ data: null })
  })

  it('has the error of a resolver, which is thrown on', async () => {
    const { mock, get, post } = start([
      http.post('*/api/broken', async ({ request }) => {
        throw new Error(`on purpose: ${await request.text()}`)
      }),
      http.get('*/api/thrown', () => {
        throw HttpResponse.json({ thrown: true }, { status: 418 })
      }),
    ])
    const why = expect.stringMatching(
      /^the handler threw: Error: on purpose: \{"a":1\} \(user-handlers\.test\.ts:\d+\)$/,
    )
    expect((await post('/api/broken', { a: 1 })).status).toBe(500)
    expect((await get('/api/thrown')).status).toBe(418)
    expect((await mock.log.read()).map(({ status, why }) => [status, why])).toEqual([
      [500, why],
      [418, 'handler'],
    ])
    expect((await mock.log.entry(1)).request.body?.text).toBe('{"a":1}')
    expect(await mock.log.send(1)).toMatchObject({ id: 3, status: 500, why })
    expect(await mock.log.read()).toHaveLength(3)
  })

  it('has statuses that only MSW can give to a response', async () => {
    const { get, last } = start([
      http.get('*/api/text', () => HttpResponse.text('slow down', { status: 999 })),
      http.get('*/api/stream', () => new HttpResponse(new Blob(['slow down']).stream(), { status: 600 })),
    ])
    for (const [path, status] of [
      ['/api/text', 999],
      ['/api/stream', 600],
    ] as const) {
      const response = await get(path)
      expect([response.status, await response.text()]).toEqual([status, 'slow down'])
      expect(await last()).toMatchObject({ status, why: 'handler' })
    }
  })

  it('has the text of a response, without changing its bytes and headers', async () => {
    const latin1 = new Uint8Array([0x6a, 0xfc])
    const { get, last } = start([
      http.get('*/api/table.csv', () =>
        HttpResponse.text('\uFEFFa;b', { headers: { 'content-type': 'text/csv' } }),
      ),
      http.get('*/api/latin1', () => {
        const headers = { 'content-type': 'text/plain; charset=iso-8859-1', 'content-length': '2' }
        return new HttpResponse(latin1, { headers })
      }),
      http.get('*/api/png/:length', ({ params }) => {
        const bytes = new Uint8Array(Number(params.length))
        const body = bytes.length === 16 ? bytes : new Blob([bytes]).stream()
        return new HttpResponse(body, { headers: { 'content-type': 'image/png' } })
      }),
      http.get('*/api/plain', () => new HttpResponse(latin1, { headers: { 'content-length': '2' } })),
    ])
    const bytesOf = async (response: Response) => [...new Uint8Array(await response.arrayBuffer())]
    expect(await bytesOf(await get('/api/table.csv'))).toEqual([0xef, 0xbb, 0xbf, 0x61, 0x3b, 0x62])
    expect(await last()).toMatchObject({ response: { body: { text: 'a;b' } } })
    expect(await bytesOf(await get('/api/latin1'))).toEqual([...latin1])
    // Of other bodies the log has the length.
    for (const length of [16, 32]) {
      await get(`/api/png/${length}`)
      expect((await last()).response?.body).toEqual({ length })
    }
    const plain = await get('/api/plain')
    expect([plain.headers.get('content-type'), await bytesOf(plain)]).toEqual([null, [...latin1]])
  })

  it('can copy a request as curl, fetch, a test and HAR, and send it again', async () => {
    const { mock, post, last } = start([
      http.post('*/api/echo', async ({ request }) => HttpResponse.json(await request.json())),
    ])
    await mock.scenarios.set({ target: 'POST /api/echo', outcome: 409, times: 1 })
    await post('/api/echo?page=2', { a: 1 })
    const refused = await last()
    expect(refused.curl).toContain("'http://front.test/api/echo?page=2'")
    expect(refused.fetch).toContain('body: \'{"a":1}\'')
    expect(refused.test).toContain(
      "await mock.scenarios.set({ target: 'POST /api/echo', outcome: 409, times: 1 })",
    )
    expect(refused.test).toContain('expect(response.status).toBe(409)')
    expect(await mock.log.send(refused.id, { session: 'acme-viewer' })).toMatchObject({
      status: 200,
      session: 'acme-viewer',
      path: '/api/echo?page=2',
      response: { body: { text: '{"a":1}' } },
    })
    expect(await mock.log.send(refused.id, { body: '{"b":2}' })).toMatchObject({
      response: { body: { text: '{"b":2}' } },
    })
    const { entries } = (await mock.log.har()).log
    expect(entries[0]?.request.queryString).toEqual([{ name: 'page', value: '2' }])
  })

  it('can send a request again with its session cookie, and ends the stream of the response', async () => {
    const ended = vi.fn()
    const { mock, get } = start([
      http.get('*/api/me', ({ cookies }) => HttpResponse.text(cookies.session)),
      http.get('*/api/events', () => HttpResponse.text('ready'), { once: true }),
      http.get('*/api/events', () => {
        const start = (controller: ReadableStreamDefaultController) =>
          controller.enqueue(new TextEncoder().encode('first'))
        return new HttpResponse(new ReadableStream({ start, cancel: ended }))
      }),
    ])
    await get('/api/me', { headers: { cookie: 'session=acme-owner' } })
    const sent = async (id: number, session?: string) =>
      (await mock.log.send(id, { session })).response?.body?.text
    expect(await sent(1)).toBe('acme-owner')
    expect(await sent(1, 'acme-viewer')).toBe('acme-viewer')
    await get('/api/events')
    expect(await sent(4)).toBe('first')
    expect(ended).toHaveBeenCalledOnce()
  })
})

describe('control of custom handlers', () => {
  it('forces outcomes instead of the resolver, a number of times or for a persona', async () => {
    let calls = 0
    const { mock, get } = start([
      http.get('*/api/invoices/:id', () => {
        calls += 1
        return HttpResponse.json({})
      }),
    ])
    await mock.scenarios.set({ target, outcome: 503, times: 1 })
    const refused = await get('/api/invoices/7')
    expect([refused.status, refused.headers.get('retry-after'), calls]).toEqual([503, '1', 0])
    expect((await get('/api/invoices/7')).status).toBe(200)
    await mock.scenarios.set({ target, outcome: 404, session: 'acme-viewer', times: null })
    expect((await get('/api/invoices/7')).status).toBe(200)
    await mock.session.use('acme-viewer')
    expect((await get('/api/invoices/7')).status).toBe(404)
    await mock.scenarios.set({ target, outcome: 'drop', session: 'acme-viewer', times: null })
    await expect(get('/api/invoices/7')).rejects.toThrow()
    await mock.scenarios.set({ target, outcome: 'hang', times: null })
    await mock.session.use('acme-owner')
    await expect(get('/api/invoices/7', { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    expect((await get('/api/invoices/7', { headers: { prefer: 'code=502' } })).status).toBe(502)
    expect((await mock.log.read()).map(({ why }) => why)).toEqual([
      `scenario ${target} 503, next request`,
      'handler',
      'handler',
      `scenario ${target} 404`,
      `scenario ${target} drop`,
      `scenario ${target} hang`,
      'Prefer: code=502',
    ])
  })

  it('refuses an unknown target or outcome, and lists the valid ones', async () => {
    const { mock } = start([invoice])
    await expect(
      mock.scenarios.set({ target: 'GET /api/invoces/:id', outcome: 503, times: null }),
    ).rejects.toThrow(
      /There is no target "GET \/api\/invoces\/:id". Did you mean GET \/api\/invoices\/:id\?.*GET \/api\/invoices\/:id/,
    )
    await expect(mock.scenarios.set({ target, outcome: 99, times: null })).rejects.toThrow(
      'a status from 200 to 599',
    )
    await expect(mock.delay.set(5, 'GET /none')).rejects.toThrow('There is no target "GET /none"')
  })

  it('lists targets similar to an unknown one first, and not all of many', async () => {
    const { mock } = start([
      ...Array.from({ length: 200 }, (_, i) => http.get(`*/api/other/${i}`, () => HttpResponse.json({}))),
      invoice,
    ])
    const refused = mock.delay.set(5, 'GET /api/invoices')
    await expect(refused).rejects.toThrow(/Possible: GET \/api\/invoices\/:id, .* and \d+ more\.$/)
    expect((await refused.catch((error) => error)).possible).toHaveLength(206)
  })

  it('applies custom responses, delays and chaos', async () => {
    const { mock, get, text } = start([invoice])
    await mock.scenarios.set({ target, response: { status: 201, body: { custom: true } }, times: null })
    expect((await get('/api/invoices/1')).status).toBe(201)
    await mock.scenarios.set({ target, response: { text: '<b>', contentType: 'text/html' }, times: null })
    expect((await get('/api/invoices/1')).headers.get('content-type')).toBe('text/html')
    expect(await text('/api/invoices/1')).toBe('<b>')
    await mock.scenarios.set({ target, response: { status: 204 }, times: null })
    expect((await get('/api/invoices/1')).status).toBe(204)
    await mock.scenarios.clear(target)

    await mock.delay.set(60_000, target)
    const abort = new AbortController()
    const delayed = get('/api/invoices/1', { signal: abort.signal })
    expect((await get('/v1/projects')).status).toBe(200)
    abort.abort()
    await expect(delayed).rejects.toThrow('abort')
    await expect
      .poll(async () => (await mock.log.read()).at(-1))
      .toMatchObject({ target, status: 0, why: 'the client gave up' })
    await mock.delay.set(null, target)

    await mock.chaos.set({ errorRate: 1, seed: 7 })
    expect([500, 503]).toContain((await get('/api/invoices/1')).status)
    await mock.chaos.set({ target, errorRate: 1, seed: 7, outcomes: [418] })
    expect((await get('/api/invoices/1')).status).toBe(418)
    expect((await mock.log.read()).at(-1)?.why).toBe('chaos 418, request 1 of seed 7')
  })

  it('delays a request once, even if several handlers receive it, and includes the delay in its duration', async () => {
    const { mock, get, last } = start([http.all('*', () => undefined), invoice])
    await mock.delay.set(50)
    const timer = vi.spyOn(globalThis, 'setTimeout')
    for (const path of ['/api/invoices/1', '/v1/projects']) {
      await get(path)
      expect((await last()).ms).toBeGreaterThan(40)
    }
    expect(timer.mock.calls.filter(([, ms]) => ms === 50)).toHaveLength(2)
    timer.mockRestore()
  })

  it('fails a request by chaos once, even if several handlers receive it', async () => {
    const { mock, get } = start([
      http.all('*', () => undefined),
      http.get('*/api/*', () => undefined),
      invoice,
    ])
    await mock.chaos.set({ errorRate: 0.5, seed: 7 })
    for (let i = 0; i < 20; i += 1) await get('/api/invoices/1')
    const failed = (await mock.log.read()).filter(({ status }) => status !== 200)
    expect(new Set(failed.map((entry) => entry.target))).toEqual(new Set(['ALL *']))
  })

  it('keeps a delay of 0 that chaos has drawn, whichever handler receives the request', async () => {
    const { mock, text } = start([http.all('*', () => undefined), invoice])
    await mock.delay.set(60_000)
    await mock.chaos.set({ delay: 0 })
    expect(await text('/api/invoices/1')).toBe('{"id":"1"}')
  })

  it('draws once for the handlers of one target', async () => {
    const { mock, get } = start([http.get('*/api/invoices/:id', () => undefined), invoice])
    await mock.chaos.set({ target, errorRate: 0.5, seed: 7 })
    for (let i = 0; i < 20; i += 1) await get('/api/invoices/1')
    const reasons = (await mock.log.read()).map(({ id, why }) => [id, why] as const)
    for (const [id, why] of reasons) if (why !== 'handler') expect(why).toContain(`request ${id} of`)
    expect(reasons.some(([, why]) => why !== 'handler')).toBe(true)
  })
})

describe('custom handlers work as in MSW:', () => {
  it('in their order; a handler without a response leaves the request to the next', async () => {
    const seen: string[] = []
    const { mock, text } = start([
      http.all('*', ({ request }) => void seen.push(new URL(request.url).pathname)),
      http.get('*/api/a', () => HttpResponse.text('first')),
      http.get('*/api/a', () => HttpResponse.text('second')),
    ])
    expect(await text('/api/a')).toBe('first')
    expect(await text('/v1/projects')).toContain('"projects"')
    expect(seen).toEqual(['/api/a', '/v1/projects'])
    expect((await mock.log.read()).map((entry) => entry.target)).toEqual(['GET /api/a', 'listProjects'])
  })

  it('with `once` and generators, which a reset restarts', async () => {
    const { mock, server, text } = start([
      http.get('*/api/a', () => HttpResponse.text('once'), { once: true }),
      http.get('*/api/a', function* () {
        yield HttpResponse.text('one')
        yield HttpResponse.text('two')
        return HttpResponse.text('last')
      }),
    ])
    const four = async () => [
      await text('/api/a'),
      await text('/api/a'),
      await text('/api/a'),
      await text('/api/a'),
    ]
    expect(await four()).toEqual(['once', 'one', 'two', 'last'])
    await mock.reset()
    expect(await four()).toEqual(['once', 'one', 'two', 'last'])
    server.restoreHandlers()
    server.resetHandlers()
    expect(await four()).toEqual(['once', 'one', 'two', 'last'])
  })

  it('with `once` in each of several mocks if a function creates the handlers', async () => {
    const handlers = () => [http.get('*/api/a', () => HttpResponse.text('once'), { once: true })]
    const shared = handlers()
    const statuses = async (given: NonNullable<HandlerOptions['handlers']>) => {
      const { get, server } = start(given, { unknown: 'pass' })
      const { status } = await get('/api/a').catch(() => ({ status: 0 }))
      server.close()
      return status
    }
    expect([await statuses(handlers), await statuses(handlers)]).toEqual([200, 200])
    // Without a function, the handler is used up for all mocks.
    expect([await statuses(shared), await statuses(shared)]).toEqual([200, 0])
  })

  it('if they come from another copy of MSW, as in a file of handlers of `dev`', async () => {
    const file = new URL('../../../node_modules/msw/lib/core/index.js', import.meta.url)
    const other = createRequire(import.meta.url)(fileURLToPath(file)) as typeof import('msw')
    const { get, mock } = start([
      other.http.get('*/api/a', () => other.HttpResponse.json({ other: true })),
      other.http.get('*/api/b', () => other.passthrough()),
    ])
    expect(await (await get('/api/a')).json()).toEqual({ other: true })
    await mock.scenarios.set({ target: 'GET /api/a', outcome: 503, times: null })
    expect((await get('/api/a')).status).toBe(503)
  })

  it('with a body that may be read by a handler that leaves the request to the next', async () => {
    const { post, last } = start([
      http.post('*/api/a', async ({ request }) => void (await request.text())),
      http.post('*/api/a', async ({ request }) => HttpResponse.text(await request.text())),
    ])
    expect(await (await post('/api/a', { a: 1 })).text()).toBe('{"a":1}')
    expect((await last()).request.body?.text).toBe('{"a":1}')
  })

  it('with `once` of a handler that is listed twice, which a forced outcome does not use up', async () => {
    const once = http.get('*/api/a', () => HttpResponse.text('once'), { once: true })
    const after = http.get('*/api/a', () => HttpResponse.text('after'))
    const { mock, get, text } = start([once, once, after])
    await mock.scenarios.set({ target: 'GET /api/a', outcome: 500, times: 1 })
    expect((await get('/api/a')).status).toBe(500)
    expect([await text('/api/a'), await text('/api/a')]).toEqual(['once', 'after'])
  })

  it('with streams that the client reads and cancels; the log has the part that was read', async () => {
    let cancelled = false
    let sent = 0
    const { mock, last } = start([
      http.get('*/api/stream', () => {
        const stream = new ReadableStream<Uint8Array>({
          pull(controller) {
            sent += 1
            controller.enqueue(new TextEncoder().encode(`part ${sent};`))
          },
          cancel() {
            cancelled = true
          },
        })
        return new HttpResponse(stream, { headers: { 'content-type': 'text/event-stream' } })
      }),
    ])
    // The interceptor of Node clones each response, so that a cancellation does not reach the stream.
    const { body = null } = (await getResponse(mock.handlers, new Request(`${baseUrl}/api/stream`))) ?? {}
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('part 1;')
    await reader.cancel()
    expect(cancelled).toBe(true)
    expect(sent).toBeLessThan(5)
    expect((await last()).response?.body?.text).toMatch(/^part 1;/)
  })

  it('with streams of a known length, as of a download with progress', async () => {
    let download: ReadableStreamDefaultController<Uint8Array> | undefined
    const send = (text: string) => download?.enqueue(new TextEncoder().encode(text))
    const { get, last } = start([
      http.get('*/file', () => {
        const body = new ReadableStream({
          start(controller) {
            download = controller
            send('first ')
          },
        })
        return new HttpResponse(body, { headers: { 'content-type': 'text/csv', 'content-length': '12' } })
      }),
    ])
    const { headers, body } = await get('/file')
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    expect([headers.get('content-length'), await read()]).toEqual(['12', 'first '])
    send('second')
    expect(await read()).toBe('second')
    expect((await last()).response?.body).toEqual({ length: 12, text: 'first second' })
    download?.close()
    expect(await reader.read()).toMatchObject({ done: true })
  })

  it('with streams of text, for clients of node:http', async () => {
    const { last } = start([
      http.get('*/api/text', () => {
        const stream = new ReadableStream<string>({
          start(controller) {
            controller.enqueue('a text')
            controller.close()
          },
        })
        return new HttpResponse(stream)
      }),
    ])
    const received = await new Promise<string>((resolve, reject) => {
      const request = nodeHttp.get(`${baseUrl}/api/text`, async (response) => {
        resolve((await response.setEncoding('utf8').toArray()).join(''))
      })
      request.on('error', reject)
    })
    expect([received, (await last()).response?.body?.text]).toEqual(['a text', 'a text'])
  })

  it('with handlers of WebSocket, beside those of the mock', () => {
    const socket = ws.link('ws://front.test/live').addEventListener('connection', () => {})
    const { mock } = start([invoice, socket, http.all('*/proxy/*', () => passthrough())])
    expect(mock.handlers[1]).toBe(socket)
  })
})

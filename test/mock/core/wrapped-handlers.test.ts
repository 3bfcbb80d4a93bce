import { graphql, HttpResponse, http, passthrough, ws } from 'msw'
import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it } from 'vitest'
import { createMock, type HandlerOptions } from '../../../src/mock/create-mock.js'

const baseUrl = 'http://front.test'

let close = () => {}
afterEach(() => close())

/** A mock with handlers of one's own that answers the requests of this process. */
function start(handlers: HandlerOptions['handlers'], options: HandlerOptions = {}) {
  const mock = createMock({ baseUrl, session: 'acme-owner', handlers, ...options })
  const server = setupServer(...mock.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  close = () => server.close()
  const get = (path: string, init?: RequestInit) => fetch(new URL(path, baseUrl), init)
  const post = (path: string, body: unknown) =>
    get(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { mock, server, get, post }
}

const invoice = http.get('*/api/invoices/:id', ({ params }) => HttpResponse.json({ id: params.id }))

describe("handlers of one's own", () => {
  it('are in the log with their bodies, their caller and the name of their target', async () => {
    const { mock, get, post } = start([
      invoice,
      http.post('*/api/invoices', async ({ request }) =>
        HttpResponse.json(await request.json(), { status: 201 }),
      ),
    ])
    expect(await (await get('/api/invoices/7?full=1')).json()).toEqual({ id: '7' })
    await post('/api/invoices', { total: 3 })
    expect(await mock.log.read()).toMatchObject([
      {
        target: 'GET /api/invoices/:id',
        kind: 'handler',
        path: '/api/invoices/7?full=1',
        status: 200,
        why: 'handler',
        session: 'acme-owner',
      },
      { target: 'POST /api/invoices', method: 'POST', status: 201 },
    ])
    const [, { id } = { id: 0 }] = await mock.log.read()
    expect(await mock.log.entry(id)).toMatchObject({
      request: { body: { text: '{"total":3}' } },
      response: { headers: { 'content-type': 'application/json' }, body: { text: '{"total":3}' } },
    })
  })

  it('get forced outcomes, without being asked', async () => {
    let calls = 0
    const { mock, get } = start([
      http.get('*/api/invoices/:id', () => {
        calls += 1
        return HttpResponse.json({})
      }),
    ])
    await mock.scenarios.set({ target: 'GET /api/invoices/:id', outcome: 503, times: 1 })
    const refused = await get('/api/invoices/7')
    expect([refused.status, refused.headers.get('retry-after'), calls]).toEqual([503, '1', 0])
    expect((await get('/api/invoices/7')).status).toBe(200)
    expect((await mock.log.read()).map(({ why }) => why)).toEqual([
      'scenario GET /api/invoices/:id 503, 0 left',
      'handler',
    ])
  })
})

it('keeps the order, and leaves handlers of WebSocket as they are', () => {
  const socket = ws.link('ws://front.test/live').addEventListener('connection', () => {})
  const { mock } = start([
    invoice,
    socket,
    graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
    http.all('*/proxy/*', () => passthrough()),
  ])
  expect(mock.handlers[1]).toBe(socket)
})

// A CommonJS module of a project whose compiler does not let it require ES modules (node16), and which has MSW handlers.
import { graphql, HttpResponse, http, type RequestHandler, ws } from 'msw'
import { setupServer } from 'msw/node'

type Plugin = import('vite', { with: { 'resolution-mode': 'import' }}).Plugin

const handlers = [
  http.get('/invoices', () => HttpResponse.json([])),
  graphql.query('Invoices', () => HttpResponse.json({ data: {} })),
  ws.link('ws://api.test').addEventListener('connection', () => {}),
]

export async function start() {
  const { createHandlers, createMock } = await import('dashboard-api/msw')
  const { createMockServer } = await import('dashboard-api/node')
  const { dashboardApi } = await import('dashboard-api/vite')
  const mocks = [createMock({ handlers }), createMock({ handlers: () => handlers })]
  const servers = mocks.map((mock) => setupServer(...mock.handlers))
  servers.push(setupServer(...createMock<RequestHandler>().handlers, ...createHandlers({ handlers })))
  const plugin: Plugin = dashboardApi()
  return [servers, createMockServer({ handlers: () => handlers }), plugin]
}

// A module of a project with MSW handlers. It must compile as an ES module and as CommonJS.
import { createHandlers, createMock } from 'dashboard-api/msw'
import { createMockServer } from 'dashboard-api/node'
import { dashboardApi } from 'dashboard-api/vite'
import { graphql, HttpResponse, http, type RequestHandler, ws } from 'msw'
import { setupServer } from 'msw/node'

type Plugin = import('vite', { with: { 'resolution-mode': 'import' }}).Plugin

const handlers = [
  http.get('/invoices', () => HttpResponse.json([])),
  graphql.query('Invoices', () => HttpResponse.json({ data: {} })),
  ws.link('ws://api.test').addEventListener('connection', () => {}),
]
const mocks = [createMock({ handlers }), createMock({ handlers: () => handlers })]
export const servers = mocks.map((mock) => setupServer(...mock.handlers))
export const without = setupServer(...createMock<RequestHandler>().handlers, ...createHandlers({ handlers }))
export const server = createMockServer({ handlers })
export const plugin: Plugin = dashboardApi()

// @ts-expect-error a resolver is not a handler
createMock({ handlers: [() => HttpResponse.json([])] })

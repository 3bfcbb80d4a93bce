import { setupServer } from 'msw/node'
import { handlers, mock } from '../src/mock'

const server = setupServer(...handlers)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(async () => {
  server.resetHandlers()
  await mock.reset()
})
afterAll(() => server.close())

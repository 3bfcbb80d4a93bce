import { setupServer } from 'msw/node'
import fixture from '../fixtures/demo.json' with { type: 'json' }
import { createMockApi } from '../src/mock/core/mock-api.js'
import { parseState } from '../src/store/state.js'
import { demoWorld } from './http-suite/demo-world.js'
import { testHttp } from './http-suite/run.js'

testHttp('MSW in Node', 'mock', async () => {
  const baseUrl = 'http://dashboard.example'
  const mock = createMockApi({ fixtures: parseState(fixture), baseUrl })
  const server = setupServer(...mock.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  return {
    mode: 'mock',
    baseUrl,
    fetch,
    world: demoWorld,
    cookieOf: (persona) => `session=${persona}`,
    ownsOrigin: false,
    async reset() {
      mock.reset()
      // MSW keeps the cookies of mocked answers, as a browser does: signing out takes them away.
      await fetch(`${baseUrl}/auth/sign-out`, { method: 'POST' })
    },
    close: async () => server.close(),
  }
})

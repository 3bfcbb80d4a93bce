import { setupServer } from 'msw/node'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { createJar } from '../../src/mock/engine/session-jar.js'
import { createMockApi } from '../../src/mock/mock-api.js'
import { parseState } from '../../src/store/state-file.js'
import { sendWithFetch } from './send-with-fetch.js'
import { personaOf, type StartedTarget } from './start-dev-server.js'

/** Starts MSW's interceptor with the mock's handlers in this process. Other requests go to the network. */
export async function startInterceptor(): Promise<StartedTarget> {
  const baseUrl = 'http://dashboard.example'
  const mock = createMockApi({ fixtures: parseState(fixture), baseUrl, jar: createJar() })
  const server = setupServer(...mock.handlers)
  server.listen({ onUnhandledRequest: 'bypass' })
  return {
    mode: 'mock',
    baseUrl,
    fetch,
    send: sendWithFetch(fetch),
    isServer: false,
    cookieOf: (as) => `session=${personaOf(as)}`,
    stored: () => mock.export(),
    async reset() {
      await mock.controls.reset()
      // The cookie jar is not part of the mock's state.
      await fetch(`${baseUrl}/auth/sign-out`, { method: 'POST' })
    },
    close: async () => server.close(),
  }
}

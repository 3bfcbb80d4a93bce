import { setupServer } from 'msw/node'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import type { Target } from '../../src/conformance/runner/target.js'
import { createMockApi } from '../../src/mock/core/mock-api.js'
import { createJar } from '../../src/mock/core/session-jar.js'
import { parseState } from '../../src/store/state-file.js'
import { demoData } from './demo-data.js'
import { sendWithFetch } from './send-with-fetch.js'
import type { Stored } from './start-dev-server.js'

/** Starts MSW's interceptor with the mock's handlers in this process. Other requests go to the network. */
export async function startInterceptor(): Promise<Target & Stored> {
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
    docsBases: new Set(),
    data: demoData,
    cookieOf: (persona) => `session=${persona}`,
    stored: () => mock.export(),
    async reset() {
      await mock.controls.reset()
      // The cookie jar is not part of the mock's state.
      await fetch(`${baseUrl}/auth/sign-out`, { method: 'POST' })
    },
    close: async () => server.close(),
  }
}

import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { rawRequest } from '../../src/conformance/runner/raw-request.js'
import type { Target } from '../../src/conformance/runner/target.js'
import { startDevServer as start } from '../../src/mock/http/dev-server.js'
import { parseState, type State } from '../../src/store/state-file.js'
import { demoData } from './demo-data.js'

/** What tests need of a target besides: the store behind it, and how pages send requests. */
export type Stored = { stored(): Promise<State>; fetch: typeof fetch }

/** Starts the mock as an HTTP server. A persona's id is its session cookie. */
export async function startDevServer(): Promise<Target & Stored> {
  const { url, mock, close } = await start({ fixtures: parseState(fixture), port: 0 })
  return {
    mode: 'mock',
    baseUrl: url,
    fetch,
    data: demoData,
    cookieOf: (persona) => `session=${persona}`,
    send: rawRequest,
    isServer: true,
    docsBases: new Set(),
    stored: () => mock.export(),
    reset: async () => mock.controls.reset(),
    close,
  }
}

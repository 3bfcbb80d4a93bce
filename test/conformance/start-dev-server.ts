import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { type Caller, callers } from '../../src/conformance/callers.js'
import { rawRequest } from '../../src/conformance/raw-request.js'
import type { Target } from '../../src/conformance/target.js'
import { startDevServer as start } from '../../src/mock/http/dev-server.js'
import { parseState, type State } from '../../src/store/state-file.js'

/** A caller of the suite, or a persona of the demo fixture. */
export type Who = Caller | (typeof callers)[Caller]['persona']
export const personaOf = (as: Who): string => (as in callers ? callers[as as Caller].persona : as)

/** A target of the suite, with functions for tests. */
export type StartedTarget = Omit<Target, 'cookieOf'> & {
  cookieOf(as: Who): string
  /** Sends a request as pages do. */
  fetch: typeof fetch
  /** The content of its store. */
  stored(): Promise<State>
  /** Restores the demo fixture. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Starts the mock as an HTTP server. A persona's id is its session cookie. */
export async function startDevServer(): Promise<StartedTarget> {
  const { url, mock, close } = await start({ fixtures: parseState(fixture), port: 0 })
  return {
    mode: 'mock',
    baseUrl: url,
    fetch,
    cookieOf: (as) => `session=${personaOf(as)}`,
    send: rawRequest,
    isServer: true,
    stored: () => mock.export(),
    reset: async () => mock.controls.reset(),
    close,
  }
}

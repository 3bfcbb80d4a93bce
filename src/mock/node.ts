import { type SetupServer, setupServer } from 'msw/node'
import { parseState, type State } from '../store/state-file.js'
import { type SessionControls, type WorkbenchControls, workbenchControls } from './core/controls.js'
import { createJar } from './core/session-jar.js'
import { createMock, type HandlerOptions } from './create-mock.js'

export type { State } from '../store/state-file.js'
export type { Fixtures } from './create-mock.js'

export type MockServerOptions = Omit<HandlerOptions, 'jar'>

/** The controls of a mock that answers this process's own requests. */
export type MockControls = WorkbenchControls & {
  session: SessionControls
  /** Returns to the beginning, signed out unless `session` was given; only the log stays. */
  reset(): void
  /** Everything the mock holds, as a state file. */
  export(): Promise<State>
  /** Replaces everything the mock holds. @throws StateError, and then nothing is replaced */
  load(state: unknown): void
}

export type MockServer = MockControls & {
  /** Begins to answer; other requests are refused with an error unless told otherwise. */
  listen(options?: Parameters<SetupServer['listen']>[0]): void
  close(): void
  /**
   * A function that runs `test` with a mock of its own, which nobody else's requests reach: for tests that run
   * side by side in one process.
   */
  isolate<Args extends unknown[], Result>(
    test: (mock: MockControls, ...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result>
}

/**
 * The whole interface for tests in Node: an interceptor answers fetch and node:http requests to `baseUrl`.
 * With `session`, requests are signed in as that persona from the start.
 * @throws StateError, UnknownPersonaError
 */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  const main = createScope(options)
  const server = setupServer(...main.handlers)
  return {
    ...main.controls,
    listen: (how) => server.listen({ onUnhandledRequest: 'error', ...how }),
    close: () => server.close(),
    isolate:
      (test) =>
      (...args) =>
        server.boundary(() => {
          const own = createScope(options)
          server.use(...own.handlers)
          return test(own.controls, ...args)
        })(),
  }
}

/** A mock with a cookie of its own. */
function createScope(options: MockServerOptions) {
  const jar = createJar(options.session)
  const mock = createMock({ ...options, jar })
  const controls: MockControls = {
    ...workbenchControls(mock.controls),
    session: {
      list: mock.session.list,
      current: mock.session.current,
      async use(id) {
        const persona = await mock.session.use(id)
        jar.set('active')
        return persona
      },
      signOut: () => jar.set(undefined),
    },
    reset() {
      mock.reset()
      jar.set(options.session)
    },
    export: mock.export,
    load: (state) => mock.load(parseState(state)),
  }
  return { handlers: mock.handlers, controls }
}

import { type SetupServer, setupServer } from 'msw/node'
import { parseState, type State } from '../store/state-file.js'
import { type SessionControls, type WorkbenchControls, workbenchControls } from './core/controls.js'
import { createJar } from './core/session-jar.js'
import { createMock, type HandlerOptions } from './create-mock.js'

export type { State } from '../store/state-file.js'
export type { Fixtures } from './create-mock.js'

export type MockServerOptions = Omit<HandlerOptions, 'jar'>

/** The controls of a mock that answers requests of its own process. */
export type MockControls = WorkbenchControls & {
  session: SessionControls
  /** Restores everything but the log: signed out, unless `session` was given. */
  reset(): void
  /** Returns the whole state, as a state file. */
  export(): Promise<State>
  /** Replaces the whole state. @throws StateError without replacing anything */
  load(state: unknown): void
}

export type MockServer = MockControls & {
  /** Starts intercepting. By default, requests to anything else fail. */
  listen(options?: Parameters<SetupServer['listen']>[0]): void
  close(): void
  /**
   * Wraps a test, which gets a mock of its own that only its own requests reach: for concurrent tests in one
   * process.
   */
  isolate<Args extends unknown[], Result>(
    test: (mock: MockControls, ...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result>
}

/**
 * Creates the whole interface for tests in Node: MSW's interceptor answers fetch and node:http requests to `baseUrl`.
 * With `session`, requests are signed in as that persona initially.
 * @throws StateError, UnknownPersonaError
 */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  const main = createMockWithJar(options)
  const server = setupServer(...main.handlers)
  return {
    ...main.controls,
    listen: (listenOptions) => server.listen({ onUnhandledRequest: 'error', ...listenOptions }),
    close: () => server.close(),
    isolate:
      (test) =>
      (...args) =>
        server.boundary(() => {
          const own = createMockWithJar(options)
          server.use(...own.handlers)
          return test(own.controls, ...args)
        })(),
  }
}

/** A mock with its own session cookie. */
function createMockWithJar(options: MockServerOptions) {
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

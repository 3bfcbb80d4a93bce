import { type SetupServer, setupServer } from 'msw/node'
import { checkNode } from './check-node.js'
import { assembleMock, type HandlerOptions, type Mock } from './create-mock.js'
import { cookiesAsSent, createJar } from './engine/session-jar.js'
import { type OnUnhandledRequest, unhandled } from './unhandled.js'

export type { State } from '../store/state-file.js'
export type { Fixtures, Mock } from './create-mock.js'

export type MockServerOptions = Omit<HandlerOptions, 'jar'> & {
  /**
   * `shared`, the default: the process has one session cookie, as a page has, set by the responses to requests without a
   * Cookie header. `as-sent`: a request has only the cookies of its own header, as on a server.
   */
  cookies?: 'shared' | 'as-sent'
}

/** The controls of a mock that answers requests of its own process. */
export type MockControls = Omit<Mock, 'handlers'>

/** The options of MSW's `listen`, with MSW 2's name for the treatment of unanswered requests. */
export type ListenOptions = Omit<NonNullable<Parameters<SetupServer['listen']>[0]>, 'onUnhandledRequest'> & {
  onUnhandledRequest?: OnUnhandledRequest
}

export type MockServer = MockControls & {
  /** Starts intercepting. By default, other requests fail. */
  listen(options?: ListenOptions): void
  close(): void
  /** Wraps a test, which gets its own mock that only its requests reach: for concurrent tests in one process. */
  isolate<Args extends unknown[], Result>(
    test: (mock: MockControls, ...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result>
}

/**
 * Creates the whole interface for tests in Node: MSW's interceptor answers fetch and node:http requests to `baseUrl`. With
 * `session`, requests are signed in as that persona initially.
 * @throws StateError, UnknownPersonaError, or an Error if Node is too old for the installed MSW
 */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  const main = createMockWithJar(options)
  const server = setupServer(...main.handlers)
  checkNode(server, process.versions.node)
  return {
    ...main.controls,
    listen({ onUnhandledRequest = 'error', ...others } = {}) {
      server.listen({ ...unhandled(onUnhandledRequest), ...others })
    },
    close() {
      main.release()
      server.close()
    },
    isolate:
      (test) =>
      (...args) =>
        server.boundary(() => {
          const own = createMockWithJar(options)
          server.resetHandlers(...own.handlers)
          return test(own.controls, ...args)
        })(),
  }
}

function createMockWithJar({ cookies, ...options }: MockServerOptions) {
  const jar = cookies === 'as-sent' ? cookiesAsSent() : createJar()
  const { mock, release, signIn } = assembleMock({ ...options, jar })
  signIn()
  const { handlers, ...controls } = mock
  return { handlers, controls, release }
}

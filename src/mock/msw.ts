import type { RequestHandler } from 'msw'
import demo from '#demo-fixture'
import { parseState, type State } from '../store/state.js'
import { createMockApi, type MockApi, type MockOptions } from './core/mock-api.js'
import { pageCookies } from './core/page-cookies.js'

export type { State } from '../store/state.js'
export type { MockApi, MockOptions } from './core/mock-api.js'
export { UnknownPersonaError } from './core/personas.js'

/** All of a mock's options, of which none is needed. */
export type HandlerOptions = Partial<MockOptions>

/** The fixture that the mock has where it is given none. */
export const demoFixture = (): State => parseState(demo)

/** The mock with its controls; `handlers` go to MSW. In a page the session is the page's own cookie. */
export const createMock = (options: HandlerOptions = {}): MockApi =>
  createMockApi({
    ...options,
    jar: options.jar ?? (globalThis.document && pageCookies()),
    fixtures: options.fixtures ? parseState(options.fixtures) : demoFixture(),
    baseUrl: options.baseUrl || (globalThis.location?.origin ?? 'http://localhost'),
  })

/**
 * MSW handlers of the whole interface, to spread among one's own.
 * @throws StateError where the fixtures are not a valid state, UnknownPersonaError for an unknown `session`
 */
export const createHandlers = (options?: HandlerOptions): RequestHandler[] => createMock(options).handlers

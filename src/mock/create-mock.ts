import type * as z from 'zod'
import demo from '#demo-fixture'
import { parseState, type StateFile } from '../store/state-file.js'
import { createMockApi, type MockApi, type MockOptions } from './core/mock-api.js'
import { pageCookies } from './core/page-cookies.js'
import { createJar } from './core/session-jar.js'

/** A state file as it is imported from JSON, or written out; lists may be left out. */
export type Fixtures = Omit<z.input<typeof StateFile>, 'version'> & { version: number }

/** The options of a mock, all optional. */
export type HandlerOptions = Partial<Omit<MockOptions, 'fixtures'>> & {
  /** The initial state, restored by a reset. Defaults to the demo fixture. */
  fixtures?: Fixtures
}

/**
 * Creates a mock with its controls; `handlers` go to MSW. In a page the session is the page's own cookie.
 * @throws StateError if the fixtures are not valid, UnknownPersonaError
 */
export const createMock = (options: HandlerOptions = {}): MockApi =>
  createMockApi({
    ...options,
    jar: options.jar ?? (globalThis.document ? pageCookies() : createJar()),
    fixtures: parseState(options.fixtures ?? demo),
    baseUrl: options.baseUrl || (globalThis.location?.origin ?? 'http://localhost'),
  })

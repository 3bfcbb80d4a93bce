import type { RequestHandler } from 'msw'
import { createMock, type HandlerOptions } from './create-mock.js'

export type { State } from '../store/state-file.js'
export type { Fixtures, HandlerOptions } from './create-mock.js'

/**
 * MSW handlers of the whole interface, to spread among one's own.
 * @throws StateError where the fixtures are not a valid state, UnknownPersonaError for an unknown `session`
 */
export const createHandlers = (options?: HandlerOptions): RequestHandler[] => createMock(options).handlers

import type { RequestHandler } from 'msw'
import { createMock, type HandlerOptions } from './create-mock.js'

export type { State } from '../store/state-file.js'
export type { Fixtures, HandlerOptions } from './create-mock.js'

/**
 * Creates MSW handlers for the whole interface, for use among other handlers.
 * @throws StateError if the fixtures are not valid, UnknownPersonaError
 */
export const createHandlers = (options?: HandlerOptions): RequestHandler[] => createMock(options).handlers

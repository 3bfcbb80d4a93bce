import type { RequestHandler } from 'msw'
import { createMock, type HandlerOptions } from './create-mock.js'

export type { State } from '../store/state-file.js'
export { createMock, type Fixtures, type HandlerOptions, type Mock } from './create-mock.js'

/**
 * The handlers of `createMock`, for use without its controls.
 * @throws StateError if the fixtures are not valid, UnknownPersonaError
 */
export const createHandlers = (options?: HandlerOptions): RequestHandler[] => createMock(options).handlers

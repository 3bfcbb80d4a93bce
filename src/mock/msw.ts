import type { AnyHandler } from 'msw'
import { createMock, type HandlerOptions } from './create-mock.js'
import type { GivenHandler, OwnRequestHandler } from './engine/user-handlers.js'

export type { State } from '../store/state-file.js'
export { createMock, type Fixtures, type HandlerOptions, type Mock } from './create-mock.js'

/**
 * The handlers of `createMock`, for use without its controls.
 * @throws StateError if the fixtures are not valid, UnknownPersonaError
 */
export const createHandlers = <Given extends GivenHandler = AnyHandler>(
  options?: HandlerOptions<Given>,
): OwnRequestHandler<Given>[] => createMock(options).handlers

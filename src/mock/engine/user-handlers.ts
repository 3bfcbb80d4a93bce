import { type AnyHandler, bypass, passthrough, type RequestHandler } from 'msw'
import { ControlError } from '../state/control-error.js'
import { placeOfHandler, type Target } from './target-name.js'

type RequiredHandler = import('msw', { with: { 'resolution-mode': 'require' }}).AnyHandler

/** A handler of MSW. MSW 2 declares its classes for each module system, and their private members make them differ. */
export type GivenHandler = AnyHandler | RequiredHandler

/** MSW's class, as declared for the module system of the given handlers. */
export type OwnRequestHandler<Given> = [Given] extends [AnyHandler]
  ? RequestHandler
  : [Given] extends [RequiredHandler]
    ? Extract<RequiredHandler, { kind: 'request' }>
    : RequestHandler

/** MSW handlers, or a function that makes them for each mock, so that each has its own `once` and generators. */
export type GivenHandlers<Given extends GivenHandler = GivenHandler> =
  | readonly Given[]
  | (() => readonly Given[])

export type UserHandler = { handler: RequestHandler; place: Target; mayTake(method: string): boolean }

/** The user's handlers. WebSocket handlers bypass the mock. */
export type UserHandlers = { requests: readonly UserHandler[]; others: readonly AnyHandler[] }

/** Whether a value, which may come from JavaScript, is a list of MSW handlers, or a function that makes one. */
export const areHandlers = (value: unknown): value is GivenHandlers =>
  typeof value === 'function' || isList(value)

const isList = (value: unknown): value is readonly AnyHandler[] =>
  Array.isArray(value) &&
  value.every((handler) => typeof handler === 'object' && handler && 'kind' in handler)

/** @param origins the origins that are left out of targets. @throws ControlError if there is no list of handlers */
export function userHandlers(given: GivenHandlers, origins: readonly string[]): UserHandlers {
  const list: unknown = typeof given === 'function' ? given() : given
  if (!isList(list)) {
    throw new ControlError(
      'handlers is not a list of MSW handlers, or a function that returns one: [http.get(…), …].',
    )
  }
  return {
    // A handler that is listed twice is used once.
    requests: [...new Set(list.filter(isRequestHandler))].map((handler) => ({
      handler,
      place: placeOfHandler(handler, origins),
      mayTake: methodFilter(handler),
    })),
    others: list.filter((handler) => !isRequestHandler(handler)),
  }
}

export const isRequestHandler = (handler: AnyHandler): handler is RequestHandler => handler.kind === 'request'

/** MSW compares the method last, after it has parsed the URL, the path and the cookies. */
function methodFilter({ info }: RequestHandler): (method: string) => boolean {
  const { method, path } = info as { method?: unknown; path?: unknown }
  if (typeof method !== 'string' || path === undefined) return () => true
  return (sent) => sent.toUpperCase() === method.toUpperCase()
}

/** Methods that are public in MSW 3. MSW 2 has them too, and calls them itself in `resetHandlers`, but types them as protected. */
type Resettable = Partial<Record<'reset' | 'restore', () => void>>

/**
 * Resets generators, or lets handlers that answer once answer again. By a method of the handler: `resetHandlers` is a method of
 * workers and servers, of which the mock has none. A handler of an older copy of MSW has no such method.
 */
export function callOnEach(handlers: readonly RequestHandler[], name: keyof Resettable): void {
  for (const handler of handlers) (handler as object as Resettable)[name]?.()
}

/** Whether the Accept header of a request has the mark of `bypass()`. */
export function bypasses(accept = ''): boolean {
  const mark = bypass('http://localhost').headers.get('accept')
  return mark !== null && accept.split(/,\s*/).includes(mark)
}

/** Whether a response is that of `passthrough()`, by its header. */
export function isPassthrough(response: Response): boolean {
  const own = passthrough()
  const [name = '', value] = [...own.headers][0] ?? []
  return response.status === own.status && response.headers.get(name) === value
}

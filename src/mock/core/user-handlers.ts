import { type AnyHandler, passthrough, type RequestHandler } from 'msw'
import { ControlError } from './control-error.js'
import { placeOfHandler, type Target } from './target-name.js'

/** MSW handlers, or a function that makes them: it is called for each mock, so that each has its own `once` and generators. */
export type GivenHandlers = readonly AnyHandler[] | (() => readonly AnyHandler[])

/** A user's handler as a target. */
export type UserHandler = { handler: RequestHandler; place: Target; mayTake(method: string): boolean }

/** The user's handlers of requests. Those of WebSocket have no requests: they are listed beside the mock's. */
export type UserHandlers = { requests: readonly UserHandler[]; others: readonly AnyHandler[] }

/** Whether a value, which may come from JavaScript, is a list of handlers of MSW, or a function that makes one. */
export const areHandlers = (value: unknown): value is GivenHandlers =>
  typeof value === 'function' || isList(value)

const isList = (value: unknown): value is readonly AnyHandler[] =>
  Array.isArray(value) &&
  value.every((handler) => typeof handler === 'object' && handler && 'kind' in handler)

/** @param origins those whose paths are named alone. @throws ControlError for what is no list of handlers */
export function userHandlers(given: GivenHandlers, origins: readonly string[]): UserHandlers {
  const list: unknown = typeof given === 'function' ? given() : given
  if (!isList(list)) {
    throw new ControlError(
      'handlers is not a list of MSW handlers, or a function that returns one: [http.get(…), …].',
    )
  }
  return {
    // One that is listed twice stays one.
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

/** Calls what MSW itself calls on its handlers. Earlier versions of MSW do not have it, and the types of MSW 2 hide it. */
export function callIfAny(handlers: readonly RequestHandler[], name: 'reset' | 'restore'): void {
  for (const handler of handlers) Reflect.get(handler, name)?.call(handler)
}

/** Whether a response is that of `passthrough()`, by the header that it has. */
export function isPassthrough(response: Response): boolean {
  const own = passthrough()
  const [name = '', value] = [...own.headers][0] ?? []
  return response.status === own.status && response.headers.get(name) === value
}

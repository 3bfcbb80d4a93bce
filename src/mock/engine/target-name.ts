import type { RequestHandler } from 'msw'
import { type OperationName, operationNames } from '../../contract/operations.js'
import { withoutQuery } from '../../contract/without-query.js'

/** A user's handler, or a path that no handler answers: `GET /api/invoices/:id`, `query GetInvoices`. */
export type HandlerTarget = `${string} ${string}`

/** The name of a target: requests reach it, and outcomes, delay and chaos are set for it. */
export type TargetName = OperationName | HandlerTarget

/** An operation of the contract, a user's handler, or a path that no handler answers. */
export type TargetKind = 'operation' | 'handler' | 'unanswered'

/** A target with the parts of its name. */
export type Target = {
  target: TargetName
  kind: TargetKind
  /** `GET`, `ALL`, or for GraphQL `query`, `mutation`, `operation`. */
  method: string
  /** The path, or for GraphQL the name of the operation. */
  path: string
  /** Absent if the path is the matcher. */
  matcher?: 'regexp' | 'predicate'
}

/** The target of a method and a path. */
export function splitTarget(target: TargetName): Target {
  const [method = '', ...path] = target.split(' ')
  return { target, kind: 'unanswered', method, path: path.join(' ') }
}

/** The path as MSW parses it. Only `*` and whole segments such as `:id` are patterns. */
export const patternOf = (path: string): string =>
  path
    .replaceAll(/[^ -~]+/g, encodeURIComponent)
    .replaceAll(/^https?:\/\/[^/]+|\/:\w+[?+*]?(?=\/|$)|[(){}+\\]|:(?!\d)/g, (part) =>
      part.length === 1 ? `\\${part}` : part,
    )

/** A value for each of some targets. */
export type ByTarget<Value> = Partial<Record<OperationName, Value>> & Record<HandlerTarget, Value>

export const isOperation = (target: string): target is OperationName =>
  (operationNames as readonly string[]).includes(target)

/** The target of an MSW handler. @param origins the origins that are left out of its path */
export function placeOfHandler({ info }: RequestHandler, origins: readonly string[]): Target {
  const { header, method, path, operationType, operationName } = info as HandlerInfo
  if (operationType === 'all') return placed('operation', '*', operationName)
  if (operationType !== undefined) return placed(operationType, named(operationName), operationName)
  // A handler of another kind has only its name.
  if (path === undefined) return placed('handler', header)
  const shown = typeof path === 'string' ? withoutOrigin(path.replace(/^\*(?=\/)/, ''), origins) : named(path)
  return placed(typeof method === 'string' ? method.toUpperCase() : 'ALL', shown, path)
}

type HandlerInfo = {
  header: string
  method?: unknown
  path?: unknown
  operationType?: string
  operationName?: unknown
}

const placed = (method: string, path: string, matcher?: unknown): Target => ({
  target: `${method} ${path}`,
  kind: 'handler',
  method,
  path,
  ...(typeof matcher === 'function' && { matcher: 'predicate' }),
  ...(matcher instanceof RegExp && { matcher: 'regexp' }),
})

/** A text or a regular expression unchanged; the name of a predicate. */
const named = (matcher: unknown): string =>
  typeof matcher === 'function' ? `[${matcher.name || 'predicate'}]` : String(matcher)

/** The target of a request's exact path. */
export const exactTarget = (
  { method, url }: Pick<Request, 'method' | 'url'>,
  origins: readonly string[],
): HandlerTarget => `${method} ${withoutOrigin(withoutQuery(url), origins)}`

/** The target of a request that no handler answers. Requests that differ only in ids share it. */
export function placeOfRequest(request: Pick<Request, 'method' | 'url'>, origins: readonly string[]): Target {
  let ids = 0
  const target = exactTarget(request, origins)
    .split('/')
    .map((segment) => {
      if (!isId.test(segment)) return segment
      ids += 1
      return ids === 1 ? ':id' : `:id${ids}`
    })
    .join('/')
  return splitTarget(target as HandlerTarget)
}

/** A number, a UUID, or a long text with a digit. */
const isId = /^(\d+|(?=.*\d)[\w-]{16,})$/

/** A URL as a path, if its origin is one of these. */
export function withoutOrigin(url: string, origins: readonly string[]): string {
  const origin = origins.find((candidate) => url.startsWith(`${candidate}/`))
  return origin === undefined ? url : url.slice(origin.length)
}

import { maxBodyBytes, type OperationName } from '../../contract/operations.js'
import { curlLine } from '../../pages/curl-line.js'
import type { ForcedAnswer, ForcedBy } from './forcing.js'
import type { LoggedExchange } from './logged-exchange.js'
import type { TargetKind, TargetName } from './target-name.js'

/** An entry of the log: a request, its caller and its outcome. */
export type LogEntry = {
  id: number
  /** When the reply was ready, RFC 3339. */
  time: string
  /** The space, if it is not the common one. */
  space?: string
  method: string
  /** The path; where it is not one of an operation, with its query. */
  path: string
  /** The operation, the user's handler, or the path that no handler answers. */
  target: TargetName
  kind: TargetKind
  operation?: OperationName
  /** The names of the query parameters that the operation ignores. */
  ignoredQuery?: string[]
  /** The operation of a GraphQL request, such as `query GetUser`. */
  graphql?: string
  /** The id of the persona that was signed in. */
  session?: string
  /** 0 if there was no response. */
  status: number
  /** The error code of the reply. */
  code?: string
  /** The check, handler or scenario that decided the outcome, in words. */
  why: string
  /** What decided it in place of a check or a handler. */
  forcedBy?: ForcedBy
  /** The duration in milliseconds, delay included. */
  ms: number
  /** A curl command that repeats the request. */
  curl: string
}

/** An entry as the log stores it: its curl command is made when it is read. */
export type StoredEntry = Omit<LogEntry, 'curl'> & {
  exchange: LoggedExchange
  forced?: ForcedAnswer
  /** The positions in the history before and after what the request changed. */
  before: number
  after: number
}

/** The entry as listeners and `read` get it. The curl command is made when it is read. */
export function toEntry(stored: StoredEntry): LogEntry {
  const { exchange: _, before: __, after: ___, forced: ____, ...entry } = stored
  return {
    ...entry,
    get curl() {
      return curlOf(stored)
    },
  }
}

const tooLarge = new Uint8Array(maxBodyBytes + 1).fill(0x30)

/** The body of a stored request, to send it again; one that was too large for an operation as one that is too large. */
export function bodyToSend({ kind, exchange: { request } }: StoredEntry): Uint8Array | undefined {
  const { length, bytes } = request.body ?? { length: 0, bytes: new Uint8Array() }
  return bytes ?? (kind === 'operation' && length > maxBodyBytes ? tooLarge : undefined)
}

/** What a request is repeated with: without headers that are those of its connection. */
export function repeatable(stored: StoredEntry) {
  const { method, space, code, exchange } = stored
  const { url, cookie, headers } = exchange.request
  const names = [
    'content-type',
    'prefer',
    ...(code === 'CROSS_SITE_REFUSED' ? ['origin', 'sec-fetch-site'] : []),
  ]
  return {
    method,
    url,
    cookie,
    headers: {
      ...Object.fromEntries(names.map((name) => [name, headers[name] ?? null])),
      'x-mock-space': space ?? null,
    },
    body: bodyToSend(stored) ?? new Uint8Array(),
  }
}

const curlOf = (stored: StoredEntry): string => {
  const line = curlLine(repeatable(stored))
  return bodyToSend(stored) ? line : `${line} # without its body, which is no longer stored`
}

import { maxBodyBytes } from '../../contract/limits.js'
import type { OperationName } from '../../contract/operations.js'
import { curlLine } from '../../pages/curl-line.js'
import type { ForcedAnswer, ForcedBy } from '../engine/forcing.js'
import type { TargetKind, TargetName } from '../engine/target-name.js'
import type { ChangedRecord } from './log-summary.js'
import type { LoggedExchange } from './logged-exchange.js'

/** An entry of the log: a request, its caller and its outcome. */
export type LogEntry = {
  id: number
  /** When the reply was ready, RFC 3339. */
  time: string
  /** The space, if it is not the common one. */
  space?: string
  method: string
  /** The path. For targets other than operations with its query. */
  path: string
  /** The operation, the user's handler, or the path that no handler answers. */
  target: TargetName
  kind: TargetKind
  operation?: OperationName
  ignoredQuery?: string[]
  /** The operation of a GraphQL request, such as `query GetUser`. */
  graphql?: string
  /** The id of the persona that was signed in. */
  session?: string
  /** 0 if there was no response. */
  status: number
  /** The error code of the reply. */
  code?: string
  /** The check, handler or scenario that decided the outcome, as text. */
  why: string
  /** The source of a forced outcome. */
  forcedBy?: ForcedBy
  /** Whether the client aborted the request before it had the whole response. */
  aborted?: boolean
  /** The records of the state that the request changed: the first ten. */
  changed?: ChangedRecord[]
  /** The first fault of an invalid body, such as `name: must not be empty`. */
  fault?: string
  /** The name or the address in the body of a request that was refused for another reason. */
  about?: string
  /** The duration in milliseconds, delay included. */
  ms: number
  /** A curl command that repeats the request. */
  curl: string
}

/** An entry as stored. Its curl command is made when it is read. */
export type StoredEntry = Omit<LogEntry, 'curl'> & {
  exchange: LoggedExchange
  forced?: ForcedAnswer
  /** The file that the entry was loaded from, if it was. */
  loaded?: object | undefined
  /** The positions in the history before and after the changes of the request. */
  before: number
  after: number
}

/** The entry for listeners and `read`, with its curl command. */
export function toEntry(stored: StoredEntry): LogEntry {
  const { exchange: _, before: __, after: ___, forced: ____, loaded: _____, ...entry } = stored
  return {
    ...entry,
    get curl() {
      return curlOf(stored)
    },
  }
}

const tooLarge = new Uint8Array(maxBodyBytes + 1).fill(0x30)

/** The body with which a stored request is sent again. A too large one is replaced by another too large one. */
export function bodyToSend({ kind, exchange: { request } }: StoredEntry): Uint8Array | undefined {
  const { length, bytes } = request.body ?? { length: 0, bytes: new Uint8Array() }
  return bytes ?? (kind === 'operation' && length > maxBodyBytes ? tooLarge : undefined)
}

/** The request to repeat, without headers of its connection. */
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

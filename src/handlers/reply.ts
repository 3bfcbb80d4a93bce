import { type ErrorCode, errors, type OperationalErrorCode } from '../contract/errors.js'
import { messageOf } from '../contract/messages.js'
import type { Operation } from '../contract/operations.js'
import { errorFormAt } from '../contract/route.js'
import type { ValidationDetails } from '../contract/schemas.js'
import type { Failure } from './handler.js'

type Headed = { status: number; headers: Record<string, string> }

/** `version` is the team's in the statement that read the body, see `Versioned`. */
export type SuccessReply<Body = unknown> = Headed & { body: Body; code?: undefined; version?: string }

/** An error. `replyBody` makes its body when it is sent. */
export type ErrorReply = Headed & {
  code: ErrorCode
  message: string
  /** For VALIDATION_FAILED: the faults by field (section 2.5). */
  details?: ValidationDetails | null
}

/** A response as plain data. An adapter sends it with the body of `replyBody`. */
export type Reply<Body = unknown> = SuccessReply<Body> | ErrorReply

/** The URL of the page about a code (section 2.4). */
export type DocsUrl = (code: ErrorCode) => string

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** @param body undefined for a success without a body */
export const successReply = (status: number, body: unknown): SuccessReply => ({
  status,
  headers: body === undefined ? { 'cache-control': 'no-store' } : headers,
  body,
})

export function failureReply(operation: Operation, failure: Failure): ErrorReply {
  const entry = errors[failure.failed]
  const status = failure.status ?? entry.status
  const message = operation.errorTexts?.[status] ?? failure.message ?? messageOf(operation, failure.failed)
  return { status, headers, code: failure.failed, message, details: failure.details }
}

/** Seconds until a refused client may try again. */
const retryAfter = 1

/** A reply for a condition of the service, with further headers such as Allow. */
export function operationalReply(code: OperationalErrorCode, more: Record<string, string> = {}): ErrorReply {
  const { status, message } = errors[code]
  const retry: Record<string, string> =
    status === 429 || status === 503 ? { 'retry-after': String(retryAfter) } : {}
  return { status, headers: { ...headers, ...retry, ...more }, code, message }
}

/** A reply to a request that reaches no operation, since a part of it cannot be read, such as its head or its Host. */
export const unreadableReply = (status: number, message: string): ErrorReply => ({
  status,
  headers,
  code: 'VALIDATION_FAILED',
  message,
})

/**
 * The body of a reply. All errors of a path have one form (section 7).
 * @param path the path of the request as sent; empty if it is unknown
 */
export function replyBody<Body>(reply: Reply<Body>, path: string, docsUrl: DocsUrl): Body | object {
  if (reply.code === undefined) return reply.body
  const { status, code, message, details } = reply
  if (errorFormAt(path) === 'short') return { error: message }
  return {
    error: message,
    code,
    docsUrl: docsUrl(code),
    // A 422 always has the validation error body, other statuses never.
    ...(status === 422 && { details: details ?? null }),
  }
}

import { type ErrorCode, errors, type OperationalErrorCode } from '../contract/errors.js'
import type { Operation } from '../contract/operations.js'
import type { Failure } from './handler.js'

/** A response as plain data; an adapter only sends it. */
export type Reply = {
  status: number
  headers: Record<string, string>
  body: unknown
  /** The error code of the body, for logs. */
  code?: ErrorCode
}

/** Link to the page about a code (section 2.4). */
export type DocsUrl = (code: ErrorCode) => string

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

export const successReply = (status: number, body: unknown): Reply => ({ status, headers, body })

/** An operation's failure, in the form of section 7. */
export function failureReply(operation: Operation, failure: Failure, docsUrl: DocsUrl): Reply {
  const entry = errors[failure.failed]
  const status = failure.status ?? entry.status
  const message = failure.message ?? entry.message
  const body =
    operation.errorForm === 'short'
      ? { error: operation.shortMessage ?? message }
      : {
          error: message,
          code: failure.failed,
          docsUrl: docsUrl(failure.failed),
          // A 422 always has the validation error body, other statuses never (section 7).
          ...(status === 422 && { details: failure.details ?? null }),
        }
  return { status, headers, body, code: failure.failed }
}

/** Seconds after which a refused client may try again. */
const retryAfter = 1

/** A reply to a condition of running a service; `more` adds headers such as Allow. */
export function operationalReply(
  code: OperationalErrorCode,
  docsUrl: DocsUrl,
  more: Record<string, string> = {},
): Reply {
  const { status, message } = errors[code]
  const retry: Record<string, string> =
    status === 429 || status === 503 ? { 'retry-after': String(retryAfter) } : {}
  return {
    status,
    headers: { ...headers, ...retry, ...more },
    body: { error: message, code, docsUrl: docsUrl(code) },
    code,
  }
}

/** A reply to a request that is not valid HTTP, or too slow: no operation is known yet. */
export const unreadableReply = (status: number, message: string, docsUrl: DocsUrl): Reply => ({
  status,
  headers,
  body: { error: message, code: 'VALIDATION_FAILED', docsUrl: docsUrl('VALIDATION_FAILED') },
  code: 'VALIDATION_FAILED',
})

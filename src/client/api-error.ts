import type { ErrorCode } from '../contract/errors.js'
import type { ValidationDetails } from './result.js'

/** The parts of an error response. */
type Failed = {
  status: number
  code: ErrorCode
  body: { error: string; docsUrl?: string; details?: ValidationDetails | null }
  retryAfter?: number
}

/** An error response of the service, thrown by `createClient({ throwing: true })`. `message` is its `error`. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The method and the path, e.g. `POST /v1/projects`. */
  readonly endpoint: string
  readonly status: number
  readonly code: ErrorCode
  /** The URL of the page about the code. Errors of the session and the waitlist operation have none (section 7). */
  readonly docsUrl?: string
  /** The faults of the request body, for status 422. Null if the body could not be read. */
  readonly details?: ValidationDetails | null
  /** The value of the Retry-After header, in seconds. */
  readonly retryAfter?: number

  constructor(endpoint: string, { status, code, body, retryAfter }: Failed) {
    super(body.error)
    this.endpoint = endpoint
    this.status = status
    this.code = code
    this.docsUrl = body.docsUrl
    this.details = body.details
    this.retryAfter = retryAfter
  }
}

/** The response is not one of the interface, such as a page of a proxy, or a body that is cut. */
export class UnexpectedReplyError extends Error {
  override name = 'UnexpectedReplyError'
  readonly status: number
  /** The value of the Retry-After header, in seconds. */
  readonly retryAfter?: number

  constructor(
    endpoint: string,
    status: number,
    what: string,
    { retryAfter, cause }: { retryAfter?: number; cause?: unknown },
  ) {
    super(`${endpoint} answered ${status} ${what}: look at the response, and at baseUrl.`, { cause })
    this.status = status
    this.retryAfter = retryAfter
  }
}

import type { ErrorCode, errors } from '../contract/errors.js'
import type { Operation } from '../contract/operation.js'
import { UnexpectedReplyError } from './api-error.js'
import { errorBody, shortErrorBody, validationErrorBody } from './checks.js'
import type { CancelSignal, FetchResponse } from './fetch-types.js'

/** The parts of an operation that the client checks. */
export type Endpoint = {
  /** E.g. `POST /v1/projects`. */
  at: string
  status: number
  isBody(value: unknown): boolean
  errorForm: Operation['errorForm']
}

export type FailedReply = {
  ok: false
  status: number
  code: ErrorCode
  body: { error: string }
  retryAfter?: number
}

// The codes of error bodies without one (section 7).
const codes: Record<number, ErrorCode> = {
  401: 'AUTH_REQUIRED',
  403: 'CROSS_SITE_REFUSED',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} satisfies { [Code in ErrorCode as (typeof errors)[Code]['status']]?: Code }
const faultStatuses = [400, 408, 413, 422, 431]

/**
 * Reads the response of an endpoint.
 * @throws UnexpectedReplyError if the service does not send such a response there
 */
export async function readReply(
  { at, status: successStatus, isBody, errorForm }: Endpoint,
  response: FetchResponse,
  signal?: CancelSignal,
): Promise<{ ok: true; status: number; body: unknown } | FailedReply> {
  const { status, headers } = response
  const retryAfter = secondsOf(headers.get('retry-after'))
  const unexpected = (what: string, cause?: unknown) =>
    new UnexpectedReplyError(at, status, what, { retryAfter, cause })

  const readBody = async (): Promise<unknown> => {
    const isJson = /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
    if (!isJson) throw unexpected('without JSON')
    try {
      return await response.json()
    } catch (error) {
      throw signal?.aborted ? error : unexpected('with a body that is empty, cut or not JSON', error)
    }
  }

  if (response.ok) {
    const body = status === 204 ? undefined : await readBody()
    if (status === successStatus && isBody(body)) return { ok: true, status, body }
    throw unexpected('with a success that the interface does not have')
  }
  const body = await readBody()
  const isShort = errorForm === 'short'
  const isErrorBody = isShort ? shortErrorBody : status === 422 ? validationErrorBody : errorBody
  if (!isErrorBody(body)) throw unexpected('without an error of the interface')
  const shortCode = faultStatuses.includes(status) ? 'VALIDATION_FAILED' : codes[status]
  const code = isShort ? shortCode : (body as unknown as { code: ErrorCode }).code
  if (!code || isOfNoOperation(code, at)) throw unexpected(`with the error ${code ?? body.error}`)
  return { ok: false, status, code, body, ...(retryAfter !== undefined && { retryAfter }) }
}

/** Whether a code means that a request reached no operation, or is a code of changes only. */
const isOfNoOperation = (code: ErrorCode, at: string): boolean =>
  code === 'NOT_FOUND' ||
  code === 'METHOD_NOT_ALLOWED' ||
  (code === 'CROSS_SITE_REFUSED' && at.startsWith('GET '))

/** The seconds of a Retry-After header, which is a number or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

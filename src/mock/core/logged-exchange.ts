import { maxBodyBytes, type OperationName, operations } from '../../contract/operations.js'
import type { Target } from './target-name.js'

/** A request and its response as the log stores them. */
export type LoggedExchange = {
  request: {
    url: string
    headers: Record<string, string>
    /** The session cookie: the name of a persona, `active`, or a placeholder for one that is not the mock's. */
    cookie?: string
    /** The whole length in bytes, and the body if it is stored. */
    body?: { length: number; bytes?: Uint8Array }
  }
  response?: LoggedMessage
}

/** A request or a response, as details show it. */
export type LoggedMessage = {
  /** Without cookies but the mock's own. Of a header that may hold a secret, the value is `(not logged)`. */
  headers: Record<string, string>
  /**
   * Absent if the message has none. `length` is the whole length in characters; in bytes of a body whose text was never
   * stored. The text is shorter if the body was too long, and absent if it is not stored.
   */
  body?: { length: number; text?: string }
}

/** Of a request that is too large for the interface, only the size matters. */
export const maxLoggedChars = 64 * 1024

/** The headers whose values are logged. Of others, a secret may be the value. */
const logged = new Set(
  [
    'accept accept-encoding accept-language access-control-request-headers access-control-request-method',
    'cache-control connection content-encoding content-length content-type dnt host if-match if-modified-since',
    'if-none-match origin pragma prefer priority range traceparent upgrade-insecure-requests user-agent via',
    'x-mock-space x-request-id x-requested-with',
  ]
    .join(' ')
    .split(' '),
)

/** The longest value of a header that is logged. */
const maxHeader = 1024

export const hiddenValue = '(not logged)'

/**
 * The headers of a request for the log: without cookies, of `referer` no query, and of headers that may hold a secret
 * only the name.
 */
export function loggedHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (name === 'cookie' || value === undefined) continue
    if (name === 'referer') result[name] = value.replace(/[?#].*$/s, '').slice(0, maxHeader)
    else if (logged.has(name) || name.startsWith('sec-')) result[name] = value.slice(0, maxHeader)
    else result[name] = hiddenValue
  }
  return result
}

/** A URL for the log: the query of an operation that has one, elsewhere without values that may be secrets. */
export function loggedUrl(url: string, { target, kind }: Target): string {
  const [address = '', query] = url.replace(/#.*$/s, '').split(/\?(.*)/s)
  if (!query) return address
  if (kind === 'operation')
    return 'query' in operations[target as OperationName] ? `${address}?${query}` : address
  return `${address}?${query.replaceAll(secretValue, `$1${encodeURIComponent(hiddenValue)}`)}`
}

const secretValue =
  /((?:^|&)(?:[^=&]*(?:token|secret|password|signature|api_?key)[^=&]*|code|key|sig|auth)=)[^&]*/gi

/** The body of a request for the log. */
export function requestBody(body: Uint8Array): LoggedExchange['request']['body'] {
  if (body.length === 0) return undefined
  return { length: body.length, bytes: body.length > maxBodyBytes ? undefined : body }
}

/** The body of a response for the log. */
export function responseBody(body: string | null): LoggedMessage['body'] {
  if (!body) return undefined
  if (body.length <= maxLoggedChars) return { length: body.length, text: body }
  // A part of a text holds on to all of it; the copy does not.
  return { length: body.length, text: decoder.decode(encoder.encode(body.slice(0, maxLoggedChars))) }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

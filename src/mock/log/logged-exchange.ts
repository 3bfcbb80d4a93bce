import { maxBodyBytes } from '../../contract/limits.js'
import { type OperationName, operations } from '../../contract/operations.js'
import { withoutQuery } from '../../contract/without-query.js'
import type { Target } from '../engine/target-name.js'

/** A request and its response, as stored. */
export type LoggedExchange = {
  request: {
    url: string
    headers: Record<string, string>
    /** The session cookie: the name of a persona, `active`, or a placeholder for an unknown one. */
    cookie?: string
    /** The whole length in bytes, and the body if it is stored. */
    body?: { length: number; bytes?: Uint8Array }
  }
  response?: LoggedMessage
}

/** A request or a response, as details show it. */
export type LoggedMessage = {
  /** Only cookies of the mock are included. A value that may be secret is `(not logged)`. */
  headers: Record<string, string>
  /**
   * `length` is the whole length in characters, or in bytes for a body whose text was never stored. The text is cut if it is
   * too long, and absent if it is not stored.
   */
  body?: { length: number; text?: string }
}

/** Longer bodies are cut. Only the size of a too large request matters. */
export const maxLoggedChars = 64 * 1024

/** The headers whose values are logged. Other values may be secret. */
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

/** The longest logged value of a header. */
const maxHeader = 1024

export const hiddenValue = '(not logged)'

/**
 * The headers of a request for the log. Unknown cookies, the query of `referer` and values that may be secret are left out.
 */
export function loggedHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (name === 'cookie' || value === undefined) continue
    if (name === 'referer') result[name] = withoutQuery(value).slice(0, maxHeader)
    else if (logged.has(name) || name.startsWith('sec-')) result[name] = value.slice(0, maxHeader)
    else result[name] = hiddenValue
  }
  return result
}

/** A URL for the log. Only an operation with a query keeps its values: others may be secret. */
export function loggedUrl(url: string, { target, kind }: Target): string {
  const [address = '', query] = url.replace(/#.*$/s, '').split(/\?(.*)/s)
  if (!query) return address
  if (kind === 'operation')
    return 'query' in operations[target as OperationName] ? `${address}?${query}` : address
  return `${address}?${query.replaceAll(secretValue, `$1${encodeURIComponent(hiddenValue)}`)}`
}

const secretValue =
  /((?:^|&)(?:[^=&]*(?:token|secret|password|signature|api_?key)[^=&]*|code|key|sig|auth)=)[^&]*/gi

export function requestBody(body: Uint8Array): LoggedExchange['request']['body'] {
  if (body.length === 0) return undefined
  return { length: body.length, bytes: body.length > maxBodyBytes ? undefined : body }
}

export function responseBody(body: string | null): LoggedMessage['body'] {
  if (!body) return undefined
  if (body.length <= maxLoggedChars) return { length: body.length, text: body }
  // Encoded and decoded, since a part of a text would keep the whole text in memory.
  return { length: body.length, text: decoder.decode(encoder.encode(body.slice(0, maxLoggedChars))) }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

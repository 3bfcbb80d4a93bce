import { sessionCookie } from '../contract/cookie.js'
import { maxBodyBytes } from '../contract/limits.js'
import { controlCharacters, shellQuote } from './shell-quote.js'

/** The parts of a request that are needed to repeat it. */
export type RepeatableRequest = {
  method: string
  url: string
  /** The id of a persona, `active`, or a placeholder for an unknown cookie. */
  cookie?: string
  /** Further headers; null removes a header. */
  headers: Record<string, string | null>
  body: Uint8Array
}

/** A curl command for a POSIX shell that repeats a request. */
export function curlLine({ method, url, cookie, headers, body }: RepeatableRequest): string {
  const sent = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]))
  const { producer = '', option = '' } = curlBody(body)
  return [
    `${producer}curl -i`,
    // curl would expand these.
    /[[\]{}]/.test(url) && '-g',
    method === 'HEAD' ? '-I' : method === 'GET' && !option ? '' : `-X ${shellQuote(method)}`,
    shellQuote(url),
    cookie !== undefined && `-b ${shellQuote(`${sessionCookie}=${encodeURIComponent(cookie)}`)}`,
    ...sent.map(({ name, value }) => `-H ${shellQuote(`${name}: ${value}`.replace(controlCharacters, '?'))}`),
    // Otherwise curl would send a content type of its own.
    option && headers['content-type'] === null && `-H 'content-type:'`,
    option,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The default address of `dashboard-api dev`. */
export const defaultMockUrl = 'http://localhost:4010'

/** A curl command that sends a request to the mock. */
export const mockLine = (
  method: string,
  path: string,
  { json, persona, code, mockUrl = defaultMockUrl }: MockRequest,
): string =>
  curlLine({
    method,
    url: mockUrl + path,
    cookie: persona,
    headers: { 'content-type': json ? 'application/json' : null, prefer: code ? `code=${code}` : null },
    body: new TextEncoder().encode(JSON.stringify(json)),
  })

type MockRequest = {
  json?: unknown
  /** The persona whose session is sent. */
  persona?: string
  /** The error to force. */
  code?: string
  mockUrl?: string
}

/** The option that sends a body, or a command whose output is piped to it. */
function curlBody(body: Uint8Array): { producer?: string; option?: string } {
  if (body.length === 0) return {}
  const fromStdin = '--data-binary @-'
  // Only the size of a too large body matters.
  if (body.length > maxBodyBytes)
    return { producer: `head -c ${maxBodyBytes + 1} /dev/zero | `, option: fromStdin }
  const text = textOf(body)
  if (text === undefined) return { producer: `printf '${octal(body)}' | `, option: fromStdin }
  if (!text.match(controlCharacters)) return { option: `--data-raw ${shellQuote(text)}` }
  // Escaped, since a terminal would obey them.
  const format = text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    // printf would take it for an option.
    .replace(/^-/, '\\055')
    .replace(controlCharacters, (char) => octal(new TextEncoder().encode(char)))
  return { producer: `printf ${shellQuote(format)} | `, option: fromStdin }
}

const octal = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')

/** Returns undefined for bytes that are not UTF-8. */
export function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}

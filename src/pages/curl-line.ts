import { sessionCookie } from '../contract/cookie.js'
import { maxBodyBytes } from '../contract/operations.js'

/** The parts of a request that are needed to repeat it. */
export type RepeatableRequest = {
  method: string
  url: string
  /** The name of a persona, `active`, or a placeholder for a cookie that is not the mock's. */
  cookie?: string
  /** Further headers; null for a header that the request does not have. */
  headers: Record<string, string | null>
  body: Uint8Array
}

/** A curl command for a POSIX shell that repeats a request. */
export function curlLine({ method, url, cookie, headers, body }: RepeatableRequest): string {
  const sent = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  const { producer = '', option = '' } = curlBody(body)
  return [
    `${producer}curl -i`,
    method === 'HEAD' ? '-I' : method === 'GET' && !option ? '' : `-X ${method}`,
    quote(url),
    cookie !== undefined && `-b ${quote(`${sessionCookie}=${encodeURIComponent(cookie)}`)}`,
    ...sent.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    // Without this option curl would send a content type of its own.
    option && headers['content-type'] === null && `-H 'content-type:'`,
    option,
  ]
    .filter(Boolean)
    .join(' ')
}

const quote = (text: string): string =>
  /^[\w:/.=%@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The option that sends a body, and the command whose output is piped to it. */
function curlBody(body: Uint8Array): { producer?: string; option?: string } {
  if (body.length === 0) return {}
  const fromStdin = '--data-binary @-'
  // Only the size of a body that is too large matters.
  if (body.length > maxBodyBytes)
    return { producer: `head -c ${maxBodyBytes + 1} /dev/zero | `, option: fromStdin }
  const text = textOf(body)
  if (text !== undefined) return { option: `--data-raw ${quote(text)}` }
  const octal = [...body].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  return { producer: `printf '${octal}' | `, option: fromStdin }
}

/** The body as text; undefined if a shell argument cannot hold it. */
function textOf(body: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

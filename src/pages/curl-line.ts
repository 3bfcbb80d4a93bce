import { sessionCookie } from '../contract/cookie.js'
import { maxBodyBytes } from '../contract/operations.js'

/** What of a request it takes to repeat it. */
export type Repeatable = {
  method: string
  url: string
  /** The name of a persona, `active`, or what stands for a cookie that is not the mock's. */
  cookie?: string
  /** Further headers; null where the request has none. */
  headers: Record<string, string | null>
  body: Uint8Array
}

/** A request as a line for a POSIX shell. */
export function curlLine({ method, url, cookie, headers, body }: Repeatable): string {
  const given = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  const { before = '', option = '' } = bodyOf(body)
  return [
    `${before}curl -i`,
    method === 'HEAD' ? '-I' : method === 'GET' && !option ? '' : `-X ${method}`,
    quote(url),
    cookie !== undefined && `-b ${quote(`${sessionCookie}=${encodeURIComponent(cookie)}`)}`,
    ...given.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    // curl names a content type of its own where it is told none.
    option && headers['content-type'] === null && `-H 'content-type:'`,
    option,
  ]
    .filter(Boolean)
    .join(' ')
}

const quote = (text: string): string =>
  /^[\w:/.=%@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

function bodyOf(body: Uint8Array): { before?: string; option?: string } {
  if (body.length === 0) return {}
  const piped = '--data-binary @-'
  // Of a body that is too large nothing but its size matters.
  if (body.length > maxBodyBytes) return { before: `head -c ${maxBodyBytes + 1} /dev/zero | `, option: piped }
  const text = asText(body)
  if (text !== undefined) return { option: `--data-raw ${quote(text)}` }
  const octal = [...body].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  return { before: `printf '${octal}' | `, option: piped }
}

/** A body that a shell takes as it is. */
function asText(body: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

import { sessionCookie } from '../../contract/cookie.js'
import { maxBodyBytes } from '../../contract/limits.js'
import { type RepeatableRequest, textOf } from '../../pages/curl-line.js'
import { controlCharacters } from '../../pages/shell-quote.js'

/** A call of `fetch` that repeats a request, in a page (with the page's own cookie) and in Node. */
export function fetchCall({ method, url, cookie, headers, body }: RepeatableRequest): string {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  )
  if (cookie !== undefined) sent.push(['cookie', `${sessionCookie}=${encodeURIComponent(cookie)}`])
  const lines = [
    method !== 'GET' && `method: ${literal(method)},`,
    `credentials: 'include',`,
    sent.length > 0 &&
      `headers: { ${sent.map(([name, value]) => `${literal(name)}: ${literal(value)}`).join(', ')} },`,
    body.length > 0 && `body: ${bodyLiteral(body)},`,
  ]
  const options = lines.flatMap((line) => (line ? [`  ${line}\n`] : []))
  return `await fetch(${literal(url)}, {\n${options.join('')}})`
}

/** A string of JavaScript, without characters that a terminal would obey. */
export function literal(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replace(controlCharacters, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
  return `'${escaped}'`
}

function bodyLiteral(body: Uint8Array): string {
  if (body.length > maxBodyBytes) return `'0'.repeat(${maxBodyBytes + 1})`
  const text = textOf(body)
  return text === undefined ? `new Uint8Array([${body.join(', ')}])` : literal(text)
}

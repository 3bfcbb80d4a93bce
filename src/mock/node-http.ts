import type { IncomingMessage, ServerResponse } from 'node:http'
import { maxBodyBytes } from '../contract/operations.js'

/**
 * A node request as a Fetch request to the same path of `baseUrl`, headers as they were sent.
 * Of a body that is too large only as much is kept as it takes to see that.
 * @throws TypeError for a method that Fetch does not know (TRACE, CONNECT)
 */
export async function toFetchRequest(incoming: IncomingMessage, baseUrl: string): Promise<Request> {
  const { method = 'GET', rawHeaders } = incoming
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  // Present even where none was sent: this request's cookies are these, and nobody else's.
  if (!headers.has('cookie')) headers.set('cookie', '')

  const body = await readUpTo(incoming, maxBodyBytes + 1)
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0
  return new Request(`${baseUrl}${pathOf(incoming)}`, { method, headers, ...(hasBody && { body }) })
}

/** The path and query that were asked for; a proxy's client sends a whole URL. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  return URL.canParse(url) ? new URL(url).pathname + new URL(url).search : '/'
}

async function readUpTo(incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    if (length < limit) chunks.push(chunk)
    length += chunk.length
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, limit))
}

/** Writes a Fetch response out, each Set-Cookie in a header of its own. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value)
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  outgoing.end(new Uint8Array(await response.arrayBuffer()))
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/**
 * A node request as a Fetch request to the same path of `baseUrl`, headers as they were sent. It is aborted when
 * the client leaves. Of a body that is too large only as much is kept as it takes to see that.
 * @param limit how many bytes a body may have
 * @throws TypeError for a method that Fetch does not know (TRACE, CONNECT)
 */
export async function toFetchRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  baseUrl: string,
  limit: number,
): Promise<Request> {
  const { method = 'GET', rawHeaders } = incoming
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  // Present even where none was sent: this request's cookies are these, and nobody else's.
  if (!headers.has('cookie')) headers.set('cookie', '')

  const left = new AbortController()
  outgoing.once('close', () => left.abort())
  const body = await readUpTo(incoming, limit + 1)
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0
  const { signal } = left
  return new Request(`${baseUrl}${pathOf(incoming)}`, { method, headers, signal, ...(hasBody && { body }) })
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

/**
 * Writes a Fetch response out, each Set-Cookie in a header of its own. Events go out as they come; a network
 * error is a broken connection.
 */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  if (response.type === 'error') {
    // A browser sends a request again by itself where a connection that it had used before ends without a byte:
    // it gets one, which is no HTTP.
    outgoing.socket?.write('\0')
    outgoing.socket?.destroySoon()
    return
  }
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value)
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), outgoing)
  } else {
    outgoing.end(new Uint8Array(await response.arrayBuffer()))
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { cookieSentOnce } from '../contract/cookie.js'
import type { Leaving } from './core/delays.js'
import type { Asked, MockReply } from './core/mock-handler.js'

/**
 * A node request as one to `url`, headers as they were sent. Of a body that is too large only as much
 * is kept as it takes to see that; GET and HEAD have none.
 * @param limit how many bytes a body may have
 */
export async function readRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: URL,
  limit: number,
): Promise<Asked> {
  const { method = 'GET', rawHeaders } = incoming
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  const signal = leavingOf(outgoing)
  const body = await readUpTo(incoming, limit + 1)
  return {
    method,
    url,
    headers,
    cookie: cookieSentOnce(headers.get('cookie') ?? ''),
    signal,
    body: method === 'GET' || method === 'HEAD' ? new Uint8Array() : body,
  }
}

/** The path and query that were asked for; a proxy's client sends a whole URL. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  return URL.canParse(url) ? new URL(url).pathname + new URL(url).search : '/'
}

function leavingOf(outgoing: ServerResponse): Leaving {
  const leaving = {
    aborted: false,
    addEventListener: (_: 'abort', listener: () => void) => void outgoing.once('close', listener),
    removeEventListener: (_: 'abort', listener: () => void) => void outgoing.off('close', listener),
  }
  outgoing.once('close', () => {
    leaving.aborted = true
  })
  return leaving
}

const readUpTo = (incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    incoming.on('data', (chunk: Buffer) => {
      if (length < limit) chunks.push(chunk)
      length += chunk.length
    })
    incoming.once('end', () => resolve(new Uint8Array(Buffer.concat(chunks).subarray(0, limit))))
    incoming.once('error', reject)
  })

/** Writes a reply out; without one the connection breaks. */
export function sendReply(reply: MockReply | undefined, outgoing: ServerResponse): void {
  if (!reply) {
    // A browser sends a request again by itself where a connection that it had used before ends without a byte:
    // it gets one, which is no HTTP.
    outgoing.socket?.write('\0')
    outgoing.socket?.destroySoon()
    return
  }
  outgoing.statusCode = reply.status
  for (const [name, value] of Object.entries(reply.headers)) outgoing.setHeader(name, value)
  outgoing.end(reply.body ?? '')
}

/** Writes a Fetch response out; events go out as they come. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.setHeader(name, value)
  if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), outgoing)
  } else {
    outgoing.end(new Uint8Array(await response.arrayBuffer()))
  }
}

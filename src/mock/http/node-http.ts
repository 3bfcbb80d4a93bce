import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { cookieSentOnce } from '../../contract/cookie.js'
import type { AbortSignalLike } from '../core/delays.js'
import type { MockHttpRequest, MockReply } from '../core/mock-handler.js'

/** A request to a node server, of HTTP/1.1 or of HTTP/2. */
export type Incoming = Readable &
  Pick<IncomingMessage, 'aborted' | 'headers' | 'method' | 'rawHeaders' | 'socket' | 'url'>

/** Its answer; HTTP/2 has a stream for each, and `setHeader` gives nothing there. */
export type Outgoing = Writable &
  Pick<ServerResponse, 'socket' | 'statusCode'> & {
    setHeader(name: string, value: string): unknown
    stream?: Pick<ServerHttp2Stream, 'close'>
  }

/** INTERNAL_ERROR (RFC 9113, section 7): a browser does not send the request again by itself. */
const internalError = 2

/**
 * A node request as one to `url`, headers as they were sent. Of a body that is too large only as much
 * is kept as it takes to see that; GET and HEAD have none.
 * @param limit how many bytes a body may have
 * @throws Error where the client leaves before the body has ended
 */
export async function readRequest(
  incoming: Incoming,
  outgoing: Outgoing,
  url: URL,
  limit: number,
): Promise<MockHttpRequest> {
  const { method = 'GET', rawHeaders } = incoming
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    // HTTP/2 has the method, the path and the host among the headers.
    if (!name.startsWith(':')) headers.append(name, rawHeaders[i + 1] ?? '')
  }
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
export function pathOf({ url = '/' }: Incoming): string {
  if (url.startsWith('/')) return url
  return URL.canParse(url) ? new URL(url).pathname + new URL(url).search : '/'
}

/** The host that was asked for, with its port. Where HTTP/2 names one, a Host header beside it says nothing. */
export const hostOf = ({ headers }: Incoming): string => String(headers[':authority'] ?? headers.host ?? '')

function leavingOf(outgoing: Outgoing): AbortSignalLike {
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

const readUpTo = (incoming: Incoming, limit: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    incoming.on('data', (chunk: Buffer) => {
      if (length < limit) chunks.push(chunk)
      length += chunk.length
    })
    const read = () => resolve(new Uint8Array(Buffer.concat(chunks).subarray(0, limit)))
    // Of a client that leaves, HTTP/2 has an end like any other, and at once thereafter the close.
    incoming.once('end', () => ('stream' in incoming ? setImmediate(read) : read()))
    incoming.once('error', reject)
    incoming.once('close', () => {
      if (incoming.aborted) reject(new Error('The client left before its request was read.'))
    })
  })

/** Writes a reply out; without one the connection breaks, or of HTTP/2 the request's own stream in it. */
export function sendReply(reply: MockReply | undefined, outgoing: Outgoing): void {
  if (!reply && outgoing.stream) {
    outgoing.stream.close(internalError)
    return
  }
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
export async function sendResponse(response: Response, outgoing: Outgoing): Promise<void> {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.setHeader(name, value)
  if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), outgoing)
  } else {
    outgoing.end(new Uint8Array(await response.arrayBuffer()))
  }
}

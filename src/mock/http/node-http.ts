import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { textOf } from '../core/mock-handler.js'

/** A request to a Node server, over HTTP/1.1 or HTTP/2. */
export type NodeRequest = Readable &
  Pick<IncomingMessage, 'aborted' | 'headers' | 'httpVersion' | 'method' | 'rawHeaders' | 'socket' | 'url'>

/** Its response. Over HTTP/2 it has a stream, and `setHeader` returns nothing. */
export type NodeResponse = Writable &
  Pick<ServerResponse, 'socket' | 'statusCode' | 'statusMessage'> & {
    setHeader(name: string, value: string | readonly string[]): unknown
    stream?: Pick<ServerHttp2Stream, 'close' | 'destroyed'>
  }

/** INTERNAL_ERROR (RFC 9113, section 7). Browsers do not retry a request that ends with it. */
const http2InternalError = 2

/** Methods that a Fetch Request refuses. */
export const isForbiddenMethod = (method: string): boolean => /^(CONNECT|TRACE|TRACK)$/i.test(method)

/**
 * A Request whose URL is the one that was sent: a Request would resolve dot segments and replace backslashes. It takes
 * two shortcuts, because Node's own ways cost as much as the rest of the request: its body is read without its stream,
 * and its signal, which follows the connection, is made when it is first needed.
 */
class ClientRequest extends Request {
  readonly #url: string
  readonly #bytes: Uint8Array<ArrayBuffer> | undefined
  readonly #outgoing: NodeResponse
  #signal: AbortSignal | undefined

  constructor(
    url: string,
    init: RequestInit,
    bytes: Uint8Array<ArrayBuffer> | undefined,
    outgoing: NodeResponse,
  ) {
    super(url, { ...init, body: bytes })
    this.#url = url
    this.#bytes = bytes
    this.#outgoing = outgoing
  }

  override get url(): string {
    return this.#url
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(this.#bytes ?? []).buffer
  }

  override get signal(): AbortSignal {
    this.#signal ??= disconnectSignal(this.#outgoing)
    return this.#signal
  }
}

function disconnectSignal(outgoing: NodeResponse): AbortSignal {
  const controller = new AbortController()
  if (outgoing.destroyed || outgoing.stream?.destroyed) controller.abort()
  else outgoing.once('close', () => controller.abort())
  return controller.signal
}

/**
 * Makes a Fetch Request of a Node request, with the headers as Node reads them in production too: of some that may be sent
 * once, such as Content-Type, the first counts, and others are joined. GET and HEAD have no body.
 * @param limit the longest body in bytes. A longer one is cut to `limit + 1` bytes, so that the handler sees that it is too long.
 * @throws Error if the client disconnects before the end of the body
 */
export async function toRequest(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  url: string,
  limit: number,
): Promise<Request> {
  const { method = 'GET' } = incoming
  const headers = headersOf(incoming)
  const bytes = method === 'GET' || method === 'HEAD' ? undefined : await readUpTo(incoming, limit + 1)
  return new ClientRequest(url, { method, headers }, bytes?.length ? bytes : undefined, outgoing)
}

/** The headers as Node reads them. */
export function headersOf(incoming: NodeRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    // HTTP/2 pseudo-headers: method, path and host.
    if (!name.startsWith(':')) headers.set(name, String(value))
  }
  if (incoming.headers[':authority']) headers.set('host', requestHost(incoming))
  return headers
}

/** The requested host and port. HTTP/2's :authority overrides a Host header. */
export const requestHost = ({ headers }: NodeRequest): string =>
  String(headers[':authority'] ?? headers.host ?? '')

const readUpTo = (incoming: NodeRequest, limit: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    incoming.on('data', (chunk: Buffer) => {
      if (length < limit) chunks.push(chunk)
      length += chunk.length
    })
    const finish = () => resolve(Buffer.concat(chunks).subarray(0, limit))
    // Over HTTP/2 a disconnected client's request ends like a complete one, and closes right after.
    incoming.once('end', () => ('stream' in incoming ? setImmediate(finish) : finish()))
    incoming.once('error', reject)
    incoming.once('close', () => {
      if (incoming.aborted) reject(new Error('The client disconnected before its request was read.'))
    })
  })

/** Writes a Fetch Response. A stream stays one. A network error breaks the connection, or the HTTP/2 stream. */
export async function sendResponse(response: Response, outgoing: NodeResponse): Promise<void> {
  if (response.type === 'error') {
    breakConnection(outgoing)
    return
  }
  outgoing.statusCode = response.status
  // HTTP/2 has none.
  if (!outgoing.stream) outgoing.statusMessage = response.statusText
  response.headers.forEach((value, name) => void outgoing.setHeader(name, value))
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  const text = textOf(response)
  if (text === undefined && response.body && (await isStream(response))) {
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), outgoing)
  } else {
    // A string goes out with the headers in one write. What the mock itself serves is text.
    const body = text === undefined ? Buffer.from(await response.arrayBuffer()) : encodeOnce(text)
    // Node sends none to clients of HTTP/1.0.
    if (body.length > 0) outgoing.setHeader('content-length', String(Buffer.byteLength(body)))
    outgoing.end(body)
  }
}

/** Whether a body does not end with its first chunk. The length that a handler has copied may be that of another body. */
async function isStream(response: Response): Promise<boolean> {
  if (!response.headers.has('content-length')) return true
  const reader = response.clone().body?.getReader()
  await reader?.read()
  const isEnded = await Promise.race([reader?.read().then(({ done }) => done), nextTurn(false)])
  void reader?.cancel()
  return !isEnded
}

const largeChars = 1024 * 1024
let lastLarge: { text: string; bytes: Buffer } | undefined

/** The last large text is kept in bytes: to encode it for each of several connections takes its memory as often. */
function encodeOnce(text: string): string | Buffer {
  if (text.length < largeChars) return text
  if (lastLarge?.text !== text) lastLarge = { text, bytes: Buffer.from(text) }
  return lastLarge.bytes
}

function breakConnection({ stream, socket }: NodeResponse): void {
  if (stream) {
    stream.close(http2InternalError)
    return
  }
  // A browser retries a request if a reused connection closes without a byte. So send one, which is not HTTP.
  socket?.write('\0')
  socket?.destroySoon()
}

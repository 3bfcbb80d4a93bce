import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Answered, MockReply } from '../engine/mock-reply.js'
import { isEncoded } from './is-encoded.js'
import type { NodeResponse } from './node-types.js'

/** INTERNAL_ERROR (RFC 9113, section 7). Browsers do not retry a request that ends with it. */
const http2InternalError = 2

/** Writes an answer. An empty one breaks the connection, or the HTTP/2 stream. @param more further headers */
export async function sendAnswer(
  { reply, response }: Answered,
  outgoing: NodeResponse,
  method: string,
  more: Record<string, string>,
): Promise<void> {
  if (reply) sendReply(reply, outgoing, method, more)
  else if (response && response.type !== 'error') await sendResponse(response, outgoing, more)
  else breakConnection(outgoing)
}

/** Writes a reply. A reply to HEAD has the length of the body that GET would get. */
function sendReply(
  { status, headers, body, cookies }: MockReply,
  outgoing: NodeResponse,
  method: string,
  more: Record<string, string>,
): void {
  outgoing.statusCode = status
  for (const name in more) outgoing.setHeader(name, more[name] as string)
  for (const name in headers) outgoing.setHeader(name, headers[name] as string)
  if (cookies) outgoing.setHeader('set-cookie', cookies)
  const content = body === null ? undefined : encodeOnce(body)
  if (content !== undefined) outgoing.setHeader('content-length', String(Buffer.byteLength(content)))
  // Node sends a string with the headers in one write.
  outgoing.end(method === 'HEAD' ? undefined : content)
}

/** Writes the response of a user's handler. A stream stays one. */
async function sendResponse(
  response: Response,
  outgoing: NodeResponse,
  more: Record<string, string>,
): Promise<void> {
  outgoing.statusCode = response.status
  // HTTP/2 has no status text.
  if (!outgoing.stream) outgoing.statusMessage = response.statusText
  for (const name in more) outgoing.setHeader(name, more[name] as string)
  response.headers.forEach((value, name) => {
    if (ofConnection.has(name)) return
    const joined = name === exposed && more[name] !== undefined ? `${value}, ${more[name]}` : value
    if (joined !== value || more[name] === undefined) outgoing.setHeader(name, joined)
  })
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  const coding = response.headers.get('content-encoding')
  if (response.body && (await isStream(response))) {
    const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
    if (coding) await checkStart(body, coding, outgoing)
    await pipeline(body, outgoing)
    return
  }
  const body = Buffer.from(await response.arrayBuffer())
  if (coding && !(await isEncoded(coding, body))) outgoing.removeHeader('content-encoding')
  // Node sets no length for clients of HTTP/1.0.
  if (body.length > 0) outgoing.setHeader('content-length', String(body.length))
  outgoing.end(body)
}

/** The headers of a response that are not those of its content. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'set-cookie'])

/** Removes the headers of an encoded body from the response if the stream is not encoded. */
async function checkStart(body: Readable, coding: string, outgoing: NodeResponse): Promise<void> {
  await once(body, 'readable')
  const start = body.read()
  if (start === null) return
  body.unshift(start)
  if (await isEncoded(coding, start)) return
  outgoing.removeHeader('content-encoding')
  outgoing.removeHeader('content-length')
}

/** The header of a user's handler that names further ones. */
const exposed = 'access-control-expose-headers'

/** Whether a body does not end with its first chunk. A copied Content-Length may be that of another body. */
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

/** Keeps the last large text as bytes: encoding it for each connection would take its memory as often. */
function encodeOnce(text: string): string | Buffer {
  if (text.length < largeChars) return text
  if (lastLarge?.text !== text) lastLarge = { text, bytes: Buffer.from(text) }
  return lastLarge.bytes
}

export function breakConnection({ stream, socket }: NodeResponse): void {
  if (stream) {
    stream.close(http2InternalError)
    return
  }
  // A browser retries a request if a reused connection closes without a byte. So send a byte that is not HTTP.
  socket?.write('\0')
  socket?.destroySoon()
}

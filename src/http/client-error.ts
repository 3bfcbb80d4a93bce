import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type DocsUrl, type ErrorReply, replyBody, unreadableReply } from '../handlers/reply.js'
import { targetPath } from './request-target.js'

type ParserError = NodeJS.ErrnoException & { rawPacket?: unknown; bytesParsed?: number }

const refusals: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  // Browsers send the method of `fetch` as it is written, except for the oldest ones.
  HPE_INVALID_METHOD: [
    400,
    'The method of the request is unknown. Methods are written in capitals: PATCH, not patch.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large.'],
}

/**
 * Answers data that Node's parser refuses with the error body (section 2.4).
 * @param pendingOn the pending responses of a connection, which come first
 * @param headers the headers of every response
 */
export function handleClientError(
  error: ParserError,
  socket: Duplex,
  pendingOn: (socket: Duplex) => ServerResponse[],
  docsUrl: DocsUrl,
  headers: Record<string, string>,
): void {
  const { code = '' } = error
  if (code === 'ECONNRESET' || socket.destroyed) return

  const pending = pendingOn(socket)
  const earlier = pending.find(({ req }) => req.complete)
  if (earlier) {
    return void earlier.once('close', () => handleClientError(error, socket, pendingOn, docsUrl, headers))
  }
  // A request whose body was refused. Nothing may be written into the middle of a response.
  const [refused] = pending
  if (!socket.writable || refused?.headersSent) return void socket.destroy()

  const [status, message] = refusals[code] ?? [400, 'The request is not valid HTTP.']
  endWithReply(socket, unreadableReply(status, message), docsUrl, headers, refusedPath(error, refused?.req))
}

/**
 * The path of a request that Node's parser refused; empty if the data lacks its request line.
 * @param request the request, if the parser has read its headers
 */
export function refusedPath({ rawPacket, bytesParsed = 0 }: ParserError, request?: IncomingMessage): string {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  // Pipelined requests may precede it.
  const blankLine = packet.lastIndexOf('\r\n\r\n', bytesParsed - 4)
  const requestLine = packet.slice(blankLine === -1 ? 0 : blankLine + 4)
  return targetPath(request ? request.url : (/^[A-Z-]+ (\S+)/i.exec(requestLine)?.[1] ?? ''))
}

/**
 * Writes a reply to a connection without a response object, and closes it.
 * @param common the headers of every response
 * @param path the path of the request; empty if it is unknown
 */
export function endWithReply(
  socket: Duplex,
  reply: ErrorReply,
  docsUrl: DocsUrl,
  common: Record<string, string>,
  path = '',
): void {
  const { status, headers } = reply
  const text = JSON.stringify(replyBody(reply, path, docsUrl))
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...common, ...headers }).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import { type DocsUrl, unreadableReply } from '../../handlers/reply.js'
import { jsonAnswer } from './http-response.js'
import { securityHeaders } from './security-headers.js'

const refusals: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large.'],
}

/** Answers what node's parser refuses, which never becomes a request, with the error body (section 2.4). */
export function handleClientError(error: ConnectionError, socket: Socket, docsUrl: DocsUrl): void {
  const { code = '' } = error
  if (code === 'ECONNRESET' || socket.destroyed) return

  // The answers to the requests before it come first. Node attaches the next of them before it tells that one is sent.
  const { _httpMessage: due } = socket as Socket & { _httpMessage?: ServerResponse | null }
  if (due?.req.complete) {
    due.once('finish', () => socket.writable && handleClientError(error, socket, docsUrl))
    return
  }
  const [refused, message] = refusals[code] ?? [400, 'The request is not valid HTTP.']
  const { status, headers, text = '' } = jsonAnswer(unreadableReply(refused, message, docsUrl))

  // Into the middle of an answer that has begun, nothing may be written.
  if (!socket.writable || due?.headersSent) return void socket.destroy()
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...securityHeaders(false), ...headers }).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

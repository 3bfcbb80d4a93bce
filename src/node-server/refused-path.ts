import type { IncomingMessage } from 'node:http'
import { targetPath } from './request-target.js'

/** An error of Node's parser: the data that it had, and how far it had come. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: unknown; bytesParsed?: number }

/**
 * The path of a request that Node's parser refused; empty if its request line is not in the data.
 * @param request the request, if the parser had read its headers
 */
export function refusedPath({ rawPacket, bytesParsed = 0 }: ParserError, request?: IncomingMessage): string {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  // Pipelined requests may come before it.
  const blankLine = packet.lastIndexOf('\r\n\r\n', bytesParsed - 4)
  const requestLine = packet.slice(blankLine === -1 ? 0 : blankLine + 4)
  return targetPath(request ? request.url : (/^[A-Z-]+ (\S+)/i.exec(requestLine)?.[1] ?? ''))
}

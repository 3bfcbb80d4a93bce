import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'

/** The client closed the connection before the end of its request, which is no fault of the service. */
export class ClientGoneError extends Error {
  override name = 'ClientGoneError'
}

/**
 * Reads the body of a request.
 * @returns undefined as soon as the body exceeds `limit` bytes. The rest is discarded as it arrives, so that the client can
 *   finish, read the response, and reuse the connection.
 * @throws ClientGoneError
 */
export async function readBytes(
  { body, headers, raw }: Pick<FastifyRequest, 'body' | 'headers' | 'raw'>,
  limit: number,
): Promise<Uint8Array | undefined> {
  if (Number(headers['content-length']) > limit) return undefined
  // A hook of the application may have replaced the stream.
  const stream = body instanceof Readable ? body : raw
  const gone = () => new ClientGoneError('The connection was closed before the request was complete')
  if (stream.destroyed) throw gone()
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return chunks.push(chunk)
      chunks = []
      resolve(undefined)
    })
    stream.once('end', () => resolve(Buffer.concat(chunks)))
    stream.once('error', (error) => reject(stream === raw ? gone() : error))
    stream.once('close', () => stream.readableEnded || reject(gone()))
  })
}

import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'

/** The client closed the connection before its request was complete. This is no fault of the service. */
export class ClientGoneError extends Error {
  override name = 'ClientGoneError'
}

/**
 * Reads the body of a request that has not been read yet.
 * @returns undefined as soon as the body is known to have more than `limit` bytes. The rest is discarded as it
 *   arrives, so that the client can finish sending, read the response, and reuse the connection.
 * @throws ClientGoneError
 */
export async function readBytes(
  { body, headers, raw }: Pick<FastifyRequest, 'body' | 'headers' | 'raw'>,
  limit: number,
): Promise<Uint8Array | undefined> {
  if (Number(headers['content-length']) > limit) return undefined
  // A hook of the application may have put another stream in place of the request's.
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

import type { IncomingMessage } from 'node:http'

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
export async function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers['content-length']) > limit) return undefined
  const gone = () => new ClientGoneError('The connection was closed before the request was complete')
  if (request.destroyed) throw gone()
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return chunks.push(chunk)
      chunks = []
      resolve(undefined)
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('close', () => request.readableEnded || reject(gone()))
  })
}

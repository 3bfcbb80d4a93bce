import type { IncomingMessage } from 'node:http'

/** The client went away before its request was whole: nothing is wrong here, and nobody waits for an answer. */
export class ClientGoneError extends Error {
  override name = 'ClientGoneError'
}

/**
 * Reads the body of a request that nobody has read yet.
 * @returns undefined as soon as it is known to have more bytes than `limit`; what is left is thrown away as it
 * comes, so that the client can finish sending, read the answer, and use the connection again
 * @throws ClientGoneError
 */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers['content-length']) > limit) return undefined
  const gone = () => new ClientGoneError('The request was cut off')
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

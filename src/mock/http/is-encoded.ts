import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Whether a body begins as its Content-Encoding says. A handler that takes over the headers of a response that it has fetched
 * gives that of a body that `fetch` has decoded, which a page ignores and a client of HTTP does not.
 */
export function isEncoded(coding: string, start: Uint8Array): Promise<boolean> {
  const decoder = decoders[coding.trim().toLowerCase()]?.()
  if (!decoder) return Promise.resolve(true)
  return new Promise((resolve) => {
    decoder.once('error', () => resolve(false)).write(start, () => resolve(true))
    decoder.resume()
  })
}

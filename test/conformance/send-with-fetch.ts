import { type Received, type SentRequest, toReceived, Unsendable } from '../../src/conformance/target.js'

/** Sends requests with a `fetch`, as pages do. It normalizes some paths. */
export const sendWithFetch =
  (fetch: typeof globalThis.fetch) =>
  async (request: SentRequest): Promise<Received> => {
    const { method, url, headers, body, chunked, raw } = request
    if (raw) throw new Unsendable('a fetch client cannot send this request')
    const init = { method, headers, redirect: 'manual' as const }
    const response = await fetch(
      url,
      chunked && body
        ? ({ ...init, body: toStream(body), duplex: 'half' } as RequestInit)
        : { ...init, ...(body && { body: body as Uint8Array<ArrayBuffer> }) },
    )
    const received = Object.fromEntries(response.headers)
    // The only header whose values are not joined already.
    if (received['set-cookie']) received['set-cookie'] = response.headers.getSetCookie().join(', ')
    return toReceived(response.status, received, await response.text())
  }

/** A stream has no known length, so the transport uses chunked encoding. */
function toStream(body: Uint8Array): ReadableStream<Uint8Array> {
  const chunkBytes = 16 * 1024
  let offset = 0
  return new ReadableStream({
    pull(controller) {
      if (offset >= body.length) return controller.close()
      controller.enqueue(body.slice(offset, offset + chunkBytes))
      offset += chunkBytes
    },
  })
}

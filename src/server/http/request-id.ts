import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Without dot, colon and @, so that no address, signed cookie or email gets into the log. */
export const acceptedId = /^[\w-]{1,64}$/

/**
 * Creates the function that gives each request its id for the log and the response. Its last part is a counter: a random
 * one for each request takes longer.
 */
export function createRequestIds(): () => string {
  const prefix = randomUUID().slice(0, 24)
  let count = 0
  return () => {
    count += 1
    return prefix + count.toString(16).padStart(12, '0')
  }
}

/** The X-Request-Id that a client or a proxy chose, if it is acceptable. It may have chosen the same for other requests. */
export function clientRequestId({ 'x-request-id': given }: IncomingHttpHeaders): string | undefined {
  return typeof given === 'string' && acceptedId.test(given) ? given : undefined
}

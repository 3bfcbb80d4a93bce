import type { IncomingHttpHeaders } from 'node:http'

/** Without dot, colon and @, so that no address, signed cookie or email gets into the log. */
export const acceptedId = /^[\w-]{1,64}$/

/** The X-Request-Id that a client or a proxy chose, if it is acceptable. It may have chosen the same for other requests. */
export function clientRequestId({ 'x-request-id': given }: IncomingHttpHeaders): string | undefined {
  return typeof given === 'string' && acceptedId.test(given) ? given : undefined
}

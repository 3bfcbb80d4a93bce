import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Without dot, colon and @, so that no address, signed cookie or email gets into the log. */
const acceptedId = /^[\w-]{1,64}$/

/**
 * Creates the function that gives each request its id for the log and the response: the X-Request-Id that a proxy sent
 * if it is acceptable, or a new UUID. Its last part is a counter: a random one for each request takes longer.
 */
export function createRequestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomUUID().slice(0, 24)
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && acceptedId.test(given)) return given
    count += 1
    return prefix + count.toString(16).padStart(12, '0')
  }
}

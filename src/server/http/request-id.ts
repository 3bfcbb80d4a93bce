import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** No dot, no colon, no @: an address, a signed cookie or an email never gets into the log this way. */
const sane = /^[\w-]{1,64}$/

/**
 * Gives each request the id under which it is logged and answered: the one that a proxy gave it where it is sane, or
 * a new one, which is a UUID whose last part counts, for to draw each anew costs more than to find its route.
 */
export function createRequestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const drawn = randomUUID().slice(0, 24)
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && sane.test(given)) return given
    count += 1
    return drawn + count.toString(16).padStart(12, '0')
  }
}

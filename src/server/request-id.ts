import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** No dot, no colon, no @: an address, a signed cookie or an email never gets into the log this way. */
const sane = /^[\w-]{1,64}$/

/** The id under which a request is logged and answered: the one that a proxy gave it where it is sane, or a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && sane.test(given) ? given : randomUUID()
}

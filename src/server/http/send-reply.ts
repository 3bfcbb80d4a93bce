import type { FastifyReply } from 'fastify'
import type { Reply } from '../../handlers/reply.js'

/**
 * Sets the status and the headers of a reply of the interface, and its error code for the log.
 * @returns the body to send
 */
export function prepareReply(reply: FastifyReply, { status, headers, body, code }: Reply): unknown {
  reply.errorCode = code
  reply.code(status).headers(headers)
  return body
}

/** Sends a reply of the interface from a hook. */
export const sendReply = (reply: FastifyReply, contents: Reply): FastifyReply =>
  reply.send(prepareReply(reply, contents))

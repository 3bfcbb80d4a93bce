import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../contract/errors.js'
import type { Reply } from '../handlers/reply.js'

/** An answer as it is sent. */
export type Answer = { status: number; headers: Record<string, string>; text?: string; code?: ErrorCode }

/** A reply of the interface as it is sent; the adapter adds nothing to it but a header of caution. */
export const jsonAnswer = ({ status, headers, body, code }: Reply): Answer => ({
  status,
  headers: { ...headers, 'x-content-type-options': 'nosniff' },
  text: JSON.stringify(body),
  code,
})

/**
 * Sends an answer and writes its line of the access log: every answer but those to unreadable requests.
 * The line names the operation and never the URL, for ids and queries are the caller's business.
 */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, text, code }: Answer,
  operation?: string,
): FastifyReply {
  const { method } = request
  const ms = Math.round(reply.elapsedTime * 10) / 10
  const outcome = reply.raw.destroyed ? { aborted: true } : { status, code }
  request.log.info({ method, operation, ...outcome, ms }, 'request')
  return reply.code(status).headers(headers).send(text)
}

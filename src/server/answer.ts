import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../contract/errors.js'
import type { Reply } from '../handlers/reply.js'

/** An answer as it is sent; its line of the log is at `info`, if nothing else is said. */
export type Answer = {
  status: number
  headers: Record<string, string | string[]>
  text?: string
  code?: ErrorCode
  level?: 'debug' | 'info'
}

/** A reply of the interface as it is sent. */
export const jsonAnswer = ({ status, headers, body, code }: Reply): Answer => ({
  status,
  headers,
  text: JSON.stringify(body),
  code,
})

/**
 * Sends an answer, counts it, and writes its line of the access log: every answer but those to unreadable requests.
 * The line names the operation and never the URL, for ids and queries are the caller's business.
 */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, text, code, level = 'info' }: Answer,
  operation?: string,
): FastifyReply {
  const { method } = request
  const ms = Math.round(reply.elapsedTime * 10) / 10
  const outcome = reply.raw.destroyed ? { aborted: true } : { status, code }
  request.log[level]({ method, operation, ...outcome, ms }, 'request')
  request.server.onAnswer({ operation, status, ms })
  return reply
    .code(status)
    .headers({ ...request.server.commonHeaders(), ...headers })
    .header('x-request-id', request.id)
    .send(text)
}

/** What is known of an answer once it is sent; `ms` is the time since the head of its request. */
export type Answered = { operation: string | undefined; status: number; ms: number }

declare module 'fastify' {
  interface FastifyInstance {
    onAnswer(answer: Answered): void
    /** What every answer has, if it says nothing else. */
    commonHeaders(): Record<string, string>
  }
}

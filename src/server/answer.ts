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
  /** As it goes over the wire: made when it is first sent, for one that is sent again. */
  wire?: { head: string[]; body: Buffer }
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
 *
 * It writes past Fastify's reply, which would look at each header and measure the text, twice, for each request.
 */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  operation?: string,
): FastifyReply {
  const { status, code, level = 'info' } = answer
  const { server, method, id, startedAt } = request
  const { raw } = reply
  const ms = startedAt ? Math.round((performance.now() - startedAt) * 10) / 10 : 0
  const outcome = raw.destroyed ? { aborted: true } : { status, code }
  server.ownLog[level]({ requestId: id, method, operation, ...outcome, ms }, 'request')
  server.onAnswer({ operation, status, ms })

  answer.wire ??= toWire(answer, server.commonHeaders())
  const { head, body } = answer.wire
  reply.hijack()
  raw.writeHead(status, [...head, 'x-request-id', id]).end(body)
  return reply
}

/** The head has names and values in turn. */
function toWire({ status, headers, text = '' }: Answer, common: Record<string, string>) {
  const body = Buffer.from(text)
  const head: string[] = []
  for (const [name, value] of Object.entries({ ...common, ...headers })) {
    if (typeof value === 'string') head.push(name, value)
    else for (const one of value) head.push(name, one)
  }
  if (status !== 204) head.push('content-length', String(body.length))
  return { head, body }
}

/** What is known of an answer once it is sent; `ms` is the time since the head of its request. */
export type Answered = { operation: string | undefined; status: number; ms: number }

declare module 'fastify' {
  interface FastifyInstance {
    onAnswer(answer: Answered): void
    /** What every answer has, if it says nothing else. */
    commonHeaders(): Record<string, string>
  }
  interface FastifyRequest {
    /** When its head had arrived, on the clock of `performance.now()`; not there where its address is malformed. */
    startedAt?: number
  }
}

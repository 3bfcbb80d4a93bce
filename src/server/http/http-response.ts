import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.js'
import type { Reply } from '../../handlers/reply.js'

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

/** A request, where its answer goes, and the id of both. */
export type Exchange = { request: IncomingMessage; response: ServerResponse; id: string }

/**
 * Sends an answer, counts it, and writes its line of the access log: every answer but those to unreadable requests.
 * The line names the operation and never the URL, for ids and queries are the caller's business.
 */
export function respond(
  server: FastifyInstance,
  { request, response, id }: Exchange,
  answer: Answer,
  operation?: string,
): void {
  const { status, code, level = 'info' } = answer
  const { method, arrivedAt } = request
  const ms = arrivedAt ? Math.round((performance.now() - arrivedAt) * 10) / 10 : 0
  const outcome = response.destroyed ? { aborted: true } : { status, code }
  server.ownLog[level]({ requestId: id, method, operation, ...outcome, ms }, 'request')
  server.onAnswer({ operation, status, ms })

  answer.wire ??= toWire(answer, server.commonHeaders())
  const { head, body } = answer.wire
  response.writeHead(status, [...head, 'x-request-id', id]).end(body)
}

/** Responds past Fastify's reply, which would look at each header and measure the text, twice, for each request. */
export function send(
  { server, raw, id }: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  operation?: string,
): FastifyReply {
  reply.hijack()
  respond(server, { request: raw, response: reply.raw, id }, answer, operation)
  return reply
}

/** The head has names and values in turn. */
function toWire({ status, headers, text = '' }: Answer, common: Record<string, string>) {
  const body = Buffer.from(text)
  const head: string[] = []
  for (const name in common) if (!(name in headers)) head.push(name, common[name] as string)
  for (const name in headers) for (const value of [headers[name] ?? []].flat()) head.push(name, value)
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
    requestId(request: IncomingMessage): string
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** When its head had arrived, on the clock of `performance.now()`; not there where no server took it in. */
    arrivedAt?: number
  }
}

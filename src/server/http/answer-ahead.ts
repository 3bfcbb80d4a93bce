import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Kept } from '../cache/response-cache.js'
import { type Answer, respond } from './http-response.js'
import { validateHost } from './validate-host.js'

/** A read whose answers are kept. */
export type KeptRead = { operation: string; answers: Kept<Answer> }

/**
 * Answers ahead of Fastify what is kept, for to find the route and make a request and a reply takes a tenth of all
 * that such an answer takes. It does so for reads as clients usually ask for them, to which no hook would object or
 * add anything. Fastify has all others.
 * @param others Fastify's own listener
 */
export function answerAhead(
  app: FastifyInstance,
  others: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, url = '', headers } = request
  const { cookie, origin } = headers
  const read = app.keptReads.get(url)
  const isUsual = method === 'GET' && cookie !== undefined && origin === undefined
  if (!read || !isUsual || validateHost(request) !== undefined || app.isOverloaded()) {
    others(request, response)
    return
  }
  read.answers.find(cookie, (found) => {
    if (found) respond(app, { request, response, id: app.requestId(request) }, found, read.operation)
    else others(request, response)
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The reads whose answers are kept, by path. */
    keptReads: Map<string, KeptRead>
  }
}

import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { maxBodyBytes } from '../../contract/operations.js'

/** Makes Fastify read each body in a scope as a buffer, of any type: the pipeline checks it after the caller. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit: maxBodyBytes } as const
  app.addContentTypeParser('*', options, (_request, body, done) => done(null, body))
}

/** Whether Fastify refused a body, for its size or for a malformed type such as `json`. */
export const isRefusedBody = (error: unknown): boolean =>
  /^FST_ERR_CTP_(BODY_TOO_LARGE|INVALID_MEDIA_TYPE)$/.test(String((error as { code?: unknown } | null)?.code))

const empty = Buffer.alloc(0)

/**
 * The options of a route whose handler gets the body; undefined if Fastify refused it: the handler replies, since other parts
 * of the request come first.
 */
export function withBody(
  config: FastifyContextConfig,
  handle: (request: FastifyRequest, reply: FastifyReply, body: Buffer | undefined) => Promise<unknown>,
) {
  return {
    config,
    handler: (request: FastifyRequest, reply: FastifyReply) =>
      handle(request, reply, (request.body as Buffer | null | undefined) ?? empty),
    errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply) {
      if (!isRefusedBody(error)) throw error
      // Fastify would close the connection. Node discards the rest instead, so that the client can finish, and read the response.
      const others = `${request.headers.connection} ${reply.raw.getHeader('connection')}`
      if (!/\bclose\b/i.test(others)) reply.removeHeader('connection')
      return handle(request, reply, undefined)
    },
  }
}

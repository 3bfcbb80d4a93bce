import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { maxBodyBytes } from '../../contract/limits.js'
import { isRefusedBody } from '../../http/shell.js'

/** Makes Fastify read each body in a scope as a buffer, of any type: the pipeline checks it after the caller. */
export function readBodies(app: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: maxBodyBytes } as const
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', options, (_request, body, done) => done(null, body))
}

/** The body of a request: absent if there is none, null if it is too large or of a malformed type. */
export const bodyOf = ({ body }: FastifyRequest) => body as Buffer | null | undefined

/** A route that handles a request also if Fastify refused its body: other parts of the request come first. */
export const withAnyBody = (
  config: FastifyContextConfig,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) => ({
  config,
  handler,
  errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    if (!isRefusedBody(error)) throw error
    // Fastify would close the connection. Node discards the rest instead, so that the client can finish, and read the response.
    const others = `${request.headers.connection} ${reply.raw.getHeader('connection')}`
    if (!/\bclose\b/i.test(others)) reply.removeHeader('connection')
    request.body = null
    return handler(request, reply)
  },
})

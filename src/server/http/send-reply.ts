import type { FastifyReply } from 'fastify'
import { type Reply, replyBody } from '../../handlers/reply.js'
import { targetPath } from '../../http/request-target.js'
import { validateHost } from '../../http/validate-host.js'
import type { Site } from './site.js'

/**
 * Sets the status and the headers of a reply of the interface, and its error code for the log.
 * @returns the body to send
 */
export function prepareReply(reply: FastifyReply, contents: Reply): unknown {
  reply.code(contents.status).headers(contents.headers)
  if (contents.code === undefined) return contents.body
  const { request, server } = reply
  reply.errorCode = contents.code
  // It is not clear which of several Host headers names the service.
  const requested = validateHost(request.raw) === undefined ? request : undefined
  return replyBody(contents, targetPath(request.raw.url), (code) => server.site.docsUrl(code, requested))
}

/** Sends a reply of the interface from a hook. */
export const sendReply = (reply: FastifyReply, contents: Reply): FastifyReply =>
  reply.send(prepareReply(reply, contents))

declare module 'fastify' {
  interface FastifyInstance {
    site: Site
  }
}

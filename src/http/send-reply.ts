import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ErrorCode } from '../contract/errors.js'
import { type Reply, replyBody } from '../handlers/reply.js'
import { targetPath } from './request-target.js'
import { validateHost } from './validate-host.js'

/** The address that a client called. */
export type RequestedAddress = { protocol: string; host: string }

/**
 * The URL of the page about an error code, as a client can open it (section 2.4).
 * @param requested the address that the client called, if it is known
 */
export type DocsUrlFor = (code: ErrorCode, requested?: RequestedAddress) => string

/**
 * Prepares an instance and its plugins for replies of the interface.
 * @param prefix the prefix of the interface's paths
 */
export function decorateReplies(app: FastifyInstance, docsUrl: DocsUrlFor, prefix = ''): void {
  app.decorate('dashboardReplies', { docsUrl, prefix })
  if (!app.hasReplyDecorator('dashboardErrorCode')) app.decorateReply('dashboardErrorCode', undefined)
}

/**
 * Sets the status and headers of a reply of the interface, and its error code for the log.
 * @returns the body to send
 */
export function prepareReply(reply: FastifyReply, contents: Reply): unknown {
  reply.code(contents.status).headers(contents.headers)
  if (contents.code === undefined) return contents.body
  const { request, server } = reply
  reply.dashboardErrorCode = contents.code
  // With several Host headers the address is unknown.
  const requested = validateHost(request.raw) === undefined ? request : undefined
  const { docsUrl, prefix } = server.dashboardReplies
  const path = targetPath(request.originalUrl).slice(prefix.length)
  return replyBody(contents, path, (code) => docsUrl(code, requested))
}

/** Sends a reply of the interface from a hook. */
export const sendReply = (reply: FastifyReply, contents: Reply): FastifyReply =>
  reply.send(prepareReply(reply, contents))

declare module 'fastify' {
  interface FastifyInstance {
    dashboardReplies: { docsUrl: DocsUrlFor; prefix: string }
  }
  interface FastifyReply {
    /** The error code of a response of the dashboard API. */
    dashboardErrorCode: ErrorCode | undefined
  }
}

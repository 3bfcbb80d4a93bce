import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../contract/errors.js'
import { unknownReply } from '../handlers/api.js'
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
  const { dashboardReplies } = server
  // Text: an object would get the serializer of an application.
  return JSON.stringify(
    replyBody(contents, pathOf(request, dashboardReplies), (code) =>
      dashboardReplies.docsUrl(code, requested),
    ),
  )
}

/** The path of a request below the prefix, as its route has it: the router of an application may ignore case and slashes. */
const pathOf = ({ routeOptions, raw }: FastifyRequest, { prefix }: FastifyInstance['dashboardReplies']) =>
  (routeOptions.url ?? targetPath(raw.url)).slice(prefix.length)

/** Prepares the reply to an unknown path, or to an unknown method of a path. */
export const replyUnknown = (request: FastifyRequest, reply: FastifyReply): unknown =>
  prepareReply(reply, unknownReply(request.method, pathOf(request, reply.server.dashboardReplies)))

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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.js'
import { targetPath } from '../../node-server/request-target.js'
import { readTraceContext } from './trace-context.js'

/** A request whose response was sent; `ms` is the time from its head to the end of its response. */
export type CompletedRequest = { operation: string | undefined; status: number; ms: number }

/** The status of a request whose client closed the connection before it had the response, as nginx has it. */
const clientClosedRequest = 499

/**
 * Logs each request in one line, and reports it. The line has the operation, and the path for a 404 alone: elsewhere
 * the ids and queries of a URL are the caller's business. Unreadable requests are not logged: they never become a
 * request. All lines of a request have the ids of its trace, if the caller sent them.
 */
export function logRequests(app: FastifyInstance, onComplete?: (request: CompletedRequest) => void): void {
  app.decorateReply('errorCode', undefined)
  app.decorateReply('isSent', false)

  const record = (request: FastifyRequest, reply: FastifyReply) => {
    const { operation, isProbe } = request.routeOptions.config
    const { isSent, statusCode, errorCode } = reply
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const path = statusCode === 404 ? loggedPath(request.raw.url) : undefined
    const outcome = isSent ? { status: statusCode, code: errorCode, path } : { aborted: true }
    const level = isProbe && isSent && statusCode === 200 ? 'debug' : 'info'
    request.log[level]({ method: request.method, operation, ...outcome, ms }, 'request')
    onComplete?.({ operation, status: isSent ? statusCode : clientClosedRequest, ms })
  }

  app.addHook('onResponse', (request, reply, done) => {
    // Node emits `finish` also for a response that was cut off while it was sent.
    reply.isSent = !request.raw.socket.destroyed
    if (reply.isSent) record(request, reply)
    done()
  })
  // Fastify runs no hook for a response whose connection was closed before.
  app.addHook('onRequest', (request, reply, done) => {
    const trace = readTraceContext(request.headers.traceparent)
    if (trace) request.log = reply.log = request.log.child(trace)
    reply.raw.on('close', () => reply.isSent || record(request, reply))
    done()
  })
}

/**
 * At most 200 characters of a path as it was sent, without its query. A segment with an @, which may be an email address,
 * is left out. All are visible ASCII: Node's parser refuses others.
 */
const loggedPath = (url: string | undefined): string =>
  targetPath(url)
    .slice(0, 200)
    .split('/')
    .map((segment) => (/@|%40/.test(segment) ? '…' : segment))
    .join('/')

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the route in the log and the metrics. */
    operation?: string
    /** Requested every few seconds by a monitor: a success is logged at `debug`. */
    isProbe?: boolean
  }
  interface FastifyReply {
    /** The error code of the response. */
    errorCode: ErrorCode | undefined
    /** Whether the response was sent whole. */
    isSent: boolean
  }
}

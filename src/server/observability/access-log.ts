import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.js'

/** A request whose response was sent; `ms` is the time from its head to the end of its response. */
export type CompletedRequest = { operation: string | undefined; status: number; ms: number }

/** The status of a request whose client closed the connection before it had the response, as nginx has it. */
const clientClosedRequest = 499

/**
 * Logs each request in one line, and reports it. The line has the operation and never the URL, whose ids and queries
 * are the caller's business. Unreadable requests are not logged: they never become a request.
 */
export function logRequests(app: FastifyInstance, onComplete?: (request: CompletedRequest) => void): void {
  app.decorateReply('errorCode', undefined)
  app.decorateReply('isSent', false)

  const record = (request: FastifyRequest, reply: FastifyReply) => {
    const { operation, isProbe } = request.routeOptions.config
    const { isSent, statusCode, errorCode } = reply
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const outcome = isSent ? { status: statusCode, code: errorCode } : { aborted: true }
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
    reply.raw.on('close', () => reply.isSent || record(request, reply))
    done()
  })
}

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

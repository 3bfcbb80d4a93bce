import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { targetPath } from '../../http/request-target.js'
import { readTraceContext } from './trace-context.js'

/** A request whose response was sent. `ms` is the time from its head to the end of its response. */
export type CompletedRequest = { operation: string | undefined; status: number; ms: number }

export type AccessLogOptions = {
  /** The id of the session that a signed cookie names. */
  sessionIdOf(request: FastifyRequest): string | undefined
  onComplete?(request: CompletedRequest): void
}

/** Without dot, colon and @, so that no address, signed cookie or email gets into the log. */
const acceptedId = /^[\w-]{1,64}$/

/** The status if the client closed the connection before its response, as in nginx. */
const clientClosedRequest = 499

/**
 * Logs each request in one line, and reports it. The line has the operation, the ids of session and team, and the id of a
 * changed project. Only a 404 has its path. Requests whose head cannot be read are not logged. All lines of a request have its trace, and
 * the id that the caller gave it.
 */
export function logRequests(app: FastifyInstance, { sessionIdOf, onComplete }: AccessLogOptions): void {
  app.decorateReply('isSent', false)
  /** The teams of recent sessions, for requests that are refused before their session is read. */
  const teams = new LRUCache<string, string>({ max: 10_000 })

  const callerIds = (request: FastifyRequest) => {
    const { dashboardSession: caller } = request
    if (!caller) {
      const sessionId = sessionIdOf(request)
      return { sessionId, teamId: sessionId && teams.get(sessionId) }
    }
    const [sessionId, teamId] = [caller.id, caller.team?.id]
    if (teamId !== undefined && teams.get(sessionId) !== teamId) teams.set(sessionId, teamId)
    return { sessionId, teamId }
  }

  const record = (request: FastifyRequest, reply: FastifyReply) => {
    const { operation, isProbe } = request.routeOptions.config
    const { isSent, statusCode, dashboardErrorCode: code } = reply
    const { sessionId, teamId } = callerIds(request)
    const projectId = changedProject(request)
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const path = statusCode === 404 ? loggedPath(request.originalUrl) : undefined
    const outcome = isSent ? { status: statusCode, code, path } : { aborted: true }
    const level = isProbe && isSent && statusCode === 200 ? 'debug' : 'info'
    request.log[level](
      { method: request.method, operation, sessionId, teamId, projectId, ...outcome, ms },
      'request',
    )
    onComplete?.({ operation, status: isSent ? statusCode : clientClosedRequest, ms })
  }

  app.addHook('onResponse', (request, reply, done) => {
    // Node emits `finish` also for a truncated response.
    reply.isSent = !request.raw.socket.destroyed
    if (reply.isSent) record(request, reply)
    done()
  })
  // Fastify runs no hook for a response whose connection was closed before.
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request
    reply.header('x-request-id', request.id)
    const trace = headers.traceparent === undefined ? undefined : readTraceContext(headers.traceparent)
    // A client may have sent the same id with other requests.
    const given = String(headers['x-request-id'] ?? '')
    const clientRequestId = acceptedId.test(given) ? given : undefined
    if (trace || clientRequestId) request.log = reply.log = request.log.child({ ...trace, clientRequestId })
    reply.raw.on('close', () => reply.isSent || record(request, reply))
    done()
  })
}

/** The project that a request created or tried to change. */
function changedProject({
  method,
  dashboardProjectId: projectId,
  params,
}: FastifyRequest): string | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  const { projectId: named } = (params ?? {}) as { projectId?: string }
  // A caller may send any text as an id.
  return projectId ?? (named && acceptedId.test(named) ? named : undefined)
}

/**
 * At most 200 characters of a path as sent, without its query and without segments with an @, which may be email addresses.
 * All are visible ASCII: Node's parser refuses others.
 */
const loggedPath = (url: string | undefined): string =>
  targetPath(url)
    .slice(0, 200)
    .split('/')
    .map((segment) => (/@|%40/.test(segment) ? '…' : segment))
    .join('/')

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A monitor requests it every few seconds: a success is logged at `debug`. */
    isProbe?: boolean
  }
  interface FastifyReply {
    /** Whether the whole response was sent. */
    isSent: boolean
  }
}

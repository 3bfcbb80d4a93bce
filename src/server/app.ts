import { randomUUID } from 'node:crypto'
import { ownRequestLog } from '../http/fastify-versions.js'
import { securityHeaders } from '../http/security-headers.js'
import { replyUnknown } from '../http/send-reply.js'
import { createShell, type Shell } from '../http/shell.js'
import { errorReply } from './error-reply.js'
import { createProxyCheck, warnOfUnknownClients } from './http/client-address.js'
import { type OverloadLimits, shedLoad } from './http/overload.js'
import { createSite } from './http/site.js'
import { type CompletedRequest, logRequests } from './observability/access-log.js'
import { type Health, registerHealth } from './observability/health-routes.js'
import { registerService, type ServiceOptions } from './service.js'
import { createSessionCookies } from './sessions/session-cookie.js'
import { createSessions } from './sessions/sessions.js'

export type AppOptions = ServiceOptions & {
  /** The limits beyond which requests are refused. By default none are. */
  overload?: OverloadLimits
  /** The destination of the log. Default: standard output. */
  logStream?: { write(line: string): void }
  health?: Health
  /** Called for each request after its response, or when its client is gone. */
  onRequestComplete?(request: CompletedRequest): void
}

/** The minimum limit of connections per address: an office shares one address. */
const minPerAddress = 100

/** The time after which an inactive connection is closed, in milliseconds. */
const connectionTimeout = 90_000

/** Creates production as a Fastify application that does not listen yet. It does not close the store. */
export function createApp(options: AppOptions): Shell {
  const { publicUrl, trustProxy } = options
  const site = createSite(options, () => shell.origin())
  const isProxy = createProxyCheck(trustProxy)

  const onError = (error: unknown) =>
    shell.app.log.error({ err: error }, 'the use of a session was not saved')
  const cookies = createSessionCookies(options.sessionSecret)
  const sessions = createSessions({ ...options, cookies, onError })
  const shell = createShell({
    docsUrl: site.docsUrl,
    headers: {
      ...securityHeaders(publicUrl?.startsWith('https:') ?? false),
      ...(options.allowedOrigins.length > 0 && { vary: 'Origin' }),
    },
    crossSite: site,
    registerFirst: (app) =>
      logRequests(app, { sessionIdOf: sessions.claimedId, onComplete: options.onRequestComplete }),
    pages: true,
    answerUnrouted: replyUnknown,
    onError: errorReply,
    connections: {
      max: options.maxConnections,
      maxPerAddress: Math.max(minPerAddress, options.maxConnections / 10),
      isExempt: isProxy,
    },
    inactivityMs: connectionTimeout,
    fastify: {
      trustProxy: trustProxy.length > 0 && isProxy,
      logger: { level: options.logLevel, stream: options.logStream, base: undefined },
      ...ownRequestLog(),
      genReqId: () => randomUUID(),
    },
  })
  const { app } = shell
  if (trustProxy.length > 0) warnOfUnknownClients(app)
  if (options.overload) shedLoad(app, options.overload)
  registerHealth(app, options.health ?? {})
  void app.register((scope, _options, done) => {
    registerService(scope, options, site, { sessionOf: sessions.sessionOf, own: { cookies, sessions } })
    done()
  })
  return shell
}

import { randomUUID } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import { type FastifyRequest, LogController } from 'fastify'
import { unknownReply } from '../handlers/api.js'
import { operationalReply } from '../handlers/reply.js'
import { targetPath } from '../http/request-target.js'
import { securityHeaders } from '../http/security-headers.js'
import { prepareReply } from '../http/send-reply.js'
import { createShell, type Shell } from '../http/shell.js'
import type { RequestCounts } from '../store/production-store.js'
import { type Store, StoreUnavailableError } from '../store/store.js'
import { createProxyCheck, warnOfUnknownClients } from './http/client-address.js'
import { registerNoSignIn } from './http/no-sign-in.js'
import { registerOperations } from './http/operation-routes.js'
import { type OverloadLimits, shedLoad } from './http/overload.js'
import { limitRates } from './http/rate-limit.js'
import { createSite } from './http/site.js'
import { type CompletedRequest, logRequests } from './observability/access-log.js'
import { type Health, registerHealth } from './observability/health-routes.js'
import { logFault } from './observability/log-fault.js'
import { createSessionCookies } from './sessions/session-cookie.js'
import { createSessions } from './sessions/sessions.js'
import type { Settings } from './settings/settings.js'
import { registerBackChannelLogout } from './sign-in/back-channel-logout.js'
import { createIdTokenHints } from './sign-in/id-token-hint.js'
import { createIdentityProvider } from './sign-in/identity-provider.js'
import { hasProvider } from './sign-in/provider-settings.js'
import { registerSignIn, type SignInOptions } from './sign-in/sign-in-routes.js'
import { registerSignOut } from './sign-in/sign-out-routes.js'

export type AppOptions = Settings & {
  store: Store
  /** How long the identity provider may take for one response, in milliseconds. */
  providerTimeoutMs?: number
  /** Where rate-limited requests are counted; in this process, if left out. */
  requestCounts?: RequestCounts
  /** The limits beyond which requests are refused; never, if left out. */
  overload?: OverloadLimits
  now(): Date
  newId(): string
  /** Where the log is written; standard output, if left out. */
  logStream?: { write(line: string): void }
  health?: Health
  /** Called when somebody was signed in, or was not. */
  onSignIn?: SignInOptions['onSignIn']
  /** Called for each request after its response, or when its client is gone. */
  onRequestComplete?(request: CompletedRequest): void
  /** Called when a session was ended by signing out. */
  onSignOut?(): void
}

/** For a connection on which nothing moves, in milliseconds. */
const connectionTimeout = 90_000

/** Production as a Fastify application that does not listen yet. It does not close the store. */
export function createApp(options: AppOptions): Shell {
  const { publicUrl, trustProxy } = options
  let listeningOrigin = ''
  const site = createSite(options, () => listeningOrigin)
  const isProxy = createProxyCheck(trustProxy)

  const onError = (error: unknown) =>
    shell.app.log.error({ err: error }, 'the use of a session was not saved')
  const cookies = createSessionCookies(options.sessionSecret)
  const sessions = createSessions({ ...options, cookies, onError })
  const sessionOf = ({ headers }: FastifyRequest) =>
    cookies.verify(sessions.cookieIn(headers.cookie) ?? '')?.sessionId

  const shell = createShell({
    docsUrl: site.docsUrl,
    headers: {
      ...securityHeaders(publicUrl?.startsWith('https:') ?? false),
      ...(options.allowedOrigins.length > 0 && { vary: 'Origin' }),
    },
    crossSite: site,
    registerFirst: (app) => logRequests(app, { sessionOf, onComplete: options.onRequestComplete }),
    pages: true,
    answer: (request, reply) =>
      prepareReply(reply, unknownReply(request.method, targetPath(request.originalUrl))),
    onError(error, request) {
      logFault(request.log, error)
      const code = error instanceof StoreUnavailableError ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR'
      return operationalReply(code)
    },
    connections: {
      max: options.maxConnections,
      maxPerAddress: options.maxConnectionsPerAddress,
      isExempt: isProxy,
    },
    inactivityMs: connectionTimeout,
    fastify: {
      trustProxy: trustProxy.length > 0 && isProxy,
      logger: { level: options.logLevel, stream: options.logStream, base: undefined },
      logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
      genReqId: () => randomUUID(),
    },
  })
  const { app } = shell
  // Stored: a server that closes has no address any more, and still responds.
  app.addHook('onListen', async () => {
    listeningOrigin = app.listeningOrigin
  })

  if (trustProxy.length > 0) warnOfUnknownClients(app)
  limitRates(app, options, { counts: options.requestCounts, sessionOf })
  if (options.overload) shedLoad(app, options.overload)
  registerHealth(app, options.health ?? {})
  registerOperations(app, options, sessions)
  // Only these routes set cookies: the plugin parses those of each request.
  void app.register((routes, _options, done) => {
    void routes.register(fastifyCookie)
    const provider = hasProvider(options)
      ? createIdentityProvider(options, options.providerTimeoutMs)
      : undefined
    const hints = createIdTokenHints(options.sessionSecret, site)
    if (provider) {
      registerSignIn(routes, provider, { ...options, cookies }, sessions, site, hints)
      registerBackChannelLogout(routes, provider, options)
    } else registerNoSignIn(routes)
    registerSignOut(routes, provider, sessions, site, hints, options.onSignOut)
    done()
  })
  return shell
}

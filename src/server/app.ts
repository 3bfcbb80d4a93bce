import { randomUUID } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { decodableUrl } from '../contract/route.js'
import { operationalReply, unreadableReply } from '../handlers/reply.js'
import type { Connections } from '../http/connection-tracker.js'
import { createHttpServer } from '../http/http-server.js'
import { requestTarget } from '../http/request-target.js'
import { securityHeaders } from '../http/security-headers.js'
import { validateHost } from '../http/validate-host.js'
import type { RequestCounts } from '../store/production-store.js'
import { type Store, StoreUnavailableError } from '../store/store.js'
import { createProxyCheck, warnOfUnknownClients } from './http/client-address.js'
import { guardCrossSite } from './http/cross-site.js'
import { registerOperations } from './http/operation-routes.js'
import { type OverloadLimits, shedLoad } from './http/overload.js'
import { registerNoSignIn, registerPages } from './http/page-routes.js'
import { limitRates } from './http/rate-limit.js'
import { sendReply } from './http/send-reply.js'
import { createSite } from './http/site.js'
import { type CompletedRequest, logRequests } from './observability/access-log.js'
import { type Health, registerHealth } from './observability/health-routes.js'
import { logFault } from './observability/log-fault.js'
import { createSessionCookies } from './sessions/session-cookie.js'
import { createSessions } from './sessions/sessions.js'
import type { Settings } from './settings/settings.js'
import { registerBackChannelLogout } from './sign-in/back-channel-logout.js'
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
export function createApp(options: AppOptions): FastifyInstance {
  const { publicUrl, trustProxy } = options
  let listeningOrigin = ''
  const site = createSite(options, () => listeningOrigin)
  const isProxy = createProxyCheck(trustProxy)

  const headers = {
    ...securityHeaders(publicUrl?.startsWith('https:') ?? false),
    ...(options.allowedOrigins.length > 0 && { vary: 'Origin' }),
  }

  const { server, connections, onRequest } = createHttpServer({
    docsUrl: site.docsUrl,
    headers,
    limits: {
      max: options.maxConnections,
      maxPerAddress: options.maxConnectionsPerAddress,
      isExempt: isProxy,
    },
  })
  server.setTimeout(connectionTimeout)
  const app: FastifyInstance = fastify({
    serverFactory(handle) {
      onRequest(handle)
      return server
    },
    // The server handles these errors itself.
    clientErrorHandler() {},
    // A long project id is an id that the team does not have, not an unknown path.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    trustProxy: trustProxy.length > 0 && isProxy,
    // A request that arrives while the server closes is answered, and its connection closed.
    return503OnClosing: false,
    logger: { level: options.logLevel, stream: options.logStream, base: undefined },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    // Fastify would answer a path that cannot be decoded without the hooks. It is routed as it was sent.
    frameworkErrors(_error, { raw }, reply) {
      const url = decodableUrl(requestTarget(raw.url))
      // What cannot be routed then, such as `http://`, is an unknown path: this must not be called again for it.
      raw.url = url === raw.url ? '/' : url
      app.routing(raw, reply.raw)
    },
  })
  app.decorate('site', site)
  app.decorate('connections', connections)
  app.addHook('preClose', async () => app.connections.drain())
  // Stored: a server that closes has no address any more, and still responds.
  app.addHook('onListen', async () => {
    listeningOrigin = app.listeningOrigin
  })
  leaveBodiesUnread(app)

  const onError = (error: unknown) => app.log.error({ err: error }, 'the use of a session was not saved')
  const cookies = createSessionCookies(options.sessionSecret)
  const sessions = createSessions({ ...options, cookies, onError })
  const sessionOf = ({ headers }: FastifyRequest) =>
    cookies.verify(sessions.cookieIn(headers.cookie) ?? '')?.sessionId
  logRequests(app, { sessionOf, onComplete: options.onRequestComplete })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    const fault = validateHost(request.raw)
    if (fault) sendReply(reply, unreadableReply(400, fault))
    else done()
  })
  guardCrossSite(app, site)
  if (trustProxy.length > 0) warnOfUnknownClients(app)
  limitRates(app, options, { counts: options.requestCounts, sessionOf })
  if (options.overload) shedLoad(app, options.overload)
  app.setErrorHandler((error, request, reply) => {
    logFault(request.log, error)
    const code = error instanceof StoreUnavailableError ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR'
    return sendReply(reply, operationalReply(code))
  })

  registerHealth(app, options.health ?? {})
  registerOperations(app, options, sessions)
  // Only these routes set cookies: the plugin parses those of each request.
  void app.register((routes, _options, done) => {
    void routes.register(fastifyCookie)
    const provider = hasProvider(options)
      ? createIdentityProvider(options, options.providerTimeoutMs)
      : undefined
    if (provider) {
      registerSignIn(routes, provider, { ...options, cookies }, sessions, site)
      registerBackChannelLogout(routes, provider, options)
    } else registerNoSignIn(routes)
    registerSignOut(routes, provider, sessions, site, options.onSignOut)
    done()
  })
  registerPages(app)
  return app
}

/**
 * Passes each request on with its body unread. Fastify would check content type and body before the session; in the
 * contract the session comes first, and its pipeline reads the body later.
 */
function leaveBodiesUnread(app: FastifyInstance): void {
  for (const method of app.supportedMethods) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
  }
}

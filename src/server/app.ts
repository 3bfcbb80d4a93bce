import { fastifyCookie } from '@fastify/cookie'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { sessionCookie } from '../contract/cookie.js'
import type { TeamLimits } from '../contract/limits.js'
import { decodableUrl } from '../contract/route.js'
import { operationalReply, unreadableReply } from '../handlers/reply.js'
import type { ConnectionLimits, Connections } from '../node-server/connection-tracker.js'
import { createHttpServer } from '../node-server/http-server.js'
import { requestTarget } from '../node-server/request-target.js'
import { securityHeaders } from '../node-server/security-headers.js'
import { validateHost } from '../node-server/validate-host.js'
import type { Origin } from '../store/audit-log.js'
import type { RequestCounts } from '../store/request-counts.js'
import { type Store, StoreUnavailableError } from '../store/store.js'
import { createProxyCheck, warnOfUnknownClients } from './http/client-address.js'
import { limitConcurrency } from './http/concurrency-limit.js'
import { guardCrossSite } from './http/cross-site.js'
import { registerOperations } from './http/operation-routes.js'
import { type OverloadLimits, shedLoad } from './http/overload.js'
import { registerNoSignIn, registerPages } from './http/page-routes.js'
import { limitRates, type Rates } from './http/rate-limit.js'
import { createRequestIds } from './http/request-id.js'
import { sendReply } from './http/send-reply.js'
import { createSite } from './http/site.js'
import { type CompletedRequest, logRequests } from './observability/access-log.js'
import { type Health, registerHealth } from './observability/health-routes.js'
import { logFault } from './observability/log-fault.js'
import type { SessionCookies } from './sessions/session-cookie.js'
import { createSessions } from './sessions/sessions.js'
import { registerBackChannelLogout } from './sign-in/back-channel-logout.js'
import type { CompletionOptions } from './sign-in/complete-sign-in.js'
import { registerSignIn, type SignInOptions } from './sign-in/sign-in-routes.js'
import { registerSignOut } from './sign-in/sign-out-routes.js'

export type AppOptions = {
  store: Store
  /** How long a request waits for what it reads of the store, in milliseconds; without a limit, if left out. */
  waitMs?: number
  cookies: SessionCookies
  /** How long a session lasts without being used, in milliseconds. */
  idleMs: number
  /** The name of the session cookie; `session`, as in section 5.1, if left out. */
  cookieName?: string
  /** Sign-in with an identity provider; nobody can sign in without an issued session, if left out. */
  signIn?: Pick<SignInOptions, 'provider' | 'states'> &
    Pick<CompletionOptions, 'sessionMs' | 'defaultPermissions' | 'provisionTeams'>
  /** Other origins whose pages belong to the service. */
  allowedOrigins?: string[]
  /** The rate limits; unlimited, if left out. */
  rates?: Rates
  /** Where rate-limited requests are counted; in this process, if left out. */
  requestCounts?: RequestCounts
  /** The limits beyond which requests are refused; never, if left out. */
  overload?: OverloadLimits
  /** The limits of connections; unlimited, if left out. */
  connectionLimits?: Partial<ConnectionLimits>
  /** The addresses of the proxies whose X-Forwarded-For is trusted; none, if left out. */
  trustedProxies?: string[]
  /** How much a team may hold; the defaults of the contract, if left out. */
  limits?: TeamLimits
  now(): Date
  newId(): string
  /** Where browsers reach the service; the address on which it listens, if left out. */
  publicUrl?: string
  /** The base of the URLs of the pages about errors; `publicUrl`, if left out. */
  docsUrl?: string
  /** Nothing is logged, if left out. */
  log?: { level: string; stream?: { write(line: string): void } }
  health?: Health
  /** Who makes a request, for the audit log; nothing is recorded, if left out. */
  originOf?(request: FastifyRequest): Origin
  /** How many requests of one session are under way at most; any number, if left out. */
  maxPending?: number
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
  const { store, originOf, cookies, idleMs, limits, now, newId, signIn, publicUrl, log } = options
  let listeningOrigin = ''
  const site = createSite({
    publicUrl,
    docsBase: options.docsUrl,
    listeningOrigin: () => listeningOrigin,
    cookieName: options.cookieName ?? sessionCookie,
    allowedOrigins: options.allowedOrigins ?? [],
  })

  const headers = {
    ...securityHeaders(publicUrl?.startsWith('https:') ?? false),
    ...(site.hasAllowedOrigins && { vary: 'Origin' }),
  }

  const { server, connections, onRequest } = createHttpServer({
    docsUrl: site.docsUrl,
    headers,
    limits: options.connectionLimits,
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
    trustProxy: options.trustedProxies?.length ? createProxyCheck(options.trustedProxies) : false,
    // A request that arrives while the server closes is answered, and its connection closed.
    return503OnClosing: false,
    ...(log && { logger: { ...log, base: undefined } }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: createRequestIds(),
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
  const { cookieName } = site
  const sessions = createSessions({ store, cookies, cookieName, idleMs, now, onError })
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
  const { isExempt, maxPerAddress } = options.connectionLimits ?? {}
  if (options.trustedProxies?.length) warnOfUnknownClients(app)
  if (isExempt && maxPerAddress !== undefined && options.trustedProxies?.length)
    limitConcurrency(app, { isExempt, maxPerAddress })
  if (options.rates) limitRates(app, options.rates, { counts: options.requestCounts, sessionOf })
  if (options.overload) shedLoad(app, options.overload)
  app.setErrorHandler((error, request, reply) => {
    logFault(request.log, error)
    const code = error instanceof StoreUnavailableError ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR'
    return sendReply(reply, operationalReply(code))
  })

  registerHealth(app, options.health ?? {})
  registerOperations(app, {
    services: { limits, now, newId },
    store,
    sessions,
    originOf,
    waitMs: options.waitMs,
    maxPending: options.maxPending,
  })
  // Only these routes set cookies: the plugin parses those of each request.
  void app.register((routes, _options, done) => {
    void routes.register(fastifyCookie)
    if (signIn) {
      const completion = { store, cookies, now, newId, ...signIn }
      registerSignIn(routes, { ...signIn, completion, originOf, onSignIn: options.onSignIn }, sessions, site)
      registerBackChannelLogout(routes, signIn.provider, { store, originOf, now })
    } else registerNoSignIn(routes)
    registerSignOut(routes, sessions, site, {
      provider: signIn?.provider,
      originOf,
      onSignOut: options.onSignOut,
    })
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

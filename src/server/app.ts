import { createServer } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import { sessionCookie } from '../contract/cookie.js'
import { errorDocsPath } from '../contract/errors.js'
import { type DocsUrl, operationalReply, unreadableReply } from '../handlers/reply.js'
import type { ChangeFeed } from '../store/change-feed.js'
import { type Store, StoreUnavailableError } from '../store/store.js'
import { answerAhead } from './http/answer-ahead.js'
import { handleClientError } from './http/client-error.js'
import { type Connections, trackConnections } from './http/connection-tracker.js'
import { guardFromOtherSites } from './http/cross-site.js'
import { mountDocs } from './http/docs-routes.js'
import { type Answered, jsonAnswer, send } from './http/http-response.js'
import { mountOperations } from './http/operation-routes.js'
import { type OverloadLimits, shedLoad } from './http/overload.js'
import { mountErrorPages, mountNoSignIn } from './http/page-routes.js'
import { limitRates, type Rates } from './http/rate-limit.js'
import { createRequestIds } from './http/request-id.js'
import { securityHeaders } from './http/security-headers.js'
import { createSite } from './http/site.js'
import { validateHost } from './http/validate-host.js'
import { type Health, mountHealth } from './observability/health-routes.js'
import { createLog, type LogOptions, logOf } from './observability/logger.js'
import type { SessionCookies } from './sessions/session-cookie.js'
import { createSessions } from './sessions/sessions.js'
import type { Admission } from './sign-in/complete-sign-in.js'
import { mountSignIn, type SignInOptions } from './sign-in/sign-in-routes.js'
import { mountSignOut } from './sign-in/sign-out-routes.js'

export type AppOptions = {
  store: Store
  /** What tells how the store changes; reads are answered from memory while what they say does not. */
  changes?: ChangeFeed
  cookies: SessionCookies
  /** How long a session lasts without being used, in milliseconds. */
  idleMs: number
  /** The name of the session cookie; `session`, as section 5.1 has it, if left out. */
  cookieName?: string
  /** Signing in with an identity provider; nobody can sign in by themselves, if left out. */
  signIn?: Pick<SignInOptions, 'provider' | 'attempts'> &
    Pick<Admission, 'sessionMs' | 'defaultPermissions' | 'provisionTeams'>
  /** Origins, beside this site, whose pages belong to the service. */
  allowedOrigins?: string[]
  /** How often one client may ask where it needs no session; without a limit, if left out. */
  rates?: Rates
  /** From when on requests are refused because there are too many; never, if left out. */
  overload?: OverloadLimits
  /** How many connections may be open; for one more, the one idle longest is closed. No limit, if left out. */
  maxConnections?: number
  /** The addresses of the proxies whose word is taken for the address of a client; none, if left out. */
  trustedProxies?: string[]
  now(): Date
  newId(): string
  /** Where browsers reach the service; the address it listens on, if left out. */
  publicUrl?: string
  /** What the pages about errors lie below; `publicUrl`, if left out. */
  docsUrl?: string
  /** The log: one JSON line a request. Nothing is logged, if left out. */
  log?: LogOptions
  /** What tells that the service is ready, and how it fares. */
  health?: Health
  /** Told of each answer. */
  onAnswer?(answer: Answered): void
}

/** Times in milliseconds. */
const limits = {
  // A request has this long to arrive as a whole, its headers this long; which is too late is looked at this often.
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  // Longer than proxies keep theirs.
  keepAliveTimeout: 72_000,
  // The lack of a Host header is answered below, in the contract's form.
  requireHostHeader: false,
}
/** A connection on which nothing moves is closed after this long, in milliseconds. */
const connectionTimeout = 90_000

/** Production as a Fastify application, not listening yet. It does not close the store. */
export function createApp(options: AppOptions): FastifyInstance {
  let origin = ''
  const site = createSite({
    publicUrl: options.publicUrl,
    listeningOrigin: () => origin,
    cookieName: options.cookieName ?? sessionCookie,
    allowedOrigins: options.allowedOrigins ?? [],
  })
  const docsUrl: DocsUrl = (code) => `${options.docsUrl ?? site.origin()}${errorDocsPath(code)}`

  const requestId = createRequestIds()
  const app: FastifyInstance = fastify({
    // A long id is an id that the team does not have, not an address that the service does not have.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    serverFactory: (others) =>
      createServer(limits, (request, response) => {
        request.arrivedAt = performance.now()
        app.connections.begin(response)
        answerAhead(app, others, request, response)
      }).setTimeout(connectionTimeout),
    trustProxy: options.trustedProxies?.length ? options.trustedProxies : false,
    // What comes in while closing is answered as ever, and its connection closed.
    return503OnClosing: false,
    genReqId: requestId,
    frameworkErrors: (_malformedUrl, request, reply) =>
      void send(request, reply, jsonAnswer(operationalReply('NOT_FOUND', docsUrl))),
    clientErrorHandler: (error, socket) => handleClientError(error, socket, docsUrl),
  })

  app.decorate('connections', trackConnections(app.server, options.maxConnections))
  app.addHook('preClose', async () => app.connections.drain())
  // Node drops headers beyond a number in silence, the ones that the guards judge by too. Their size has a limit.
  app.server.maxHeadersCount = 0
  app.decorate('onAnswer', options.onAnswer ?? (() => {}))
  app.decorate('commonHeaders', () => ({
    ...securityHeaders(site.origin().startsWith('https:')),
    ...(site.hasAllowedOrigins && { vary: 'Origin' }),
  }))
  app.decorate('ownLog', createLog(options.log))
  app.decorate('requestId', requestId)
  app.decorate('keptReads', new Map())
  // Asked for once, for a server that is closing has no address any more and still answers.
  app.addHook('onListen', async () => {
    origin = app.listeningOrigin
    app.ownLog.info(`Server listening at ${origin}`)
  })
  readNoBodies(app)
  // Node would answer an Expect header that it does not know with an empty 417; it may as well be ignored.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', (request, reply, done) => {
    const fault = validateHost(request.raw)
    if (fault) send(request, reply, jsonAnswer(unreadableReply(400, fault, docsUrl)))
    else done()
  })
  guardFromOtherSites(app, site, docsUrl)
  if (options.rates) limitRates(app, options.rates, docsUrl)
  shedLoad(app, options.overload, docsUrl)
  app.setErrorHandler((error, request, reply) => {
    logOf(request).error({ err: error }, 'fault')
    const code = error instanceof StoreUnavailableError ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR'
    return send(request, reply, jsonAnswer(operationalReply(code, docsUrl)))
  })

  const { store, cookies, idleMs, now, newId, signIn } = options
  const { cookieName } = site
  const onError = (error: unknown) => app.ownLog.error({ err: error }, 'the use of a session was not noted')
  const sessions = createSessions({ store, cookies, cookieName, idleMs, now, onError })
  mountHealth(app, options.health ?? {})
  mountOperations(app, { store, now, newId, docsUrl }, sessions, options.changes)
  if (signIn)
    mountSignIn(app, { ...signIn, admission: { store, cookies, now, newId, ...signIn } }, sessions, site)
  else mountNoSignIn(app)
  mountSignOut(app, sessions, site, signIn?.provider)
  mountDocs(app)
  mountErrorPages(app)
  return app
}

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
  }
}

/**
 * Hands every request on with its body unread. Fastify would judge content type and body before the session;
 * the contract's order is the other way round, and its pipeline reads the body in its turn.
 */
function readNoBodies(app: FastifyInstance): void {
  for (const method of app.supportedMethods) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

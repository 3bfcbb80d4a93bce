import { fastifyCookie } from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Session } from '../handlers/handler.js'
import { operationalReply, type Reply } from '../handlers/reply.js'
import type { RequestCounts } from '../store/production-store.js'
import { type Store, StoreUnavailableError } from '../store/store.js'
import { registerNoSignIn } from './http/no-sign-in.js'
import { type FixedLimits, registerOperations } from './http/operation-routes.js'
import { limitRates, type Rates } from './http/rate-limit.js'
import type { Site } from './http/site.js'
import { logFault } from './observability/log-fault.js'
import type { SessionCookies } from './sessions/session-cookie.js'
import type { Sessions } from './sessions/sessions.js'
import type { Settings } from './settings/settings.js'
import { registerBackChannelLogout } from './sign-in/back-channel-logout.js'
import { createIdTokenHints } from './sign-in/id-token-hint.js'
import { createIdentityProvider } from './sign-in/identity-provider.js'
import { hasProvider } from './sign-in/provider-settings.js'
import { registerSignIn, type SignInOptions } from './sign-in/sign-in-routes.js'
import { registerSignOut } from './sign-in/sign-out-routes.js'

/** What the service needs of its surroundings: of the shell, or of the plugin in another application. */
export type ServiceOptions = Settings &
  Rates &
  FixedLimits & {
    store: Store
    /** How long the identity provider may take for one response, in milliseconds. */
    providerTimeoutMs?: number
    /** Where rate-limited requests are counted; in this process, if left out. */
    requestCounts?: RequestCounts
    now(): Date
    newId(): string
    /** Called at the end of each sign-in. */
    onSignIn?: SignInOptions['onSignIn']
    /** Called when a session was ended by signing out. */
    onSignOut?(): void
  }

/** Finds the session of a request: by a cookie of this service, or as an application around it says. */
export type Callers = {
  sessionOf(request: FastifyRequest): Promise<Session | undefined>
  /** The cookies and sessions of this service. Absent if the application signs users in. */
  own?: { cookies: SessionCookies; sessions: Sessions }
}

/**
 * Registers the operations of the interface, with their rates, and sign-in: what `serve` and the plugin have in common.
 */
export function registerService(
  app: FastifyInstance,
  options: ServiceOptions,
  site: Site,
  { sessionOf, own }: Callers,
): void {
  limitRates(app, options, options.requestCounts)
  registerOperations(app, options, sessionOf)
  if (!own) return
  const { cookies, sessions } = own
  // Only these routes set cookies: the plugin parses those of each request.
  void app.register((routes, _options, done) => {
    // An application may have it already.
    if (!routes.hasRequestDecorator('cookies')) void routes.register(fastifyCookie)
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
}

/** The reply to a request that failed; the fault is logged. */
export function faultReply(error: unknown, request: FastifyRequest): Reply {
  logFault(request.log, error)
  return operationalReply(error instanceof StoreUnavailableError ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR')
}

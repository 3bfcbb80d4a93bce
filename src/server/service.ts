import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Session } from '../handlers/handler.js'
import type { RequestCounts } from '../store/production-store.js'
import type { Store } from '../store/store.js'
import { type FixedLimits, registerOperations } from './http/operation-routes.js'
import { limitRates, type Rates } from './http/rate-limit.js'
import { readBodies } from './http/request-body.js'
import type { Site } from './http/site.js'
import type { SessionCookies } from './sessions/session-cookie.js'
import type { Sessions } from './sessions/sessions.js'
import type { Settings } from './settings/settings.js'
import { registerBackChannelLogout } from './sign-in/back-channel-logout.js'
import { createIdTokenHints } from './sign-in/id-token-hint.js'
import { createIdentityProvider } from './sign-in/identity-provider.js'
import { registerNoSignIn } from './sign-in/no-sign-in.js'
import { hasProvider } from './sign-in/provider-settings.js'
import { registerSignIn, type SignInOptions } from './sign-in/sign-in-routes.js'
import { registerSignOut } from './sign-in/sign-out-routes.js'

/** The options of a service, in the shell or as a plugin of another application. */
export type ServiceOptions = Settings &
  Rates &
  FixedLimits & {
    store: Store
    /** The time limit of a response of the identity provider, in milliseconds. */
    providerTimeoutMs?: number
    /** Counts rate-limited requests. By default this process counts its own. */
    requestCounts?: RequestCounts
    now(): Date
    newId(): string
    /** Called at the end of each sign-in. */
    onSignIn?: SignInOptions['onSignIn']
    /** Called after each sign-out that ended a session. */
    onSignOut?(): void
  }

/** Finds the session of a request: by a cookie of this service, or as an application around it says. */
export type Callers = {
  sessionOf(request: FastifyRequest): Promise<Session | undefined>
  /** The cookies and sessions of this service. Absent if the application signs users in. */
  own?: { cookies: SessionCookies; sessions: Sessions }
}

/** Registers operations, rates and sign-in, for `serve` and for the plugin. */
export function registerService(
  app: FastifyInstance,
  options: ServiceOptions,
  site: Site,
  { sessionOf, own }: Callers,
): void {
  readBodies(app)
  limitRates(app, options, options.requestCounts)
  registerOperations(app, options, sessionOf)
  if (!own) return
  const { cookies, sessions } = own
  const provider = hasProvider(options)
    ? createIdentityProvider(options, options.providerTimeoutMs)
    : undefined
  const hints = createIdTokenHints(options.sessionSecret, site)
  if (provider) {
    registerSignIn(app, provider, { ...options, cookies }, sessions, site, hints)
    registerBackChannelLogout(app, provider, options)
  } else registerNoSignIn(app)
  registerSignOut(app, provider, sessions, site, hints, options.onSignOut)
}

import { fastifyCookie } from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieValues } from '../../contract/cookie.js'
import { page, pageHeaders } from '../../pages/page.js'
import { setCookie } from '../http/cookies.js'
import { originOf } from '../http/request-origin.js'
import type { Site } from '../http/site.js'
import type { Sessions } from '../sessions/sessions.js'
import { type CompletionOptions, completeSignIn } from './complete-sign-in.js'
import type { IdTokenHints } from './id-token-hint.js'
import type { IdentityProvider } from './identity-provider.js'
import { SignInError, type SignInFailure, type SignInFault } from './sign-in-error.js'
import { createSignInStates, signInStateMs } from './sign-in-state.js'

export type SignInOptions = CompletionOptions & {
  sessionSecret: string[]
  /** Called at the end of each sign-in. */
  onSignIn?(event: SignInEvent): void
}

/** The end of a sign-in. A failed one has the failure, and a reason that can be logged. */
export type SignInEvent = { request: FastifyRequest; failure?: SignInFailure; reason?: string }

/** The maximum number of pending sign-ins of a browser. A cookie has up to 4 KiB. */
const maxAttempts = 3

/** Registers sign-in with an identity provider: the redirect to it, and the callback. */
export function registerSignIn(
  app: FastifyInstance,
  provider: IdentityProvider,
  options: SignInOptions,
  sessions: Sessions,
  site: Site,
  hints: IdTokenHints,
): void {
  const { now, sessionTtl, onSignIn } = options
  const states = createSignInStates(options.sessionSecret)
  const callbackUrl = (request: FastifyRequest) => site.urlOf('/auth/callback', request)
  // One for each attempt: two tabs may sign in at once.
  const stateCookies = site.cookieName.replace('session', 'sign-in-')
  const stateCookie = (state: unknown) => `${stateCookies}${String(state).slice(0, 16)}`
  const errorHandler = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const isKnown = error instanceof SignInError
    const { fault, reason } = isKnown ? error : { fault: 'service' as const, reason: error.name }
    onSignIn?.({ request, failure: fault, reason })
    if (isKnown) return showSignInError(error, request, reply, site)
    throw error
  }

  app.get<{ Querystring: { returnTo?: unknown } }>(
    '/auth/sign-in',
    { config: { operation: 'signIn' }, errorHandler },
    async (request, reply) => {
      const { url, checks } = await provider.begin(callbackUrl(request))
      const state = states.sign({
        ...checks,
        returnTo: site.returnTo(request.query.returnTo, request),
        expiresAt: new Date(now().getTime() + signInStateMs).toISOString(),
      })
      const others = Object.keys(fastifyCookie.parse(request.headers.cookie ?? '')).filter((name) =>
        name.startsWith(stateCookies),
      )
      // The oldest come first. The headers of a request have a limit.
      for (const name of others.slice(0, 1 - maxAttempts)) setCookie(reply, site, name, '', 0)
      setCookie(reply, site, stateCookie(checks.state), state, signInStateMs / 1000)
      return reply.redirect(url, 303)
    },
  )

  app.get<{ Querystring: { state?: unknown } }>(
    '/auth/callback',
    { config: { operation: 'signInCallback' }, errorHandler },
    async (request, reply) => {
      const cookie = stateCookie(request.query.state)
      const state = cookieValues(request.headers.cookie, cookie)
        .map(states.verify)
        .find((found) => found?.state === request.query.state)
      if (!state) throw new SignInError('unfinished', 'the browser sent no valid cookie of this sign-in')
      if (now().toISOString() >= state.expiresAt) throw new SignInError('unfinished', 'it took too long')

      const callback = new URL(callbackUrl(request))
      callback.search = new URL(request.raw.url ?? '', callback).search
      const { remarks, idToken, ...signedIn } = await provider.finish(callback, state)
      const by = originOf(request)
      const session = await completeSignIn(options, signedIn, state.expiresAt, by)
      // Ends the previous session of this browser.
      await sessions.revoke(request, by)
      const seconds = Math.floor(sessionTtl / 1000)
      setCookie(reply, site, site.cookieName, session, seconds)
      setCookie(reply, site, cookie, '', 0)
      if (!hints.store(reply, idToken, seconds, state.returnTo.length))
        remarks.push(
          'the id token is too long for the headers of proxies: the provider gets no hint at sign-out',
        )
      if (remarks.length > 0) {
        request.log.warn({ operation: 'signInCallback', remarks }, 'signed in, with remarks')
      }
      onSignIn?.({ request })
      return reply.redirect(state.returnTo, 303)
    },
  )
}

const faults: Record<SignInFault, { status: number; title: string; text: string }> = {
  unfinished: {
    status: 400,
    title: 'You are not signed in',
    text: 'The sign-in was not finished.',
  },
  unreachable: {
    status: 503,
    title: 'Sign-in is not available right now',
    text: 'The identity provider cannot be used now. Try again in a minute.',
  },
  unacceptable: {
    status: 502,
    title: 'You could not be signed in',
    text: 'Sign-in at the identity provider failed. If this happens again, tell the operator of this service.',
  },
}

function showSignInError(
  { fault, reason }: SignInError,
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
) {
  const { operation } = request.routeOptions.config
  request.log.warn({ operation, fault, reason }, 'sign-in failed')
  const { status, title, text } = faults[fault]
  if (status === 503) reply.header('retry-after', '60')
  const html = `<h1>${title}</h1>\n<p>${text}</p>\n<p><a href="${site.pathOf('/auth/sign-in')}">Sign in again</a></p>`
  return reply.code(status).headers(pageHeaders()).send(page(title, html))
}

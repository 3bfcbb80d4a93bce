import type { FastifyInstance, FastifyRequest } from 'fastify'
import { signOutUrlHeader } from '../../contract/cookie.js'
import { cookieAttributes } from '../http/cookies.js'
import { originOf } from '../http/request-origin.js'
import type { Site } from '../http/site.js'
import type { Sessions } from '../sessions/sessions.js'
import type { IdTokenHints } from './id-token-hint.js'
import type { IdentityProvider } from './identity-provider.js'
import { SignInError } from './sign-in-error.js'

/**
 * Registers sign-out from this service, and from the identity provider if there is one.
 * @param onSignOut called when a session was ended
 */
export function registerSignOut(
  app: FastifyInstance,
  provider: IdentityProvider | undefined,
  sessions: Sessions,
  site: Site,
  hints: IdTokenHints,
  onSignOut?: () => void,
): void {
  const { cookieName } = site

  // Providers redirect only to registered addresses, so to this service; the state has the final address.
  const urlAtProvider = async (request: FastifyRequest, returnTo: string): Promise<string | undefined> => {
    try {
      const hint = hints.read(request.headers.cookie)
      return await provider?.signOutUrl(site.urlOf('/auth/signed-out'), returnTo, hint)
    } catch (error) {
      // The session here has ended, whether or not the provider can be reached.
      if (!(error instanceof SignInError)) throw error
      request.log.warn({ operation: 'signOut', reason: error.reason }, 'no sign-out at the identity provider')
      return undefined
    }
  }

  app.post<{ Querystring: { returnTo?: unknown } }>(
    '/auth/sign-out',
    { config: { operation: 'signOut' } },
    async (request, reply) => {
      if (await sessions.revoke(request, originOf(request))) onSignOut?.()
      const returnTo = site.returnTo(request.query.returnTo)
      const url = await urlAtProvider(request, returnTo)
      reply.setCookie(cookieName, '', cookieAttributes(cookieName, site.origin(), 0))
      if (provider) hints.clear(reply)
      // A form needs a redirect. A script gets the address, and navigates by itself.
      if (request.headers.accept?.includes('text/html')) return reply.redirect(url ?? returnTo, 303)
      if (url !== undefined) reply.header(signOutUrlHeader, url)
      return reply.code(204).send()
    },
  )

  if (!provider) return
  app.get<{ Querystring: { state?: unknown } }>(
    '/auth/signed-out',
    { config: { operation: 'signedOut' } },
    async (request, reply) => reply.redirect(site.returnTo(request.query.state), 303),
  )
}

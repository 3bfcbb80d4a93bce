import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signOutUrlHeader } from '../../contract/cookie.js'
import { setCookie } from '../http/cookies.js'
import { withAnyBody } from '../http/request-body.js'
import { originOf } from '../http/request-origin.js'
import type { Site } from '../http/site.js'
import type { Sessions } from '../sessions/sessions.js'
import { hasHeaderRoom } from './header-room.js'
import type { IdTokenHints } from './id-token-hint.js'
import type { IdentityProvider } from './identity-provider.js'
import { SignInError } from './sign-in-error.js'

type Query = { returnTo?: unknown; state?: unknown }

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
  // Providers redirect only to registered addresses, so to this service; the state has the final address.
  const urlAtProvider = async (
    request: FastifyRequest,
    reply: FastifyReply,
    returnTo: string,
  ): Promise<string | undefined> => {
    try {
      const back = site.urlOf('/auth/signed-out', request)
      const url = await provider?.signOutUrl(back, returnTo, hints.read(request.headers.cookie))
      // Without the hint the provider asks.
      return url === undefined || hasHeaderRoom(reply, url.length)
        ? url
        : await provider?.signOutUrl(back, returnTo)
    } catch (error) {
      // The session here has ended, whether or not the provider can be reached.
      if (!(error instanceof SignInError)) throw error
      request.log.warn({ operation: 'signOut', reason: error.reason }, 'no sign-out at the identity provider')
      return undefined
    }
  }

  const signOut = withAnyBody({ operation: 'signOut' }, async (request, reply) => {
    if (await sessions.revoke(request, originOf(request))) onSignOut?.()
    const returnTo = site.returnTo((request.query as Query).returnTo, request)
    setCookie(reply, site, site.cookieName, '', 0)
    if (provider) hints.clear(reply)
    const url = await urlAtProvider(request, reply, returnTo)
    // A form needs a redirect. A script gets the address, and navigates by itself.
    if (request.headers.accept?.includes('text/html')) return reply.redirect(url ?? returnTo, 303)
    if (url !== undefined) reply.header(signOutUrlHeader, url)
    return reply.code(204).send()
  })
  app.post('/auth/sign-out', signOut)

  if (!provider) return
  app.get('/auth/signed-out', { config: { operation: 'signedOut' } }, async (request, reply) =>
    reply.redirect(site.returnTo((request.query as Query).state, request), 303),
  )
}

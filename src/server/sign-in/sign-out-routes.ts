import type { FastifyInstance, FastifyRequest } from 'fastify'
import { signOutUrlHeader } from '../../contract/cookie.js'
import { send } from '../http/http-response.js'
import { cookieHeaders } from '../http/set-cookie.js'
import type { Site } from '../http/site.js'
import { logOf } from '../observability/logger.js'
import type { Sessions } from '../sessions/sessions.js'
import type { IdentityProvider } from './identity-provider.js'
import { SignInError } from './sign-in-error.js'

type Returning = { Querystring: { returnTo?: unknown } }

/** Registers signing out: here, and after it at the identity provider, where there is one. */
export function mountSignOut(
  app: FastifyInstance,
  sessions: Sessions,
  site: Site,
  provider?: IdentityProvider,
): void {
  // The provider returns to addresses that it knows, so to one of ours; where to go from there is the state.
  const atProvider = async (request: FastifyRequest, returnTo: string): Promise<string | undefined> => {
    try {
      return await provider?.signOutUrl(`${site.origin()}/auth/signed-out`, returnTo)
    } catch (error) {
      // Signed out here is signed out, even while the provider cannot be asked.
      if (!(error instanceof SignInError)) throw error
      logOf(request).warn({ operation: 'signOut', reason: error.reason }, 'the provider was not asked')
      return undefined
    }
  }

  app.post<Returning>('/auth/sign-out', async (request, reply) => {
    await sessions.revoke(request.headers.cookie)
    const headers = { 'set-cookie': cookieHeaders(site.cookieName, site.origin()).clear() }
    const returnTo = site.returnTo(request.query.returnTo)
    const url = await atProvider(request, returnTo)
    // A form navigates and wants to go somewhere; a script wants an answer, and leads the page itself.
    if (request.headers.accept?.includes('text/html')) {
      return send(
        request,
        reply,
        { status: 303, headers: { ...headers, location: url ?? returnTo } },
        'signOut',
      )
    }
    const further: Record<string, string> = url === undefined ? {} : { [signOutUrlHeader]: url }
    return send(request, reply, { status: 204, headers: { ...headers, ...further } }, 'signOut')
  })

  if (!provider) return
  app.get<{ Querystring: { state?: unknown } }>('/auth/signed-out', async (request, reply) => {
    const headers = { location: site.returnTo(request.query.state) }
    return send(request, reply, { status: 303, headers }, 'signedOut')
  })
}

import type { FastifyInstance } from 'fastify'
import { send } from './answer.js'
import type { Sessions } from './sessions.js'
import { cookieHeaders } from './set-cookie.js'
import type { IdentityProvider } from './sign-in/identity-provider.js'
import type { Site } from './site.js'

type Returning = { Querystring: { returnTo?: unknown } }

/** Registers signing out: here, and after it at the identity provider, where there is one. */
export function mountSignOut(
  app: FastifyInstance,
  sessions: Sessions,
  site: Site,
  provider?: IdentityProvider,
): void {
  app.post<Returning>('/auth/sign-out', async (request, reply) => {
    await sessions.revoke(request.headers.cookie)
    const headers = {
      'set-cookie': cookieHeaders(site.cookieName, site.origin()).clear(),
      'cache-control': 'no-store',
    }
    // A form navigates and wants to go somewhere; a script wants an answer.
    if (!request.headers.accept?.includes('text/html')) {
      return send(request, reply, { status: 204, headers }, 'signOut')
    }
    const returnTo = site.returnTo(request.query.returnTo)
    // The provider returns to addresses that it knows, so to one of ours; where to go from there is the state.
    // Signed out here is signed out, even while the provider cannot be asked.
    const location = await provider
      ?.signOutUrl(`${site.origin()}/auth/signed-out`, returnTo)
      .catch((error) => {
        request.log.warn({ operation: 'signOut', reason: error.reason }, 'the provider was not asked')
        return undefined
      })
    return send(
      request,
      reply,
      { status: 303, headers: { ...headers, location: location ?? returnTo } },
      'signOut',
    )
  })

  if (!provider) return
  app.get<{ Querystring: { state?: unknown } }>('/auth/signed-out', async (request, reply) => {
    const headers = { location: site.returnTo(request.query.state), 'cache-control': 'no-store' }
    return send(request, reply, { status: 303, headers }, 'signedOut')
  })
}

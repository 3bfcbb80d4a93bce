import type { FastifyInstance } from 'fastify'
import { safeReturnTo } from '../contract/return-to.js'
import { errorPage } from '../pages/error-page.js'
import { pageHeaders } from '../pages/page.js'
import { send } from './answer.js'
import { clearedCookie } from './session-cookie.js'
import type { Sessions } from './sessions.js'
import { noSignInPage } from './sign-in-page.js'

/**
 * Registers what production has outside /v1/: sign-in, sign-out, and the pages that docsUrl opens.
 * @param site where browsers reach the service
 */
export function mountSite(app: FastifyInstance, sessions: Sessions, site: () => string): void {
  app.get('/auth/sign-in', async (request, reply) =>
    // Asking again will not help, as 503 would promise: 501.
    send(request, reply, { status: 501, headers: pageHeaders(), text: noSignInPage() }, 'signIn'),
  )

  app.get<{ Params: { slug: string } }>('/docs/errors/:slug', async (request, reply) => {
    const text = errorPage(request.params.slug)
    if (!text) return reply.callNotFound()
    return send(request, reply, { status: 200, headers: pageHeaders(), text }, 'errorPage')
  })

  app.post<{ Querystring: { returnTo?: unknown } }>('/auth/sign-out', async (request, reply) => {
    await sessions.revoke(request.headers.cookie)
    const headers = {
      'set-cookie': clearedCookie(site()),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    }
    // A form navigates and wants to go somewhere; a script wants an answer.
    if (!request.headers.accept?.includes('text/html')) {
      return send(request, reply, { status: 204, headers }, 'signOut')
    }
    const { returnTo } = request.query
    const location = safeReturnTo(typeof returnTo === 'string' ? returnTo : undefined, site())
    return send(request, reply, { status: 303, headers: { ...headers, location } }, 'signOut')
  })
}

import type { FastifyInstance } from 'fastify'
import { errorPage } from '../../pages/error-page.js'
import { pageHeaders } from '../../pages/page.js'
import { noSignInPage } from '../sign-in/no-sign-in-page.js'
import { send } from './http-response.js'

/** Registers the pages that docsUrl opens (section 2.4). */
export function mountErrorPages(app: FastifyInstance): void {
  app.get<{ Params: { slug: string } }>('/docs/errors/:slug', async (request, reply) => {
    const text = errorPage(request.params.slug)
    if (!text) return reply.callNotFound()
    return send(request, reply, { status: 200, headers: pageHeaders(), text }, 'errorPage')
  })
}

/** Registers what there is in place of signing in where no identity provider is configured. */
export function mountNoSignIn(app: FastifyInstance): void {
  app.get('/auth/sign-in', async (request, reply) =>
    // Asking again will not help, as 503 would promise: 501.
    send(request, reply, { status: 501, headers: pageHeaders(), text: noSignInPage() }, 'signIn'),
  )
}

import type { FastifyInstance } from 'fastify'
import { documents } from '../../pages/documents.js'
import { errorPage } from '../../pages/error-page.js'
import { page, pageHeaders } from '../../pages/page.js'

/** Registers the description of the interface, and the pages that docsUrl opens (section 2.4). */
export function registerPages(app: FastifyInstance): void {
  for (const [path, { headers, text }] of documents) {
    app.get(path, { config: { operation: 'docs' } }, async (_request, reply) =>
      reply.headers(headers).send(text()),
    )
  }
  app.get<{ Params: { slug: string } }>(
    '/docs/errors/:slug',
    { config: { operation: 'errorPage' } },
    async (request, reply) => {
      const page = errorPage(request.params.slug)
      if (!page) return reply.callNotFound()
      reply.headers(pageHeaders())
      return page
    },
  )
}

const noSignIn = `<h1>Sign-in is not configured</h1>
<p>No identity provider is configured for this service. Its operator issues sessions on the command line:</p>
<pre><code>dashboard-api session issue --user EMAIL --organization CODE --permissions LIST --database FILE</code></pre>
<p>It prints the value of the <code>session</code> cookie.</p>`

/** Registers the page in place of sign-in where no identity provider is configured. */
export function registerNoSignIn(app: FastifyInstance): void {
  app.get('/auth/sign-in', { config: { operation: 'signIn' } }, async (_request, reply) => {
    // Not 503: another try will not help.
    reply.code(501).headers(pageHeaders())
    return page('Sign in', noSignIn)
  })
}

import type { FastifyInstance } from 'fastify'
import { page, pageHeaders } from '../../pages/page.js'

const noSignIn = `<h1>Sign-in is not configured</h1>
<p>No identity provider is configured for this service. Its operator issues sessions on the command line:</p>
<pre><code>dashboard-api session issue --user EMAIL --organization CODE --permissions LIST --database FILE</code></pre>
<p>It prints the value of the <code>session</code> cookie.</p>`

/** Registers a page in place of sign-in if no identity provider is configured. */
export function registerNoSignIn(app: FastifyInstance): void {
  app.get('/auth/sign-in', { config: { operation: 'signIn' } }, async (_request, reply) => {
    // Not 503: a retry would not help.
    reply.code(501).headers(pageHeaders())
    return page('Sign in', noSignIn)
  })
}

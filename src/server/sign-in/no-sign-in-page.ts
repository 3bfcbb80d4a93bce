import { page } from '../../pages/page.js'

/** What `GET /auth/sign-in` shows where no identity provider is configured. */
export const noSignInPage = (): string =>
  page(
    'Sign in',
    `<h1>Signing in is not set up here</h1>
<p>No identity provider is configured for this service. Sessions are issued by its operator, on the command
line:</p>
<pre><code>dashboard-api session issue --user EMAIL --organization CODE --database FILE</code></pre>
<p>It prints the value of the <code>session</code> cookie.</p>`,
  )

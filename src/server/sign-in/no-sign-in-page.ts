import { page } from '../../pages/page.js'

/** The page of `GET /auth/sign-in` where no identity provider is configured. */
export const noSignInPage = (): string =>
  page(
    'Sign in',
    `<h1>Sign-in is not configured</h1>
<p>No identity provider is configured for this service. Its operator issues sessions on the command line:</p>
<pre><code>dashboard-api session issue --user EMAIL --organization CODE --permissions LIST --database FILE</code></pre>
<p>It prints the value of the <code>session</code> cookie.</p>`,
  )

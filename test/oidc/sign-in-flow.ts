import type { AppOptions } from '../../src/server/app.js'
import { createIdentityProvider } from '../../src/server/sign-in/identity-provider.js'
import type { ProviderOptions } from '../../src/server/sign-in/provider-options.js'
import { createSignInStates } from '../../src/server/sign-in/sign-in-state.js'
import { createTestApp, hour, secret } from '../server/server-harness.js'
import { createBrowser, type TestBrowser } from './browser.js'
import type { RealProvider } from './real-provider.js'

export const claimNames = {
  organization: 'org_code',
  permissions: 'permissions',
  email: 'email',
  givenName: 'given_name',
  familyName: 'family_name',
  picture: 'picture',
}

type Options = {
  provider?: Partial<ProviderOptions>
  signIn?: Partial<NonNullable<AppOptions['signIn']>>
  app?: Partial<AppOptions>
}

/** Starts production on loopback, with the demo fixture and this identity provider. */
export async function startService(
  identity: { issuer: string; clientId: string; clientSecret?: string },
  { provider, signIn, app: appOptions }: Options = {},
) {
  const testApp = createTestApp({
    publicUrl: undefined,
    signIn: {
      provider: createIdentityProvider({
        ...identity,
        scopes: 'openid profile email',
        claims: claimNames,
        accessClaims: 'id-token',
        timeoutMs: 2_000,
        ...provider,
      }),
      states: createSignInStates([secret]),
      sessionMs: 12 * hour,
      defaultPermissions: [],
      provisionTeams: false,
      ...signIn,
    },
    ...appOptions,
  })
  const url = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...testApp, url, close: () => testApp.app.close() }
}

export type Service = Awaited<ReturnType<typeof startService>>

/** Signs in like a browser: from the service to the provider, through its page, and back. Returns the last response. */
export async function signInAs(
  account: string,
  service: { url: string },
  provider: RealProvider,
  { browser = createBrowser(), returnTo = '/v1/auth/me' } = {},
): Promise<{ browser: TestBrowser; url: URL; response: Response }> {
  const back = await callbackOf(account, service, provider, { browser, returnTo })
  return { browser, ...(await browser.follow(back.href)) }
}

/** The same up to the callback URL that the provider redirects to, which is returned. */
export async function callbackOf(
  account: string,
  service: { url: string },
  provider: RealProvider,
  { browser, returnTo = '/' }: { browser: TestBrowser; returnTo?: string },
): Promise<URL> {
  const isCallback = (next: URL) => next.origin === service.url && next.pathname === '/auth/callback'
  const start = `${service.url}/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`
  const reached = await browser.follow(start, isCallback)
  // If the browser is signed in at the provider already, it redirects at once.
  if (isCallback(reached.url)) return reached.url
  const response = await browser.request(reached.url.href, {
    method: 'POST',
    body: new URLSearchParams({ account }),
  })
  const next = new URL(response.headers.get('location') ?? '', provider.issuer)
  return isCallback(next) ? next : (await browser.follow(next.href, isCallback)).url
}

/** Confirms a sign-out on the page of the provider at this URL, and returns its response. */
export async function confirmSignOut(browser: TestBrowser, url: string): Promise<Response> {
  const page = await (await browser.follow(url)).response.text()
  const xsrf = page.match(/name="xsrf" value="(\w+)"/)?.[1] ?? ''
  return browser.request(page.match(/action="([^"]+)"/)?.[1] ?? '', {
    method: 'POST',
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
}

import type { AppOptions } from '../../src/server/app.js'
import { createTestApp } from '../server/server-harness.js'
import { createBrowser, type TestBrowser } from './browser.js'
import type { RealProvider } from './real-provider.js'

/** Starts production on loopback, with the demo fixture and this identity provider. */
export async function startService(
  identity: { issuer: string; clientId: string; clientSecret?: string },
  options: Partial<AppOptions> = {},
) {
  const testApp = createTestApp({
    publicUrl: undefined,
    oidcIssuer: identity.issuer,
    oidcClientId: identity.clientId,
    oidcClientSecret: identity.clientSecret,
    ...options,
  })
  const url = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...testApp, url, close: () => testApp.app.close() }
}

export type Service = Awaited<ReturnType<typeof startService>>

/** Signs in as a browser does: from the service to the provider, through its page, and back. @returns the last response */
export async function signInAs(
  account: string,
  service: { url: string },
  provider: RealProvider,
  { browser = createBrowser(), returnTo = '/v1/auth/me' } = {},
): Promise<{ browser: TestBrowser; url: URL; response: Response }> {
  const back = await callbackOf(account, service, provider, { browser, returnTo })
  return { browser, ...(await browser.follow(back.href)) }
}

/** Signs in up to the redirect of the provider. @returns the callback URL */
export async function callbackOf(
  account: string,
  service: { url: string },
  provider: RealProvider,
  { browser, returnTo = '/' }: { browser: TestBrowser; returnTo?: string },
): Promise<URL> {
  const isCallback = (next: URL) => next.origin === service.url && next.pathname === '/auth/callback'
  const start = `${service.url}/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`
  const reached = await browser.follow(start, isCallback)
  // If the browser is signed in at the provider already, the provider redirects immediately.
  if (isCallback(reached.url)) return reached.url
  const response = await browser.request(reached.url.href, {
    method: 'POST',
    body: new URLSearchParams({ account }),
  })
  const next = new URL(response.headers.get('location') ?? '', provider.issuer)
  return isCallback(next) ? next : (await browser.follow(next.href, isCallback)).url
}

/** Confirms a sign-out on the page of the provider at this URL. @returns the response */
export async function confirmSignOut(browser: TestBrowser, url: string): Promise<Response> {
  const page = await (await browser.follow(url)).response.text()
  const xsrf = page.match(/name="xsrf" value="(\w+)"/)?.[1] ?? ''
  return browser.request(page.match(/action="([^"]+)"/)?.[1] ?? '', {
    method: 'POST',
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
}

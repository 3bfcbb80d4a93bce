import type { AppOptions } from '../../src/server/app.js'
import { createIdentityProvider, type ProviderOptions } from '../../src/server/sign-in/identity-provider.js'
import { createSignInStates } from '../../src/server/sign-in/sign-in-state.js'
import { createTestApp, hour, secret } from '../server/server-harness.js'
import type { RealProvider } from './real-provider.js'
import { createVisitor, type Visitor } from './visitor.js'

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

/** Production over loopback, over the demo fixture, whose people sign in at this issuer. */
export async function startService(
  identity: { issuer: string; clientId: string; clientSecret?: string },
  { provider, signIn, app: appOptions }: Options = {},
) {
  const made = createTestApp({
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
      attempts: createSignInStates([secret]),
      sessionMs: 12 * hour,
      defaultPermissions: [],
      provisionTeams: false,
      ...signIn,
    },
    ...appOptions,
  })
  const url = await made.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...made, url, close: () => made.app.close() }
}

export type Service = Awaited<ReturnType<typeof startService>>

/** Signs in as a person does: to the service, to the provider, there by its page, and back. Gives the last answer. */
export async function signInAs(
  account: string,
  service: { url: string },
  provider: RealProvider,
  { visitor = createVisitor(), returnTo = '/v1/auth/me' } = {},
): Promise<{ visitor: Visitor; url: URL; response: Response }> {
  const back = await callbackOf(account, service, provider, { visitor, returnTo })
  return { visitor, ...(await visitor.follow(back.href)) }
}

/** The same up to the address that the provider sends the browser back to. */
export async function callbackOf(
  account: string,
  service: { url: string },
  provider: RealProvider,
  { visitor, returnTo = '/' }: { visitor: Visitor; returnTo?: string },
): Promise<URL> {
  const isBack = (next: URL) => next.origin === service.url && next.pathname === '/auth/callback'
  const begin = `${service.url}/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`
  const reached = await visitor.follow(begin, isBack)
  // Who is signed in at the provider is sent back at once.
  if (isBack(reached.url)) return reached.url
  const answer = await visitor.ask(reached.url.href, {
    method: 'POST',
    body: new URLSearchParams({ account }),
  })
  const next = new URL(answer.headers.get('location') ?? '', provider.issuer)
  return isBack(next) ? next : (await visitor.follow(next.href, isBack)).url
}

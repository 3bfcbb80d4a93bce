import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'
import { escapeHtml, page } from '../../src/pages/page.js'

/** The claims of an account. */
export type Account = Record<string, unknown>

export type RealProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The accounts, by subject. Tests may change them at any time. */
  accounts: Record<string, Account>
  /**
   * Registers the service at this origin as the client.
   * @param logout whether its logout tokens name the session, or only the person
   */
  register(site: string, logout?: 'session' | 'person'): Promise<void>
  close(): Promise<void>
}

export const audience = 'https://api.example'
const accessClaims = ['org_code', 'permissions']

/**
 * Starts a certified OpenID Connect provider on loopback, with a page to select an account.
 * @param accessTokens `jwt`: signed tokens with organisation and permissions, as those of Kinde; `opaque`: these claims come from
 *   the UserInfo endpoint
 */
export async function startRealProvider(accessTokens: 'jwt' | 'opaque' = 'opaque'): Promise<RealProvider> {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['dashboard', 'a-client-secret-that-nobody-may-see']
  const accounts: Record<string, Account> = {}

  return {
    issuer,
    clientId,
    clientSecret,
    accounts,
    async register(site, logout = 'session') {
      const { privateKey } = await generateKeyPair('RS256', { extractable: true })
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [`${site}/auth/callback`],
            post_logout_redirect_uris: [`${site}/auth/signed-out`],
            backchannel_logout_uri: `${site}/auth/back-channel-logout`,
            backchannel_logout_session_required: logout === 'session',
          },
        ],
        jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', kid: 'k1', use: 'sig' }] },
        // The same as the default adapter, which prints a warning if it is not set.
        adapter: (name: string) => new MemoryAdapter(name),
        cookies: { keys: ['a key of the test provider'] },
        scopes: ['openid', 'profile', 'email'],
        claims: {
          openid: ['sub'],
          email: ['email'],
          profile: [
            'given_name',
            'family_name',
            'picture',
            ...(accessTokens === 'opaque' ? accessClaims : []),
          ],
        },
        // As Kinde does, the provider puts the profile into the id token.
        conformIdTokenClaims: accessTokens === 'opaque',
        findAccount: (_context: unknown, sub: string) =>
          sub in accounts ? { accountId: sub, claims: () => ({ ...accounts[sub], sub }) } : undefined,
        loadExistingGrant: grantEverything,
        interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
        features: {
          devInteractions: { enabled: false },
          backchannelLogout: { enabled: true },
          rpInitiatedLogout: { enabled: true, logoutSource: confirmSignOut },
          ...(accessTokens === 'jwt' && { resourceIndicators: signedAccessTokens }),
        },
        extraTokenClaims: (_context: unknown, token: { accountId: string }) => {
          const account = accounts[token.accountId] ?? {}
          return Object.fromEntries(accessClaims.map((name) => [name, account[name]]))
        },
        ttl: {
          AccessToken: 600,
          AuthorizationCode: 60,
          IdToken: 600,
          Interaction: 600,
          Session: 600,
          Grant: 600,
        },
      })
      listener = withAccountPage(provider, accounts)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const signedAccessTokens = {
  enabled: true,
  defaultResource: () => audience,
  useGrantedResource: () => true,
  getResourceServerInfo: () => ({
    scope: '',
    audience,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  }),
}

/** Replaces the page of the package, which loads fonts from another host. */
async function confirmSignOut(context: { body: string }, form: string): Promise<void> {
  context.body = page(
    'Sign out?',
    `<h1>Sign out?</h1>${form}<ul class="cards"><li>
<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button></li></ul>`,
  )
}

type Context = {
  oidc: {
    provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } }
    client: { clientId: string }
    session: { accountId: string }
  }
}

async function grantEverything({ oidc }: Context) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
  grant.addOIDCScope('openid profile email')
  await grant.save()
  return grant
}

/** The page to select an account: a button for each. */
function withAccountPage(provider: Provider, accounts: Record<string, Account>): RequestListener {
  const callback = provider.callback()
  return async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    const { uid } = await provider.interactionDetails(request, response)
    if (request.method === 'POST') {
      let body = ''
      for await (const chunk of request) body += chunk
      const account = new URLSearchParams(body).get('account')
      const result = account ? { login: { accountId: account } } : { error: 'access_denied' }
      return provider.interactionFinished(request, response, result)
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(accountPage(`/interaction/${uid}`, accounts))
  }
}

const accountPage = (action: string, accounts: Record<string, Account>): string =>
  page(
    'Who are you?',
    `<h1>Who are you?</h1>
<p>This identity provider is for tests and demonstrations. Its accounts have no passwords.</p>
<form method="post" action="${action}">
<ul class="cards">
${Object.entries(accounts).map(card).join('\n')}
<li><button>Nobody<small>Return without signing in.</small></button></li>
</ul>
</form>`,
  )

function card([sub, { given_name, family_name, email, note }]: [string, Account]): string {
  const names = [given_name, family_name].filter(Boolean).join(' ')
  const details = [names, email, note].filter(Boolean).join(' · ')
  return `<li><button name="account" value="${escapeHtml(sub)}"><strong>I am ${escapeHtml(sub)}</strong>
<small>${escapeHtml(details)}</small></button></li>`
}

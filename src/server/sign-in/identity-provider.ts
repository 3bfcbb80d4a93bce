import * as oidc from 'openid-client'
import { verifyAccessToken } from './access-token.js'
import { type ClaimNames, type Claims, readClaims, type SignedIn } from './claims.js'
import { discover } from './provider-discovery.js'
import { signInError } from './sign-in-error.js'
import type { SignInState } from './sign-in-state.js'

export type ProviderOptions = {
  issuer: string
  clientId: string
  /** Left out: a public client, which PKCE alone protects. */
  clientSecret?: string
  /** Separated by spaces, `openid` among them. */
  scopes: string
  /** What the access token has to be for; asked for at sign-in too. */
  audience?: string
  claims: ClaimNames
  /** Which token says the organisation and the permissions. */
  accessClaims: 'id-token' | 'access-token'
  /** How long the provider may take for one answer, in milliseconds. */
  timeoutMs?: number
}

export type Checks = Pick<SignInState, 'state' | 'nonce' | 'verifier'>

/** An identity provider of OpenID Connect. Its methods throw SignInError where it is to blame. */
export type IdentityProvider = {
  /** Where to send somebody who signs in, and what to check when they come back. */
  begin(redirectUri: string): Promise<{ url: string; checks: Checks }>
  /** Who came back: everything that the provider says is verified. */
  finish(callback: URL, checks: Checks): Promise<SignedIn>
  /** Where the provider signs somebody out and sends them on; undefined where it has no such place. */
  signOutUrl(returnUri: string, state: string): Promise<string | undefined>
}

/** Nothing is asked of the provider before somebody signs in: the service starts while it is down. */
export function createIdentityProvider(options: ProviderOptions): IdentityProvider {
  const discovered = discover(options)

  return {
    begin: (redirectUri) =>
      wrapProviderErrors(async () => {
        const { client } = await discovered()
        const checks = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier: oidc.randomPKCECodeVerifier(),
        }
        const url = oidc.buildAuthorizationUrl(client, {
          redirect_uri: redirectUri,
          scope: options.scopes,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
          ...(options.audience && { audience: options.audience }),
        })
        return { url: url.href, checks }
      }),

    finish: (callback, { state, nonce, verifier }) =>
      wrapProviderErrors(async () => {
        const { client, keys } = await discovered()
        const tokens = await oidc.authorizationCodeGrant(client, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const idToken = tokens.claims() as oidc.IDToken
        const identity = { issuer: idToken.iss, subject: idToken.sub }
        if (options.accessClaims === 'access-token') {
          const access = await verifyAccessToken(tokens.access_token, idToken, keys, options)
          return readClaims(options.claims, identity, idToken, access)
        }
        const claims = await withUserInfo(client, tokens.access_token, idToken, options.claims)
        return readClaims(options.claims, identity, claims, claims)
      }),

    signOutUrl: (returnUri, state) =>
      wrapProviderErrors(async () => {
        const { client } = await discovered()
        if (!client.serverMetadata().end_session_endpoint) return undefined
        return oidc.buildEndSessionUrl(client, { post_logout_redirect_uri: returnUri, state }).href
      }),
  }
}

/** The claims of the id token, with those that the provider gives at its UserInfo endpoint alone. */
async function withUserInfo(
  client: oidc.Configuration,
  accessToken: string,
  idToken: oidc.IDToken,
  names: ClaimNames,
): Promise<Claims> {
  const isComplete = Object.values(names).every((name) => idToken[name] !== undefined)
  if (isComplete || !client.serverMetadata().userinfo_endpoint) return idToken
  return { ...(await oidc.fetchUserInfo(client, accessToken, idToken.sub)), ...idToken }
}

async function wrapProviderErrors<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw signInError(error)
  }
}

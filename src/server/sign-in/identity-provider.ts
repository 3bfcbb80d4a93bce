import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { isLoopback } from '../loopback.js'
import type { Attempt } from './attempts.js'
import { type ClaimNames, type Claims, readClaims, type SignedIn } from './claims.js'
import { SignInError, signInError } from './sign-in-error.js'

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

export type Checks = Pick<Attempt, 'state' | 'nonce' | 'verifier'>

/** An identity provider of OpenID Connect. Its methods throw SignInError where it is to blame. */
export type IdentityProvider = {
  /** Where to send somebody who signs in, and what to check when they come back. */
  begin(redirectUri: string): Promise<{ url: string; checks: Checks }>
  /** Who came back: everything that the provider says is verified. */
  finish(callback: URL, checks: Checks): Promise<SignedIn>
  /** Where the provider signs somebody out and sends them on; undefined where it has no such place. */
  signOutUrl(returnUri: string, state: string): Promise<string | undefined>
}

/** What a provider says of itself is asked for again after this long, in milliseconds. */
const discoveryMs = 60 * 60_000

/** Nothing is asked of the provider before somebody signs in: the service starts while it is down. */
export function createIdentityProvider(options: ProviderOptions): IdentityProvider {
  const discovered = rememberSuccess(() => discover(options), discoveryMs)

  return {
    begin: (redirectUri) =>
      blamingProvider(async () => {
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
      blamingProvider(async () => {
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
      blamingProvider(async () => {
        const { client } = await discovered()
        if (!client.serverMetadata().end_session_endpoint) return undefined
        return oidc.buildEndSessionUrl(client, { post_logout_redirect_uri: returnUri, state }).href
      }),
  }
}

type Discovered = { client: oidc.Configuration; keys: ReturnType<typeof createRemoteJWKSet> }

async function discover({ issuer, clientId, clientSecret, timeoutMs = 8_000 }: ProviderOptions) {
  const authenticate = clientSecret ? withSecret(clientSecret) : oidc.None()
  const client = await oidc.discovery(new URL(issuer), clientId, undefined, authenticate, {
    timeout: timeoutMs / 1000,
    execute: [
      // The id token comes straight from the provider; its signature is verified all the same.
      oidc.enableNonRepudiationChecks,
      ...(isLoopback(issuer) ? [oidc.allowInsecureRequests] : []),
    ],
  })
  const { jwks_uri: keysUrl } = client.serverMetadata()
  if (!keysUrl) throw new SignInError('unacceptable', 'the provider names no keys')
  const keys = createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: timeoutMs })
  return { client, keys }
}

/** A client is registered for `client_secret_basic` unless something else was agreed, says OpenID Connect. */
function withSecret(secret: string): oidc.ClientAuth {
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isBasic = methods.includes('client_secret_basic')
    const send = isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret)
    return send(server, ...rest)
  }
}

/**
 * The claims of an access token that this provider signed, for this client, about the same person.
 * Without a configured audience the token has to name the client: in `azp`, `client_id`, or its audience.
 */
async function verifyAccessToken(
  token: string,
  { iss, sub }: oidc.IDToken,
  keys: Discovered['keys'],
  { clientId, audience }: ProviderOptions,
): Promise<Claims> {
  const { payload } = await jwtVerify(token, keys, {
    issuer: iss,
    subject: sub,
    requiredClaims: ['exp'],
    clockTolerance: 30,
    ...(audience && { audience }),
  })
  const holders = [payload.azp, payload.client_id, payload.aud].flat()
  if (!audience && !holders.includes(clientId)) {
    throw new SignInError('unacceptable', 'the access token is for another client')
  }
  return payload
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

async function blamingProvider<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw signInError(error)
  }
}

/** Does something once for all who ask within a time; who asks after a failure tries again. */
function rememberSuccess<Value>(work: () => Promise<Value>, forMs: number): () => Promise<Value> {
  let last: { value: Promise<Value>; until: number } | undefined
  return () => {
    if (last && Date.now() < last.until) return last.value
    const mine = { value: work(), until: Date.now() + forMs }
    last = mine
    mine.value.catch(() => {
      if (last === mine) last = undefined
    })
    return mine.value
  }
}

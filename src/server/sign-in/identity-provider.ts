import * as oidc from 'openid-client'
import { keyText } from '../../store/state-file.js'
import { readClaims, type SignedIn } from './claims.js'
import { type Claims, findClaim } from './find-claim.js'
import { verifyLogoutToken } from './logout-token.js'
import { type Discovered, discover } from './provider-discovery.js'
import type { ProviderSettings } from './provider-settings.js'
import { comparison, namingExpected, SignInError, signInError, throwUndecided } from './sign-in-error.js'
import type { SignInState } from './sign-in-state.js'

export type Checks = Pick<SignInState, 'state' | 'nonce' | 'verifier'>

export type IdentityProvider = ReturnType<typeof createIdentityProvider>

/**
 * An OpenID Connect provider. Its methods throw SignInError for its failures. The first sign-in sends the first request, so
 * that the service starts while the provider is down.
 */
export function createIdentityProvider(settings: ProviderSettings, timeoutMs?: number) {
  const discovered = discover(settings, timeoutMs)

  return {
    /** The URL that starts a sign-in, and the values to check in the callback. */
    begin: (redirectUri: string) =>
      wrapProviderErrors(async () => {
        const { client } = await discovered()
        const checks = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier: oidc.randomPKCECodeVerifier(),
        }
        const url = oidc.buildAuthorizationUrl(client, {
          redirect_uri: redirectUri,
          scope: settings.oidcScopes,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
          ...(settings.oidcAudience && { audience: settings.oidcAudience }),
        })
        return { url: url.href, checks, issuer: client.serverMetadata().issuer }
      }),

    /** Completes a sign-in. Everything that the provider sends is verified. */
    finish: (callback: URL, { state, nonce, verifier }: Checks) =>
      wrapProviderErrors(async (): Promise<SignedIn & { idToken: string }> => {
        const { client, keys } = await discovered()
        const tokens = await oidc.authorizationCodeGrant(client, callback, {
          expectedState: state,
          // Also requires an id token.
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        })
        // The id token comes from the provider directly; its signature is verified nevertheless.
        await keys.verify(tokens.id_token ?? '', { clockTolerance: 30 })
        const idToken = tokens.claims() as oidc.IDToken
        const identity = { issuer: idToken.iss, subject: idToken.sub }
        const { data: sid } = keyText().safeParse(idToken.sid)
        const read = (profile: Claims[], access: Claims[], remark?: string) => {
          const { remarks, ...signedIn } = readClaims(settings.oidcClaims, identity, profile, access)
          return {
            ...signedIn,
            ...(sid !== undefined && { sid }),
            idToken: tokens.id_token ?? '',
            remarks: remark === undefined ? remarks : [remark, ...remarks],
          }
        }
        if (settings.oidcAccessClaims === 'access-token') {
          const access = await verifyAccessToken(tokens.access_token, idToken, keys, settings)
          return read([idToken], [access])
        }
        const { claims, remark } = await withUserInfo(client, tokens.access_token, idToken, settings)
        return read(claims, claims, remark)
      }),

    /** The claims of a logout token that this provider signed for this client. */
    verifyLogout: (token: string) =>
      wrapProviderErrors(async () => {
        const provider = await discovered().catch(throwUndecided)
        return verifyLogoutToken(token, provider, settings)
      }),

    /**
     * The URL that signs out at the provider and returns; undefined if the provider has none.
     * @param idToken the id token of the session; without it the provider may ask whom to sign out
     */
    signOutUrl: (returnUri: string, state: string, idToken?: string) =>
      wrapProviderErrors(async () => {
        const { client } = await discovered()
        if (!client.serverMetadata().end_session_endpoint) return undefined
        return oidc.buildEndSessionUrl(client, {
          post_logout_redirect_uri: returnUri,
          state,
          ...(idToken !== undefined && { id_token_hint: idToken }),
        }).href
      }),
  }
}

/**
 * The claims of the id token, completed from the UserInfo endpoint if some are missing. A failure of that endpoint is a
 * remark if only displayed claims are missing; rights depend on the others.
 */
async function withUserInfo(
  client: oidc.Configuration,
  accessToken: string,
  idToken: oidc.IDToken,
  settings: ProviderSettings,
): Promise<{ claims: Claims[]; remark?: string }> {
  const { organization, permissions, ...shown } = settings.oidcClaims
  const has = (name: string) => findClaim(idToken, name) != null
  const hasRights = has(organization) && has(permissions)
  if ((hasRights && Object.values(shown).every(has)) || !client.serverMetadata().userinfo_endpoint)
    return { claims: [idToken] }
  try {
    return { claims: [idToken, await oidc.fetchUserInfo(client, accessToken, idToken.sub)] }
  } catch (error) {
    const failure = signInError(error)
    if (!hasRights || !(failure instanceof SignInError)) throw failure
    return { claims: [idToken], remark: `the UserInfo endpoint has failed: ${failure.reason}` }
  }
}

/**
 * The claims of an access token that this provider signed, for this client, about the same user. Without a configured
 * audience the token has to name the client in `azp`, `client_id`, or its audience.
 */
async function verifyAccessToken(
  token: string,
  { iss, sub }: oidc.IDToken,
  keys: Discovered['keys'],
  { oidcClientId, oidcAudience: audience }: ProviderSettings,
): Promise<Claims> {
  const { payload } = await keys
    .verify(token, {
      issuer: iss,
      subject: sub,
      requiredClaims: ['exp'],
      clockTolerance: 30,
      ...(audience && { audience }),
    })
    .catch(namingExpected({ iss, aud: audience }))
  const holders = [payload.azp, payload.client_id, payload.aud].flat()
  if (!audience && !holders.includes(oidcClientId)) {
    throw new SignInError(
      'unacceptable',
      `the access token is for another client: ${comparison(oidcClientId, holders)} in azp, client_id and aud`,
    )
  }
  return payload
}

const wrapProviderErrors = <Value>(work: () => Promise<Value>): Promise<Value> =>
  work().catch((error) => {
    throw signInError(error)
  })

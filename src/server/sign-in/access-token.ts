import { jwtVerify } from 'jose'
import type { IDToken } from 'openid-client'
import type { Claims } from './find-claim.js'
import type { Discovered } from './provider-discovery.js'
import type { ProviderSettings } from './provider-settings.js'
import { SignInError } from './sign-in-error.js'

/**
 * The claims of an access token that this provider signed, for this client, about the same person.
 * Without a configured audience the token has to name the client: in `azp`, `client_id`, or its audience.
 */
export async function verifyAccessToken(
  token: string,
  { iss, sub }: IDToken,
  keys: Discovered['keys'],
  { oidcClientId, oidcAudience: audience }: ProviderSettings,
): Promise<Claims> {
  const { payload } = await jwtVerify(token, keys, {
    issuer: iss,
    subject: sub,
    requiredClaims: ['exp'],
    clockTolerance: 30,
    ...(audience && { audience }),
  })
  const holders = [payload.azp, payload.client_id, payload.aud].flat()
  if (!audience && !holders.includes(oidcClientId)) {
    throw new SignInError('unacceptable', 'azp, client_id and aud of the access token name another client')
  }
  return payload
}

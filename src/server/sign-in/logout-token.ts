import { createHash } from 'node:crypto'
import { keyText } from '../../store/state-file.js'
import type { ProviderLogout } from '../../store/store.js'
import { isClaims } from './find-claim.js'
import type { Discovered } from './provider-discovery.js'
import type { ProviderSettings } from './provider-settings.js'
import { namingExpected, SignInError } from './sign-in-error.js'

/** The event of every logout token, OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const event = 'http://schemas.openid.net/event/backchannel-logout'

/** The maximum age of a token, whatever its expiry, in seconds. */
const maxAge = 600
/** The greatest difference of the clocks of provider and service, in seconds. */
const clockTolerance = 30

/**
 * The claims of a logout token that this provider signed for this client, section 2.6.
 * @throws SignInError, or an error of jose, which names the claim
 */
export async function verifyLogoutToken(
  token: string,
  { client, keys }: Discovered,
  { oidcClientId }: ProviderSettings,
): Promise<ProviderLogout> {
  const { issuer, id_token_signing_alg_values_supported: algorithms } = client.serverMetadata()
  const { payload, protectedHeader } = await keys
    .verify(token, {
      issuer,
      audience: oidcClientId,
      algorithms: algorithms ?? ['RS256'],
      requiredClaims: ['jti', 'exp'],
      maxTokenAge: maxAge,
      clockTolerance,
    })
    .catch(namingExpected({ iss: issuer, aud: oidcClientId }))
  // Providers older than the final specification send no type.
  const isTyped = /^(JWT|(application\/)?logout\+jwt)$/i.test(protectedHeader.typ ?? 'JWT')
  const { events, nonce, iat = 0 } = payload
  const [jti, subject, sid] = [payload.jti, payload.sub, payload.sid].map((value) =>
    keyText().safeParse(value),
  )
  const faults = {
    typ: !isTyped,
    events: !isClaims(events) || !isClaims(events[event]),
    // An id token is no logout token, nor the other way round.
    nonce: nonce !== undefined,
    jti: !jti?.success,
    sub: payload.sub !== undefined && !subject?.success,
    sid: payload.sid !== undefined && !sid?.success,
    'sub or sid': payload.sub === undefined && payload.sid === undefined,
  }
  const fault = Object.entries(faults).find(([, isFound]) => isFound)
  if (fault) throw new SignInError('unacceptable', `the logout token is refused for its ${fault[0]}`)
  return {
    issuer,
    ...(subject?.data !== undefined && { subject: subject.data }),
    ...(sid?.data !== undefined && { sid: sid.data }),
    key: createHash('sha256')
      .update(JSON.stringify([issuer, jti?.data]))
      .digest('base64url'),
    expiresAt: new Date((iat + maxAge + 2 * clockTolerance) * 1000).toISOString(),
  }
}

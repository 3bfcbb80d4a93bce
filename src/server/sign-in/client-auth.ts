import { type CryptoKey, importJWK } from 'jose'
import * as oidc from 'openid-client'
import type { ClientAuthName } from '../settings/client-key.js'
import type { ProviderSettings } from './provider-settings.js'

type Auths = Pick<ProviderSettings, 'oidcClientAuth' | 'oidcClientSecret' | 'oidcClientKey'>

/**
 * Chooses the authentication of the service: as the setting says, or by its key, or by its secret as the provider's
 * metadata allow; `client_secret_basic` is the default of a registered client. Undefined for a public client.
 */
export function chooseAuth(
  { oidcClientAuth, oidcClientSecret, oidcClientKey }: Auths,
  { token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata,
): ClientAuthName | undefined {
  if (oidcClientAuth) return oidcClientAuth
  if (oidcClientKey) return 'private_key_jwt'
  if (!oidcClientSecret) return undefined
  return (methods ?? ['client_secret_basic']).includes('client_secret_basic') ? 'basic' : 'post'
}

/** Authenticates requests to the provider's token endpoint. */
export async function createClientAuth(settings: Auths): Promise<oidc.ClientAuth> {
  const { oidcClientSecret: secret = '', oidcClientKey: jwk } = settings
  const key = jwk && ((await importJWK(jwk)) as CryptoKey)
  const send: Record<ClientAuthName, oidc.ClientAuth> = {
    basic: basicAuth(secret),
    post: secret ? oidc.ClientSecretPost(secret) : oidc.None(),
    private_key_jwt: key ? oidc.PrivateKeyJwt({ key, ...(jwk?.kid && { kid: jwk.kid }) }) : oidc.None(),
  }
  return (server, ...rest) => {
    const auth = chooseAuth(settings, server)
    return (auth ? send[auth] : oidc.None())(server, ...rest)
  }
}

/**
 * Section 2.3.1 of RFC 6749. openid-client encodes every hyphen of a UUID, and some providers do not decode id and secret:
 * here characters that need no encoding stay.
 */
const basicAuth =
  (secret: string): oidc.ClientAuth =>
  (_, { client_id: id }, _body, headers) => {
    const credentials = Buffer.from(`${encodeForm(id)}:${encodeForm(secret)}`).toString('base64')
    headers.set('authorization', `Basic ${credentials}`)
  }

const encodeForm = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

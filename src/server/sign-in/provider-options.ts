import type { ClaimNames } from './claims.js'

export type ProviderOptions = {
  issuer: string
  clientId: string
  /** Left out: a public client, which PKCE alone protects. */
  clientSecret?: string
  /** Separated by spaces, `openid` among them. */
  scopes: string
  /** The required audience of the access token; sent with the authorization request too. */
  audience?: string
  claims: ClaimNames
  /** Which token has the organisation and the permissions. */
  accessClaims: 'id-token' | 'access-token'
  /** How long the provider may take for one response, in milliseconds. */
  timeoutMs?: number
}

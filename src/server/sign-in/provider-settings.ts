import type { Settings } from '../settings/settings.js'

type Named = { oidcIssuer: string; oidcClientId: string }

/** The settings of an identity provider. Without a client secret, PKCE alone protects the client. */
export type ProviderSettings = Named &
  Pick<
    Settings,
    | 'oidcClientSecret'
    | 'oidcClientKey'
    | 'oidcClientAuth'
    | 'oidcScopes'
    | 'oidcAudience'
    | 'oidcAccessClaims'
    | 'oidcClaims'
  >

export const hasProvider = (settings: Settings): settings is Settings & Named =>
  settings.oidcIssuer !== undefined && settings.oidcClientId !== undefined

import type { Settings } from '../settings/settings.js'

/** The settings with the provider's names of claims, or paths to a field inside one (`findClaim`). */
export const claimSettings = [
  'oidcOrganizationClaim',
  'oidcPermissionsClaim',
  'oidcEmailClaim',
  'oidcGivenNameClaim',
  'oidcFamilyNameClaim',
  'oidcPictureClaim',
] as const

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
    | (typeof claimSettings)[number]
  >

/** Whether settings name an identity provider. */
export const hasProvider = (settings: Settings): settings is Settings & Named =>
  settings.oidcIssuer !== undefined && settings.oidcClientId !== undefined

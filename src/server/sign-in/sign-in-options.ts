import type { AppOptions } from '../app.js'
import type { Settings } from '../settings/settings.js'
import { createIdentityProvider } from './identity-provider.js'
import type { ProviderOptions } from './provider-options.js'
import { createSignInStates } from './sign-in-state.js'

/** The identity provider of the settings; undefined where they name none. */
export function providerOptions(settings: Settings): ProviderOptions | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId } = settings
  if (issuer === undefined || clientId === undefined) return undefined
  return {
    issuer,
    clientId,
    clientSecret: settings.oidcClientSecret,
    scopes: settings.oidcScopes,
    audience: settings.oidcAudience,
    accessClaims: settings.oidcAccessClaims,
    claims: {
      organization: settings.oidcOrganizationClaim,
      permissions: settings.oidcPermissionsClaim,
      email: settings.oidcEmailClaim,
      givenName: settings.oidcGivenNameClaim,
      familyName: settings.oidcFamilyNameClaim,
      picture: settings.oidcPictureClaim,
    },
  }
}

/** The options for sign-in from the settings; undefined where they name no identity provider. */
export function signInOptions(settings: Settings): AppOptions['signIn'] {
  const provider = providerOptions(settings)
  return (
    provider && {
      provider: createIdentityProvider(provider),
      states: createSignInStates(settings.sessionSecret),
      sessionMs: settings.sessionTtl,
      defaultPermissions: settings.defaultPermissions,
      provisionTeams: settings.provisionTeams,
    }
  )
}

import * as oidc from 'openid-client'
import * as z from 'zod'
import { isLoopbackHttpUrl } from '../../contract/loopback.js'
import { createClientAuth } from './client-auth.js'
import { createProviderFetch, type ProviderFetch } from './provider-fetch.js'
import { createProviderKeys, type ProviderKeys } from './provider-keys.js'
import type { ProviderSettings } from './provider-settings.js'
import { SignInError } from './sign-in-error.js'

/** The client for a provider, made from its metadata, and the provider's signing keys. */
export type Discovered = { client: oidc.Configuration; keys: ProviderKeys; fetch: ProviderFetch }

/** The time limit of a response of the provider, in milliseconds. */
export const providerTimeoutMs = 8_000
/** How long the metadata of a provider are reused, in milliseconds. */
const discoveryMs = 60 * 60_000
/** The interval of retries while the provider is away and known metadata serve, in milliseconds. */
const retryMs = 10_000

const words = z.array(z.string()).nullish()
/** Metadata that openid-client does not check or use. */
const Metadata = z.object({
  jwks_uri: z.url({ protocol: /^https?$/ }),
  token_endpoint_auth_methods_supported: words,
  id_token_signing_alg_values_supported: words,
})

/**
 * Discovers a provider at the first call, and reuses the result for a while, or as long as the provider is away. After a
 * failure without a result the next call tries again.
 */
export function discover(
  settings: ProviderSettings,
  timeoutMs: number = providerTimeoutMs,
): () => Promise<Discovered> {
  let fetch: ProviderFetch | undefined
  let known: Discovered | undefined
  let expiresAt = 0
  let discovering: Promise<Discovered> | undefined

  const renew = async (): Promise<Discovered> => {
    try {
      // Created outside of the time limit of a request.
      fetch ??= await createProviderFetch()
      known = await discoverOnce(settings, fetch, timeoutMs, known?.keys)
      expiresAt = performance.now() + discoveryMs
      return known
    } catch (error) {
      if (!known) throw error
      expiresAt = performance.now() + retryMs
      return known
    } finally {
      discovering = undefined
    }
  }
  return async () => {
    if (known && performance.now() <= expiresAt) return known
    discovering ??= renew()
    return discovering
  }
}

async function discoverOnce(
  settings: ProviderSettings,
  fetch: ProviderFetch,
  timeoutMs: number,
  knownKeys: ProviderKeys | undefined,
): Promise<Discovered> {
  const { oidcIssuer: issuer, oidcClientId } = settings
  const authenticate = await createClientAuth(settings)
  const client = await oidc.discovery(new URL(issuer), oidcClientId, undefined, authenticate, {
    timeout: timeoutMs / 1000,
    [oidc.customFetch]: fetch,
    execute: isLoopbackHttpUrl(issuer) ? [oidc.allowInsecureRequests] : [],
  })
  const { data, error } = Metadata.safeParse(client.serverMetadata())
  if (!data) {
    const name = String(error.issues[0]?.path[0])
    throw new SignInError('unacceptable', `the metadata "${name}" has an unknown form`)
  }
  const { jwks_uri: url } = data
  const keys = knownKeys?.url === url ? knownKeys : createProviderKeys(url, fetch, timeoutMs)
  return { client, keys, fetch }
}

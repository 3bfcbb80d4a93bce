import { createRemoteJWKSet, customFetch } from 'jose'
import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import * as z from 'zod'
import { isLoopbackHttpUrl } from '../../contract/loopback.js'
import { createClientAuth } from './client-auth.js'
import type { ProviderSettings } from './provider-settings.js'
import { SignInError } from './sign-in-error.js'

/** The client for a provider, made from its metadata, and the keys that it signs with. */
export type Discovered = { client: oidc.Configuration; keys: ReturnType<typeof createRemoteJWKSet> }

/** How long the provider may take for one response, in milliseconds. */
export const providerTimeoutMs = 8_000
/** The metadata of a provider is reused for this long, in milliseconds. */
const discoveryMs = 60 * 60_000
/** How long a response of the provider may be, in bytes: one without an end would fill the memory until its time limit. */
const maxResponseBytes = 1024 * 1024

const words = z.array(z.string()).nullish()
/** The metadata that openid-client does not check, or does not use. */
const Metadata = z.object({
  jwks_uri: z.url({ protocol: /^https?$/ }),
  token_endpoint_auth_methods_supported: words,
  id_token_signing_alg_values_supported: words,
})

/** Discovers a provider at the first call, and reuses the result for a while. After a failure the next call tries again. */
export function discover(settings: ProviderSettings, timeoutMs?: number): () => Promise<Discovered> {
  const { oidcIssuer } = settings
  const discovered = new LRUCache<string, Discovered>({
    max: 1,
    ttl: discoveryMs,
    fetchMethod: () => discoverOnce(settings, timeoutMs),
  })
  return () => discovered.forceFetch(oidcIssuer)
}

async function discoverOnce(settings: ProviderSettings, timeoutMs = providerTimeoutMs): Promise<Discovered> {
  const { oidcIssuer: issuer, oidcClientId } = settings
  const authenticate = await createClientAuth(settings)
  const client = await oidc.discovery(new URL(issuer), oidcClientId, undefined, authenticate, {
    timeout: timeoutMs / 1000,
    [oidc.customFetch]: fetchBounded,
    execute: [
      // The id token comes from the provider directly; its signature is verified nevertheless.
      oidc.enableNonRepudiationChecks,
      ...(isLoopbackHttpUrl(issuer) ? [oidc.allowInsecureRequests] : []),
    ],
  })
  const { data, error } = Metadata.safeParse(client.serverMetadata())
  if (!data) {
    const name = String(error.issues[0]?.path[0])
    throw new SignInError('unacceptable', `the metadata "${name}" has an unknown form`)
  }
  const keys = createRemoteJWKSet(new URL(data.jwks_uri), {
    timeoutDuration: timeoutMs,
    [customFetch]: fetchBounded,
  })
  return { client, keys }
}

/** Fetches a response whose body fails beyond the limit. */
async function fetchBounded(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options)
  let bytes = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes <= maxResponseBytes) controller.enqueue(chunk)
      else controller.error(Object.assign(new Error('A response is too long'), { code: 'RESPONSE_TOO_LONG' }))
    },
  })
  return new Response(response.body?.pipeThrough(bounded), response)
}

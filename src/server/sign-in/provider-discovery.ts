import { createRemoteJWKSet } from 'jose'
import * as oidc from 'openid-client'
import { isLoopbackHttpUrl } from '../../contract/loopback.js'
import type { ProviderOptions } from './identity-provider.js'
import { SignInError } from './sign-in-error.js'

/** A provider as it describes itself, and the keys that it signs with. */
export type Discovered = { client: oidc.Configuration; keys: ReturnType<typeof createRemoteJWKSet> }

/** What a provider says of itself is asked for again after this long, in milliseconds. */
const discoveryMs = 60 * 60_000

/** Asks a provider what it is when somebody wants to know, and not again for a while. */
export const discover = (options: ProviderOptions): (() => Promise<Discovered>) =>
  memoizeWithTtl(() => ask(options), discoveryMs)

async function ask({
  issuer,
  clientId,
  clientSecret,
  timeoutMs = 8_000,
}: ProviderOptions): Promise<Discovered> {
  const authenticate = clientSecret ? withSecret(clientSecret) : oidc.None()
  const client = await oidc.discovery(new URL(issuer), clientId, undefined, authenticate, {
    timeout: timeoutMs / 1000,
    execute: [
      // The id token comes straight from the provider; its signature is verified all the same.
      oidc.enableNonRepudiationChecks,
      ...(isLoopbackHttpUrl(issuer) ? [oidc.allowInsecureRequests] : []),
    ],
  })
  const { jwks_uri: keysUrl } = client.serverMetadata()
  if (!keysUrl) throw new SignInError('unacceptable', 'the provider names no keys')
  const keys = createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: timeoutMs })
  return { client, keys }
}

/** A client is registered for `client_secret_basic` unless something else was agreed, says OpenID Connect. */
function withSecret(secret: string): oidc.ClientAuth {
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isBasic = methods.includes('client_secret_basic')
    const send = isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret)
    return send(server, ...rest)
  }
}

/** Does something once for all who ask within a time; who asks after a failure tries again. */
function memoizeWithTtl<Value>(work: () => Promise<Value>, forMs: number): () => Promise<Value> {
  let last: { value: Promise<Value>; until: number } | undefined
  return () => {
    if (last && Date.now() < last.until) return last.value
    const mine = { value: work(), until: Date.now() + forMs }
    last = mine
    mine.value.catch(() => {
      if (last === mine) last = undefined
    })
    return mine.value
  }
}

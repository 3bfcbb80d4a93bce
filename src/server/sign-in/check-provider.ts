import { randomUUID } from 'node:crypto'
import { chooseAuth } from './client-auth.js'
import { createIdentityProvider } from './identity-provider.js'
import { discover, providerTimeoutMs } from './provider-discovery.js'
import type { ProviderSettings } from './provider-settings.js'
import { SignInError, signInError } from './sign-in-error.js'

/** The result of one check; `found` describes it. */
export type ProviderCheck = { check: 'metadata' | 'keys' | 'sign-in' | 'client'; ok: boolean; found: string }

/**
 * Signs in at an identity provider as far as a program can: reads metadata and keys, opens the sign-in page, and redeems a
 * code that does not exist. A provider that knows the client refuses only the code. No session is created. The first failed
 * check ends the list.
 * @param redirectUri the callback URL that is registered at the provider
 */
export async function checkProvider(
  settings: ProviderSettings,
  redirectUri: string,
  timeoutMs = providerTimeoutMs,
): Promise<ProviderCheck[]> {
  const discovered = discover(settings, timeoutMs)
  const provider = createIdentityProvider(settings, timeoutMs)

  const steps: Record<ProviderCheck['check'], () => Promise<string>> = {
    async metadata() {
      const { issuer, backchannel_logout_supported: hasLogout } = (await discovered()).client.serverMetadata()
      return `${issuer}, ${hasLogout ? 'with' : 'without'} back-channel logout`
    },
    async keys() {
      const { keys } = await discovered()
      const found = await keys.reload()
      if (found === 0)
        throw new SignInError('unacceptable', 'the key set is empty: no id token can be verified')
      return `${found} keys`
    },
    async 'sign-in'() {
      const { url } = await provider.begin(redirectUri)
      const { fetch } = await discovered()
      const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      const target = new URL(response.headers.get('location') ?? url, url)
      const refusal = target.href.startsWith(redirectUri) && target.searchParams.get('error')
      if (refusal) throw new SignInError('unacceptable', `the request is refused with ${refusal}`)
      if (response.status < 400) return `a page opens; the callback URL is ${redirectUri}`
      const reason = `the page replies ${response.status}: is ${redirectUri} registered for this client?`
      throw new SignInError('unacceptable', reason)
    },
    client: () => checkClient(settings, redirectUri, timeoutMs),
  }

  const checks: ProviderCheck[] = []
  for (const [check, run] of Object.entries(steps) as [ProviderCheck['check'], () => Promise<string>][]) {
    const result = await run().then(
      (found) => ({ check, ok: true, found }),
      (error) => ({ check, ok: false, found: reasonOf(error) }),
    )
    checks.push(result)
    if (!result.ok) break
  }
  return checks
}

const reasonOf = (error: unknown): string => {
  const failure = signInError(error)
  return failure instanceof SignInError ? failure.reason : (failure as Error).message
}

/** The replies of a provider that refuses the client. Some send a challenge without the error. */
const refusals = ['invalid_client', 'unauthorized_client', 'an unnamed challenge']

/** The replies of a provider that has a fault of its own. */
const faults = ['server_error', 'temporarily_unavailable']

/**
 * Redeems a code that does not exist. A provider that knows the client replies `invalid_grant` or a custom error. In the
 * latter case the reply to a wrong secret tells whether it knows the client.
 */
async function checkClient(
  settings: ProviderSettings,
  redirectUri: string,
  timeoutMs: number,
): Promise<string> {
  const auth = chooseAuth(settings, (await discover(settings, timeoutMs)()).client.serverMetadata())
  const redeem = (changes: Partial<ProviderSettings> = {}) =>
    redeemUnknownCode({ ...settings, ...changes }, redirectUri, timeoutMs)
  const sent = auth === undefined ? 'without a secret' : `with ${auth}`
  const reply = await redeem()
  if (reply === 'invalid_grant') return `the provider knows the client, ${sent}`
  // Another reply is about tokens, or cannot be parsed.
  if (reply === undefined || !/^(an error of its own|an unnamed challenge|[a-z_]+)$/.test(reply)) {
    const found = reply === undefined ? 'tokens' : reply
    throw new SignInError('unacceptable', `for a code that does not exist, the provider replies ${found}`)
  }
  if (faults.includes(reply)) {
    throw new SignInError('unreachable', `for a code that does not exist, the provider replies ${reply}`)
  }
  const own = `its reply to a code that does not exist is ${reply}`
  const isSecret = auth === 'basic' || auth === 'post'
  if (refusals.includes(reply)) {
    const other = auth === 'basic' ? 'post' : 'basic'
    // A client may be registered for one of the two, whatever the metadata of the provider say.
    const toOther = isSecret ? await redeem({ oidcClientAuth: other }).catch(() => reply) : reply
    const isKnown = toOther !== undefined && toOther !== reply && !refusals.includes(toOther)
    const reason = isKnown
      ? `and known with ${other}: set DASHBOARD_API_OIDC_CLIENT_AUTH=${other}`
      : `check its id, its ${auth === 'private_key_jwt' ? 'key' : 'secret'}, and how it authenticates at the provider`
    throw new SignInError('unacceptable', `the client is refused ${sent} (${reply}), ${reason}`)
  }
  if (!isSecret) return `the provider does not refuse the client, ${sent}; ${own}`
  const toWrong = await redeem({ oidcClientSecret: randomUUID() })
  if (toWrong !== reply) return `the provider knows the client, ${sent}; ${own}`
  return `unknown: ${own}, with a wrong secret too, so that only a sign-in shows whether the secret is right`
}

/** The provider's reply; undefined if it sends tokens. @throws SignInError if it does not reply */
async function redeemUnknownCode(settings: ProviderSettings, redirectUri: string, timeoutMs: number) {
  const provider = createIdentityProvider(settings, timeoutMs)
  const { checks, issuer } = await provider.begin(redirectUri)
  const answer = new URLSearchParams({ code: 'no-such-code', state: checks.state, iss: issuer })
  return provider.finish(new URL(`${redirectUri}?${answer}`), checks).then(
    () => undefined,
    (error) => {
      if (error instanceof SignInError && error.fault === 'unreachable') throw error
      return reasonOf(error)
    },
  )
}

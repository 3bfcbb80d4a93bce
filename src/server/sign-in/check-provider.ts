import { createIdentityProvider } from './identity-provider.js'
import { discover, providerTimeoutMs } from './provider-discovery.js'
import type { ProviderSettings } from './provider-settings.js'
import { SignInError, signInError } from './sign-in-error.js'

/** The result of one check; `found` says in words what was found. */
export type ProviderCheck = { check: 'metadata' | 'keys' | 'sign-in' | 'client'; ok: boolean; found: string }

/**
 * Signs in at an identity provider as far as a program can: it reads the metadata and the keys, opens the page where
 * people sign in, and redeems a code that does not exist. A provider that knows the client and its secret refuses only
 * the code. Nobody is signed in. The first failed check ends the list.
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
      await keys.reload()
      return `${keys.jwks()?.keys.length ?? 0} keys`
    },
    async 'sign-in'() {
      const { url } = await provider.begin(redirectUri)
      const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      const target = new URL(response.headers.get('location') ?? url, url)
      const refusal = target.href.startsWith(redirectUri) && target.searchParams.get('error')
      if (refusal) throw new SignInError('unacceptable', `the request is refused with ${refusal}`)
      if (response.status < 400) return `a page opens; the callback URL is ${redirectUri}`
      const reason = `the page replies ${response.status}: is ${redirectUri} registered for this client?`
      throw new SignInError('unacceptable', reason)
    },
    async client() {
      const { checks } = await provider.begin(redirectUri)
      const { issuer } = (await discovered()).client.serverMetadata()
      const answer = new URLSearchParams({ code: 'no-such-code', state: checks.state, iss: issuer })
      const reason = await provider
        .finish(new URL(`${redirectUri}?${answer}`), checks)
        .then(() => 'no error', reasonOf)
      if (reason === 'invalid_grant') return 'the provider knows the client and its secret'
      throw new SignInError('unacceptable', `for a code that does not exist, the provider replies ${reason}`)
    },
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

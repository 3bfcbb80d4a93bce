import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose'
import type { ProviderFetch } from './provider-fetch.js'
import { SignInError, throwUndecided } from './sign-in-error.js'

export type ProviderKeys = {
  url: string
  /** Verifies a token. @throws SignInError `unreachable` while that cannot be decided; an error of jose if it is refused */
  verify(token: string, options: JWTVerifyOptions): Promise<JWTVerifyResult>
  /** Requests the keys. Returns their number. */
  reload(): Promise<number>
}

/** The age at which known keys are requested again, in milliseconds: the provider may have withdrawn one. */
const maxAgeMs = 10 * 60_000
/** The minimum time between requests for unknown keys, in milliseconds: any client can send a token with an unknown key. */
const cooldownMs = 10_000

/**
 * The keys with which a provider signs. Known ones serve while the provider is away. A token that none of them signed causes
 * another request, at most once in `cooldownMs`: not every provider gives a new key a new id.
 */
export function createProviderKeys(url: string, fetch: ProviderFetch, timeoutMs: number): ProviderKeys {
  const never = Number.POSITIVE_INFINITY
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    // This module decides when to request them, also after failures.
    cooldownDuration: never,
    cacheMaxAge: never,
    async [customFetch](url, options) {
      const response = await fetch(url, options)
      if (response.status !== 200) {
        const error = new Error('The keys were not sent', { cause: response })
        throw Object.assign(error, { code: 'KEYS_NOT_SENT' })
      }
      return response
    },
  })
  let loadedAt = -never
  let triedAt = -never
  /** The time of the last request for a token that no known key has signed. */
  let searchedAt = -never
  let loading: Promise<void> | undefined
  const ageOf = (time: number) => performance.now() - time

  const load = () => {
    loading ??= keys
      .reload()
      .then(() => {
        loadedAt = performance.now()
      })
      .finally(() => {
        triedAt = performance.now()
        loading = undefined
      })
    return loading
  }
  const loadForToken = () => load().catch(throwUndecided)
  const isCooling = (since: number) => loading === undefined && ageOf(since) < cooldownMs

  return {
    url,
    async reload() {
      await load()
      return keys.jwks()?.keys.length ?? 0
    },
    async verify(token, options) {
      // Without known keys every token may cause a request; concurrent ones are shared.
      const isKnown = keys.jwks() !== undefined
      if (!isKnown) await loadForToken()
      else if (ageOf(loadedAt) > maxAgeMs && !isCooling(triedAt)) await load().catch(() => {})
      try {
        return await verifyWith(keys, token, options)
      } catch (error) {
        if (!isKnown || !isOfOtherKey(error)) throw error
        if (isCooling(searchedAt)) {
          throw new SignInError('unreachable', 'the key is unknown, and the keys were requested moments ago')
        }
        searchedAt = performance.now()
        await loadForToken()
        return verifyWith(keys, token, options)
      }
    },
  }
}

const isOfOtherKey = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed

/** Verifies a token with the key that it names, or with each of several keys that may be meant. */
async function verifyWith(
  keys: ReturnType<typeof createRemoteJWKSet>,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      const verified = await jwtVerify(token, key, options).catch((failure) => {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure
      })
      if (verified) return verified
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

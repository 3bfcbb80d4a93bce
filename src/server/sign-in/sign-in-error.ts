import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { proxyVariable } from './proxy-variable.js'

/**
 * Why a sign-in failed. `unfinished`: it was not begun in this browser, took too long, or was refused at the provider.
 * `unreachable`: the provider is down or slow. `unacceptable`: its response is invalid, or about another user.
 */
export type SignInFault = Exclude<SignInFailure, 'service'>

/** Why a sign-in failed: a fault of the sign-in, or `service` for a fault of this service, such as its database. */
export const signInFailures = ['unfinished', 'unreachable', 'unacceptable', 'service'] as const
export type SignInFailure = (typeof signInFailures)[number]

/** A failed sign-in. `reason` can be logged: it never has a token, a code, or a user's address. */
export class SignInError extends Error {
  override name = 'SignInError'
  readonly fault: SignInFault
  readonly reason: string

  constructor(fault: SignInFault, reason: string) {
    super(`${fault}: ${reason}`)
    this.fault = fault
    this.reason = reason
  }
}

/** Maps a failure of the provider to a SignInError, and returns any other error unchanged. */
export function signInError(error: unknown): unknown {
  if (error instanceof AuthorizationResponseError) {
    const isDown = ['server_error', 'temporarily_unavailable'].includes(error.error)
    return new SignInError(isDown ? 'unreachable' : 'unfinished', word(error.error))
  }
  if (error instanceof ResponseBodyError) {
    if (error.status === 429) return new SignInError('unreachable', word(error.error))
    // The code expired or was used before, e.g. by going back in the browser.
    const isUsed = error.error === 'invalid_grant'
    return new SignInError(isUsed ? 'unfinished' : 'unacceptable', word(error.error))
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    // RFC 6749, section 5.2: the response to a refused client, which need not name the error here.
    const { scheme, parameters } = error.cause[0] ?? {}
    const fallback = scheme === 'basic' ? 'invalid_client' : 'an unnamed challenge'
    return new SignInError('unacceptable', parameters?.error ? word(parameters.error) : fallback)
  }
  const chain = [...causes(error)]
  const unavailable = chain.find(isUnavailable)
  const place = chain.map(requestedOf).find(Boolean)
  const proxy = place && proxyVariable(place)
  const at = place === undefined ? '' : ` at ${place}${proxy ? `, through the proxy of ${proxy}` : ''}`
  if (unavailable) {
    return new SignInError('unreachable', `${codeOf(unavailable) ?? nameOf(unavailable)}${at}`)
  }
  const code = chain.map(codeOf).findLast(Boolean)
  const response = chain.find((cause) => cause instanceof Response)
  if (code && !code.startsWith('ERR_INVALID_ARG')) {
    const part = chain.map(partOf).find(Boolean)
    const compared = chain.map(comparedOf).find(Boolean) ?? (response && nameOf(response))
    return new SignInError(
      'unacceptable',
      `${code}${part ? `: ${part}` : ''}${compared ? `: ${compared}` : ''}${at}`,
    )
  }
  // A failed fetch throws a TypeError with a cause; faults of this service have none.
  const isFetch = error instanceof TypeError && error.cause instanceof Error
  const isOfProvider = error instanceof ClientError || isFetch
  return isOfProvider ? new SignInError('unacceptable', 'not understood') : error
}

/** Throws a failure of the provider that leaves a token undecided. */
export function throwUndecided(error: unknown): never {
  const failure = signInError(error)
  throw failure instanceof SignInError ? new SignInError('unreachable', failure.reason) : failure
}

function* causes(error: unknown): Generator {
  for (let cause = error; cause; cause = (cause as { cause?: unknown }).cause) yield cause
}

/** Whether the response was missing, late or incomplete, or a 429 or 5xx. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof Response) return error.status === 429 || error.status >= 500
  if (['TimeoutError', 'AbortError'].includes(nameOf(error))) return true
  return /^(ERR_JWKS_TIMEOUT|E[A-Z]+|EAI_AGAIN|UND_ERR_.+)$/.test(codeOf(error) ?? '')
}

const nameOf = (error: unknown): string =>
  error instanceof Response ? `status ${error.status}` : String((error as Error).name)

const codeOf = (error: unknown): string | undefined => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/**
 * The subject of an error: a claim, a parameter of a token's header, or an attribute of the metadata. Some errors of
 * openid-client name it only in their message, which has no data of the provider.
 */
const partOf = (error: unknown): string | undefined => {
  const { claim, attribute, name, message } = error as { [field: string]: unknown }
  const text = name === 'OperationProcessingError' ? String(message) : ''
  const [, quoted] = /"(?!response|parameters)([a-z_]+)"/.exec(text) ?? []
  return [claim, attribute, quoted].filter((part) => typeof part === 'string').find(isWord)
}

/** The URL of a failed request or an unexpected response. */
const requestedOf = (error: unknown): string | undefined => {
  const { requested, url } = error as { requested?: unknown; url?: unknown }
  const place = error instanceof Response ? url : requested
  return typeof place === 'string' && place !== '' ? place : undefined
}

/** Claims that may be logged. Others are about a user, or are secret. */
const compared = ['iss', 'issuer', 'aud', 'azp']

type Expected = { [claim: string]: unknown }

/** Adds the expected value to the error of a differing claim, as openid-client does. */
export const namingExpected =
  (expected: Expected) =>
  (error: unknown): never => {
    const { claim, payload } = Object(error) as { claim?: string; payload?: object }
    if (claim !== undefined && expected[claim] !== undefined) {
      throw Object.assign(error as Error, { expected: expected[claim], claims: payload })
    }
    throw error
  }

/** The expected and the actual value, e.g. with and without a slash at the end. */
const comparedOf = (error: unknown): string | undefined => {
  const { claim, attribute, claims, body, expected } = error as Record<string, unknown>
  const name = claim ?? attribute
  if (typeof name !== 'string' || !compared.includes(name) || expected === undefined) return undefined
  return comparison(expected, Object(claims ?? body)[name])
}

export const comparison = (expected: unknown, got: unknown): string =>
  `expected ${shown(expected)}, got ${shown(got)}`

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'none').slice(0, 200)

/** The error code of a provider, if it has the form of the protocol. */
const word = (text: string): string => (isWord(text) ? text : 'an error of its own')
const isWord = (text: string): boolean => /^[a-z_]{1,40}$/.test(text)

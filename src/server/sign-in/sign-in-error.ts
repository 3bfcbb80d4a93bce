import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'

/**
 * Why nobody was signed in. `unfinished`: it was not begun here, took too long, or was refused at the provider.
 * `unreachable`: the provider is down or slow. `unacceptable`: what it said is wrong, or of somebody else.
 */
export type SignInFault = 'unfinished' | 'unreachable' | 'unacceptable'

/** A sign-in that came to nothing. `reason` is fit for a log: no token, no code and no address is ever in it. */
export class SignInError extends Error {
  override name = 'SignInError'
  readonly fault: SignInFault
  readonly reason: string

  constructor(fault: SignInFault, reason: string, cause?: unknown) {
    super(`${fault}: ${reason}`, { cause })
    this.fault = fault
    this.reason = reason
  }
}

/** What went wrong between us and the provider, as a SignInError; a fault of our own stays as it is. */
export function signInError(error: unknown): unknown {
  if (error instanceof SignInError) return error
  if (error instanceof AuthorizationResponseError) {
    const isDown = /^(server_error|temporarily_unavailable)$/.test(error.error)
    return new SignInError(isDown ? 'unreachable' : 'unfinished', word(error.error), error)
  }
  if (error instanceof ResponseBodyError) {
    // The code ran out, or was used before: going back in the browser does that.
    const isOver = error.error === 'invalid_grant'
    return new SignInError(isOver ? 'unfinished' : 'unacceptable', word(error.error), error)
  }
  const chain = [...causes(error)]
  const silence = chain.find(isSilence)
  if (silence) return new SignInError('unreachable', codeOf(silence) ?? nameOf(silence), error)
  const code = chain.map(codeOf).findLast(Boolean)
  if (code && !code.startsWith('ERR_INVALID_ARG')) return new SignInError('unacceptable', code, error)
  return error instanceof ClientError ? new SignInError('unacceptable', 'not understood', error) : error
}

function* causes(error: unknown): Generator {
  for (let one = error, depth = 0; one && depth < 8; depth += 1) {
    yield one
    one = (one as { cause?: unknown }).cause
  }
}

/** Whether no answer came, not in time, not whole, or only that there is none for now. */
function isSilence(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500
  if (/^(TimeoutError|AbortError)$/.test(nameOf(error))) return true
  return /^(ERR_JWKS_TIMEOUT|E[A-Z]+|EAI_AGAIN|UND_ERR_.+)$/.test(codeOf(error) ?? '')
}

const nameOf = (error: unknown): string =>
  error instanceof Response ? `status ${error.status}` : String((error as Error).name)

const codeOf = (error: unknown): string | undefined => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** What a provider sent, where it is one of the words that the protocol has. */
const word = (text: string): string => (/^[a-z_]{1,40}$/.test(text) ? text : 'an error of its own')

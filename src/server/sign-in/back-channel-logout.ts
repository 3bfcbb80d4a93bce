import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maxBodyBytes } from '../../contract/operations.js'
import type { Store } from '../../store/store.js'
import { readBytes } from '../http/request-body.js'
import { originOf } from '../http/request-origin.js'
import { logFault } from '../observability/log-fault.js'
import { keysOfLogout } from './ended-keys.js'
import type { IdentityProvider } from './identity-provider.js'
import { SignInError } from './sign-in-error.js'
import { signInStateMs } from './sign-in-state.js'

export const backChannelLogoutPath = '/auth/back-channel-logout'

const operation = 'backChannelLogout'

/**
 * Registers OpenID Connect Back-Channel Logout 1.0: the identity provider reports ended sessions. The request has no cookie;
 * its signed token names the sessions. A refused token gets 400 (section 2.8). A token that cannot be verified or carried out
 * now gets 503, so that the provider sends it again.
 */
export function registerBackChannelLogout(
  app: FastifyInstance,
  provider: IdentityProvider,
  { store, now }: { store: Store; now(): Date },
): void {
  app.post(backChannelLogoutPath, { config: { operation, skipCsrfCheck: true } }, async (request, reply) => {
    try {
      const logout = await provider.verifyLogout(await readLogoutToken(request))
      const time = now()
      // A sign-in that began before may be completed later, here or at another node.
      const until = new Date(time.getTime() + signInStateMs).toISOString()
      const sessions = await store.revokeSessionsOfProvider(
        { ...logout, ended: { keys: keysOfLogout(logout), until } },
        time.toISOString(),
        originOf(request),
      )
      if (sessions === undefined) throw new SignInError('unacceptable', 'the logout token was used before')
      request.log.info({ operation, sessions }, 'sessions ended at the identity provider')
      return reply.code(200).send()
    } catch (error) {
      const body = describe(error, request)
      if (body.error === 'invalid_request') return reply.code(400).send(body)
      return reply.code(503).header('retry-after', '30').send(body)
    }
  })
}

/** The body of a failure, with the error codes of OAuth 2.0. The log has the reason too. */
function describe(error: unknown, { log }: FastifyRequest): { error: string; error_description: string } {
  if (error instanceof SignInError) {
    const { fault, reason } = error
    log.warn({ operation, fault, reason }, 'no session was ended for the identity provider')
    if (fault === 'unacceptable') return { error: 'invalid_request', error_description: reason }
    // The sender of a token must not learn addresses.
    return {
      error: 'temporarily_unavailable',
      error_description: 'The token cannot be verified now. Send it again.',
    }
  }
  logFault(log, error, { operation })
  return { error: 'server_error', error_description: 'The sessions could not be ended.' }
}

async function readLogoutToken(request: FastifyRequest): Promise<string> {
  const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers['content-type'] ?? '')
  const bytes = isForm ? await readBytes(request, maxBodyBytes) : undefined
  const [token, ...more] = new URLSearchParams(Buffer.from(bytes ?? []).toString()).getAll('logout_token')
  if (token && more.length === 0) return token
  throw new SignInError('unacceptable', 'the request has no form with one logout_token')
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Store } from '../../store/store.js'
import { logFault } from '../http/log-fault.js'
import { bodyOf, withAnyBody } from '../http/request-body.js'
import { originOf } from '../http/request-origin.js'
import { keysOfLogout } from './ended-keys.js'
import type { IdentityProvider } from './identity-provider.js'
import { SignInError } from './sign-in-error.js'
import { signInStateMs } from './sign-in-state.js'

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
  const logOut = withAnyBody({ operation, skipCsrfCheck: true }, async (request, reply) => {
    try {
      const logout = await provider.verifyLogout(tokenOf(request))
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
      if (body.error === 'invalid_request') reply.code(400)
      else reply.code(503).header('retry-after', '30')
      return reply.type('application/json').send(JSON.stringify(body))
    }
  })
  app.post('/auth/back-channel-logout', logOut)
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

function tokenOf(request: FastifyRequest): string {
  const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers['content-type'] ?? '')
  const form = new URLSearchParams(isForm ? bodyOf(request)?.toString() : '')
  const [token, ...more] = form.getAll('logout_token')
  if (token && more.length === 0) return token
  throw new SignInError('unacceptable', 'the request has no form with one logout_token')
}

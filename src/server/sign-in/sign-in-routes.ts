import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieSentOnce } from '../../contract/cookie.js'
import { pageHeaders } from '../../pages/page.js'
import { signInFailedPage } from '../../pages/sign-in-failed-page.js'
import { send } from '../http/http-response.js'
import { cookieHeaders } from '../http/set-cookie.js'
import type { Site } from '../http/site.js'
import { logOf } from '../observability/logger.js'
import type { Sessions } from '../sessions/sessions.js'
import type { SignedValues } from '../sessions/signed-values.js'
import { type Admission, completeSignIn } from './complete-sign-in.js'
import type { IdentityProvider } from './identity-provider.js'
import { SignInError, type SignInFault } from './sign-in-error.js'
import { type SignInState, signInStateMs } from './sign-in-state.js'

export type SignInOptions = {
  provider: IdentityProvider
  attempts: SignedValues<SignInState>
  admission: Admission
}

type Returning = { Querystring: { returnTo?: unknown } }

/** Registers signing in with an identity provider: the way there, and the way back. */
export function mountSignIn(
  app: FastifyInstance,
  { provider, attempts, admission }: SignInOptions,
  sessions: Sessions,
  site: Site,
): void {
  const { now, sessionMs } = admission
  const callbackUrl = () => `${site.origin()}/auth/callback`
  const attemptCookie = site.cookieName.replace('session', 'sign-in')
  const cookie = (name: string) => cookieHeaders(name, site.origin())

  app.get<Returning>('/auth/sign-in', (request, reply) =>
    showingFaults('signIn', request, reply, async () => {
      const { url, checks } = await provider.begin(callbackUrl())
      const { returnTo } = request.query
      const attempt = attempts.sign({
        ...checks,
        returnTo: site.returnTo(returnTo),
        expiresAt: new Date(now().getTime() + signInStateMs).toISOString(),
      })
      return sendOn(url, [cookie(attemptCookie).set(attempt, signInStateMs / 1000)])
    }),
  )

  app.get<{ Querystring: { state?: unknown } }>('/auth/callback', (request, reply) =>
    showingFaults('signInCallback', request, reply, async () => {
      const attempt = attempts.verify(cookieSentOnce(request.headers.cookie, attemptCookie) ?? '')
      if (!attempt || attempt.state !== request.query.state) {
        throw new SignInError('unfinished', 'no sign-in was begun in this browser')
      }
      if (now().toISOString() >= attempt.expiresAt) throw new SignInError('unfinished', 'it took too long')

      const callback = new URL(callbackUrl())
      callback.search = new URL(request.raw.url ?? '', callback).search
      const value = await completeSignIn(admission, await provider.finish(callback, attempt))
      // Whoever was signed in here before is so no longer.
      await sessions.revoke(request.headers.cookie)
      return sendOn(attempt.returnTo, [
        cookie(site.cookieName).set(value, Math.floor(sessionMs / 1000)),
        cookie(attemptCookie).clear(),
      ])
    }),
  )
}

/** An answer that leads on and sets cookies; nothing of it is kept. */
const sendOn = (location: string, cookies: string[]) => ({
  status: 303,
  headers: { location, 'set-cookie': cookies, 'cache-control': 'no-store' },
})

const faults: Record<SignInFault, { status: number; title: string; text: string }> = {
  unfinished: {
    status: 400,
    title: 'You are not signed in',
    text: 'The sign-in was not finished: it took too long, was begun in another browser, or was refused where you sign in.',
  },
  unreachable: {
    status: 503,
    title: 'Signing in is not possible right now',
    text: 'The service where you sign in does not answer. Your account is not affected; try again in a minute.',
  },
  unacceptable: {
    status: 502,
    title: 'You could not be signed in',
    text: 'The service where you sign in gave an answer that cannot be trusted. If it stays so, tell who runs this service.',
  },
}

/** Sends what `act` gives; where a sign-in came to nothing, a page that says so, and a line in the log. */
async function showingFaults(
  operation: string,
  request: FastifyRequest,
  reply: FastifyReply,
  act: () => Promise<{ status: number; headers: Record<string, string | string[]> }>,
): Promise<FastifyReply> {
  try {
    return send(request, reply, await act(), operation)
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    const { fault, reason } = error
    logOf(request).warn({ operation, fault, reason }, 'nobody was signed in')
    const { status, title, text } = faults[fault]
    const headers = { ...pageHeaders(), ...(status === 503 && { 'retry-after': '60' }) }
    const answer = { status, headers, text: signInFailedPage(title, text, '/auth/sign-in') }
    return send(request, reply, answer, operation)
  }
}

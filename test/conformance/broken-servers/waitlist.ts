import { type ProxyResponse, withJson, withRequestJson } from '../broken-server-proxy.js'
import { type BrokenServer, fieldsOf, get, is, onRequest, onResponse } from './broken-server.js'

const short = (response: ProxyResponse, status: number, error: string): ProxyResponse => ({
  ...withJson(response, { error }),
  status,
})

/** Refuses some valid sign-ups. */
const refusing = (isRefused: (fields: Record<string, unknown>) => boolean) =>
  onResponse((response, request) =>
    is('joinWaitlist')(request) && isRefused(fieldsOf(request))
      ? short(response, 422, 'email_required')
      : response,
  )

export const waitlistServers: BrokenServer[] = [
  {
    name: 'addresses are not trimmed before they are checked',
    caughtBy: 'Any address joins the waitlist, whatever white space is around it',
    behave: refusing(({ email }) => /^\s|\s$/.test(String(email))),
  },
  {
    name: 'a repeated address is 409',
    caughtBy: 'A known address gets the response of a new one, in any spelling: sign-ups are not revealed',
    behave: () => {
      const known = new Set<string>()
      return async (request, send) => {
        const response = await send(request)
        const email = String(fieldsOf(request).email).trim().toLowerCase()
        if (!is('joinWaitlist')(request) || response.status !== 200) return response
        if (known.has(email)) return short(response, 409, 'known')
        known.add(email)
        return response
      }
    },
  },
  {
    name: 'the waitlist needs a session',
    caughtBy: 'Any address joins the waitlist, whatever white space is around it',
    behave: () => async (request, send) =>
      is('joinWaitlist')(request)
        ? (await send(get(request, '/v1/auth/me'))).status === 401
          ? send(get(request, '/v1/auth/me'))
          : send(request)
        : send(request),
  },
  {
    name: 'unknown properties of a sign-up are refused',
    caughtBy: 'Unknown properties of a sign-up are ignored',
    behave: refusing((fields) => Object.keys(fields).length > 1),
  },
  {
    name: 'whatever is sent joins the waitlist',
    caughtBy: 'What is no address is refused',
    behave: onRequest((request) =>
      is('joinWaitlist')(request) && hasText(fieldsOf(request).email)
        ? withRequestJson(request, { email: 'x@example.com' })
        : request,
    ),
  },
]

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0
}

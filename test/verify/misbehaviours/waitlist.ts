import { type ProxyResponse, withJson, withRequestJson } from '../broken-server-proxy.js'
import { fieldsOf, get, is, type Misbehaviour, onRequest, onResponse } from './misbehaviour.js'

const waitlist = /waitlist/

const short = (response: ProxyResponse, status: number, error: string): ProxyResponse => ({
  ...withJson(response, { error }),
  status,
})

/** Refuses what some sign-ups send. */
const refusing = (isRefused: (fields: Record<string, unknown>) => boolean) =>
  onResponse((response, request) =>
    is('joinWaitlist')(request) && isRefused(fieldsOf(request))
      ? short(response, 422, 'email_required')
      : response,
  )

export const waitlistMisbehaviours: Misbehaviour[] = [
  {
    name: 'addresses are not trimmed before they are checked',
    tries: /joins the waitlist/,
    behave: refusing(({ email }) => /^\s|\s$/.test(String(email))),
  },
  {
    name: 'addresses are stored untrimmed',
    tries: /joins the waitlist|repeated address/,
    behave: () => (request, send) => send(request),
    notCaught: 'The interface has no operation that reads the waitlist. The tests of the stores check it.',
  },
  {
    name: 'addresses are not stored at all',
    tries: /joins the waitlist|repeated address/,
    behave: onRequest((request) =>
      is('joinWaitlist')(request) &&
      typeof fieldsOf(request).email === 'string' &&
      fieldsOf(request).email !== '' &&
      /^[^@\s]+@[^@\s]+$/.test(String(fieldsOf(request).email).trim())
        ? withRequestJson(request, { email: 'nobody@example.com' })
        : request,
    ),
    notCaught: 'The interface has no operation that reads the waitlist. The tests of the stores check it.',
  },
  {
    name: 'a repeated address is 409',
    tries: /joins the waitlist|repeated address/,
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
    tries: waitlist,
    behave: () => async (request, send) =>
      is('joinWaitlist')(request)
        ? (await send(get(request, '/v1/auth/me'))).status === 401
          ? send(get(request, '/v1/auth/me'))
          : send(request)
        : send(request),
  },
  {
    name: 'addresses in capitals are refused',
    tries: /joins the waitlist/,
    behave: refusing(({ email }) => /[A-Z]/.test(String(email))),
  },
  {
    name: 'addresses with a plus sign are refused',
    tries: /joins the waitlist/,
    behave: refusing(({ email }) => String(email).includes('+')),
  },
  {
    name: 'unknown properties of a sign-up are refused',
    tries: /JSON that is not an object|[Uu]nknown propert/,
    behave: refusing((fields) => Object.keys(fields).length > 1),
  },
  {
    name: 'whatever is sent joins the waitlist',
    tries: /\(join\)/,
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

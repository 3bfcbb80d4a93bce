import { fastifyCookie, type SerializeOptions, Signer } from '@fastify/cookie'
import * as z from 'zod'
import { sessionCookie } from '../contract/cookie.js'

const Claims = z.strictObject({
  sessionId: z.string().min(1),
  /** Section 5.2: the cookie carries the organisation code. Left out: a caller without organisation. */
  orgCode: z.string().min(1).optional(),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type SessionClaims = z.infer<typeof Claims>

export type SessionCookies = {
  /** The cookie's value for these claims, signed with the first secret. */
  seal(claims: SessionClaims): string
  /** The claims of a value that any of the secrets has signed for a session; of their times nothing is checked. */
  open(value: string): SessionClaims | undefined
}

// A signature says nothing of what it is for, so the purpose is inside what is signed: a value that is ever
// signed for something else with the same secret is no session.
const purpose = 'session.'

/**
 * Makes and reads the values of the session cookie: `session.<claims>.<HMAC-SHA-256>`, compared in constant time.
 * @param secrets the first one signs, all of them verify, so that secrets can be rotated
 */
export function createSessionCookies(secrets: string[]): SessionCookies {
  const signer = new Signer(secrets)
  return {
    seal: (claims) => signer.sign(purpose + Buffer.from(JSON.stringify(claims)).toString('base64url')),
    open(value) {
      const { valid, value: signed } = signer.unsign(value)
      if (!valid || !signed?.startsWith(purpose)) return undefined
      return parseClaims(Buffer.from(signed.slice(purpose.length), 'base64url').toString())
    },
  }
}

/** Signed is not the same as understood: an older version of this code may have signed other claims. */
function parseClaims(text: string): SessionClaims | undefined {
  try {
    return Claims.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The Set-Cookie header that takes the session cookie away again. */
export const clearedCookie = (publicUrl: string): string =>
  fastifyCookie.serialize(sessionCookie, '', { ...attributes(publicUrl), maxAge: 0 })

/** Over plain http on loopback a Secure cookie would get lost in some browsers; anywhere else it is Secure. */
function attributes(publicUrl: string): SerializeOptions {
  const { protocol, hostname } = new URL(publicUrl)
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: protocol !== 'http:' || !isLoopback }
}

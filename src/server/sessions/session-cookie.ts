import * as z from 'zod'
import { createSignedValues } from './signed-values.js'

const Claims = z.strictObject({
  sessionId: z.string().min(1),
  /** Section 5.2: the cookie carries the organisation code, if the caller has one. */
  orgCode: z.string().min(1).optional(),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type SessionClaims = z.infer<typeof Claims>

export type SessionCookies = ReturnType<typeof createSessionCookies>

/**
 * Signs and verifies the values of the session cookie, but does not check the times of the claims.
 * @param secrets the first one signs, all of them verify, so that secrets can be rotated
 */
export const createSessionCookies = (secrets: string[]) => createSignedValues(secrets, 'session', Claims)

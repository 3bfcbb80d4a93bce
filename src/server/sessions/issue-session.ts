import { randomBytes } from 'node:crypto'
import type { User } from '../../contract/schemas.js'
import type { Origin } from '../../store/audit-log.js'
import { SessionRecord } from '../../store/state-file.js'
import type { Ended, Store } from '../../store/store.js'
import type { SessionCookies } from './session-cookie.js'

export type SessionGrant = {
  user: User
  /** Absent for a caller without an organisation. */
  orgCode?: string
  permissions: string[]
  /** The session at the identity provider, with which this one ends. */
  sid?: string
  /** The maximum lifetime of the session, in milliseconds. */
  ttlMs: number
  /** Keys that must not have ended at the identity provider. */
  unless?: Ended
}

/** The session ended at the identity provider before it was added. */
export class SessionEndedError extends Error {
  override name = 'SessionEndedError'
}

/**
 * Starts a session: adds its row, and makes the cookie that names it.
 * @throws ZodError for an invalid grant, e.g. an empty organisation code; SessionEndedError
 */
export async function issueSession(
  { store, cookies, now, by }: { store: Store; cookies: SessionCookies; now(): Date; by?: Origin },
  { user, orgCode, permissions, sid, ttlMs, unless }: SessionGrant,
): Promise<{ session: SessionRecord; cookie: string }> {
  const issuedAt = now().toISOString()
  const expiresAt = new Date(Date.parse(issuedAt) + ttlMs).toISOString()
  const session = SessionRecord.parse({
    id: newSessionId(),
    userId: user.id,
    orgCode,
    permissions,
    createdAt: issuedAt,
    expiresAt,
    sid,
  })
  if (!(await store.addSession(session, by, unless))) throw new SessionEndedError()
  return { session, cookie: cookies.sign({ sessionId: session.id, orgCode, issuedAt, expiresAt }) }
}

/** 192 random bits. Without the prefix an id may begin with `-`, like a flag of a command. */
const newSessionId = (): string => `ses_${randomBytes(24).toString('base64url')}`

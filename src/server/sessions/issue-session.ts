import { randomBytes } from 'node:crypto'
import type { User } from '../../contract/schemas.js'
import type { Origin } from '../../store/audit-log.js'
import { SessionRecord } from '../../store/state-file.js'
import type { Ended, Store } from '../../store/store.js'
import type { SessionCookies } from './session-cookie.js'

export type SessionGrant = {
  /** A user of the store. */
  user: User
  /** Left out: a caller without organisation. */
  orgCode?: string
  permissions: string[]
  /** The session at the identity provider that this one ends with. */
  sid?: string
  /** How long the session lasts at most, in milliseconds. */
  ttlMs: number
  /** What must not have ended at the identity provider. */
  unless?: Ended
}

/** The session ended at the identity provider before it was added. */
export class SessionEndedError extends Error {
  override name = 'SessionEndedError'
}

/**
 * Starts a session: adds its row, which can expire or be revoked, and makes the cookie that names it.
 * @throws ZodError for a grant that is not valid, e.g. an empty organisation code; SessionEndedError
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

/** 192 random bits. Without the prefix an id may begin with `-`, which a command line takes for a flag. */
const newSessionId = (): string => `ses_${randomBytes(24).toString('base64url')}`

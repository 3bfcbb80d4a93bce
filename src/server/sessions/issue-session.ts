import { randomBytes } from 'node:crypto'
import type { User } from '../../contract/schemas.js'
import { SessionRecord } from '../../store/state-file.js'
import type { Store } from '../../store/store.js'
import type { SessionCookies } from './session-cookie.js'

export type SessionGrant = {
  /** Somebody whom the store knows. */
  user: User
  /** Left out: a caller without organisation. */
  orgCode?: string
  permissions: string[]
  /** How long it lasts at most, in milliseconds. */
  ttlMs: number
}

/**
 * Starts a session: writes its row, which can expire or be revoked, and makes the cookie that leads to it.
 * @throws ZodError for a grant that no session can be made of, e.g. an empty organisation code
 */
export async function issueSession(
  { store, cookies, now }: { store: Store; cookies: SessionCookies; now(): Date },
  { user, orgCode, permissions, ttlMs }: SessionGrant,
): Promise<{ session: SessionRecord; cookie: string }> {
  const issuedAt = now().toISOString()
  const expiresAt = new Date(Date.parse(issuedAt) + ttlMs).toISOString()
  const session = SessionRecord.parse({
    id: newSessionId(),
    userId: user.id,
    ...(orgCode !== undefined && { orgCode }),
    permissions,
    createdAt: issuedAt,
    expiresAt,
  })
  await store.addSession(session)
  const cookie = cookies.sign({
    sessionId: session.id,
    ...(orgCode !== undefined && { orgCode }),
    issuedAt,
    expiresAt,
  })
  return { session, cookie }
}

/** 192 random bits. The prefix keeps it from beginning with `-`, which a command line would take for a flag. */
const newSessionId = (): string => `ses_${randomBytes(24).toString('base64url')}`

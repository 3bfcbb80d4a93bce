import type { SessionRecord } from '../../store/state-file.js'

/** A session of production as an operator sees it. */
export type ListedSession = SessionRecord & { email: string; state: 'open' | 'expired' | 'revoked' }

export const listedSession = (session: SessionRecord, email: string): ListedSession => ({
  ...session,
  email,
  state: stateOf(session),
})

/** An open one may have ended already by being idle. */
export function stateOf({ revokedAt, expiresAt }: SessionRecord): ListedSession['state'] {
  if (revokedAt) return 'revoked'
  return expiresAt === undefined || expiresAt > new Date().toISOString() ? 'open' : 'expired'
}

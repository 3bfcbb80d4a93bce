import type { SessionRecord } from '../../store/state-file.js'

/** A session of production as an operator sees it. An open one may have expired already by its idle time. */
export type ListedSession = SessionRecord & { email: string; state: 'open' | 'expired' | 'revoked' }

export const listedSession = (session: SessionRecord, email: string): ListedSession => ({
  ...session,
  email,
  state: sessionState(session),
})

export function sessionState({ revokedAt, expiresAt }: SessionRecord): ListedSession['state'] {
  if (revokedAt) return 'revoked'
  return expiresAt === undefined || expiresAt > new Date().toISOString() ? 'open' : 'expired'
}

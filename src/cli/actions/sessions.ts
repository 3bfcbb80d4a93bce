import type { SessionRecord } from '../../store/state.js'
import { UserError } from '../user-error.js'
import { withDatabase } from './database.js'

/** A session of production as an operator sees it. */
export type ListedSession = SessionRecord & { email: string; state: 'open' | 'expired' | 'revoked' }

/** Every session of a database, the oldest first. An open one may have ended already by being idle. */
export function listSessions(database: string | undefined, now = new Date()): Promise<ListedSession[]> {
  return withDatabase(database, async (store) => {
    const sessions = await store.listSessions()
    return Promise.all(
      sessions.map(async (session) => ({
        ...session,
        email: (await store.user(session.userId))?.email ?? '',
        state: stateOf(session, now),
      })),
    )
  })
}

/** Ends a session at once; `revoked` is false where it was ended before. @throws UserError for an unknown id */
export function revokeSession(database: string | undefined, id: string) {
  return withDatabase(database, async (store, file) => {
    if (!(await store.session(id))) {
      throw new UserError(
        `The database has no session "${id}".`,
        `"npx dashboard-api session list --database ${file}" shows those it has.`,
      )
    }
    return { session: id, revoked: await store.revokeSession(id, new Date().toISOString()) }
  })
}

function stateOf({ revokedAt, expiresAt }: SessionRecord, now: Date): ListedSession['state'] {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt > now.toISOString() ? 'open' : 'expired'
}

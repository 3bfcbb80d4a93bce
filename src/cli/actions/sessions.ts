import type { SessionRecord } from '../../store/state-file.js'
import type { Store } from '../../store/store.js'
import { UserError } from '../user-error.js'
import { withDatabase } from './database.js'
import { type ListedSession, listedSession, stateOf } from './listed-session.js'
import { usersNamed } from './users.js'

/** Every session of a database, the oldest first. An open one may have ended already by being idle. */
export const listSessions = (database: string | undefined): Promise<ListedSession[]> =>
  withDatabase(database, async (store) =>
    Promise.all((await store.listSessions()).map((session) => withEmail(store, session))),
  )

/** One session. @throws UserError for an unknown id */
export const showSession = (database: string | undefined, id: string): Promise<ListedSession> =>
  withDatabase(database, async (store, file) => withEmail(store, await requireSession(store, file, id)))

/** Ends a session at once; `revoked` is false where it was ended before. @throws UserError for an unknown id */
export const revokeSession = (database: string | undefined, id: string) =>
  withDatabase(database, async (store, file) => {
    await requireSession(store, file, id)
    return { session: id, revoked: await store.revokeSession(id, now()) }
  })

/** Whose sessions are meant: those of a user (address or id), or those with an organisation code. */
export type SessionsOf = { user: string } | { organization: string }

/**
 * Ends all open sessions of somebody at once, and gives their number. Where several users have the address, it
 * is the sessions of all of them.
 * @param agree gets the number of open sessions before any is ended; what it throws prevents it
 */
export const revokeSessionsOf = (
  database: string | undefined,
  of: SessionsOf,
  agree: (open: number) => Promise<void>,
): Promise<number> =>
  withDatabase(database, async (store, file) => {
    const userIds = 'user' in of ? (await usersNamed(store, file, of.user)).map(({ id }) => id) : undefined
    const isMeant = ({ userId, orgCode }: SessionRecord) =>
      userIds ? userIds.includes(userId) : 'organization' in of && orgCode === of.organization
    const open = (await store.listSessions()).filter((each) => isMeant(each) && stateOf(each) === 'open')
    if (open.length === 0) return 0
    await agree(open.length)
    if ('organization' in of) return store.revokeSessionsOfOrganization(of.organization, now())
    let revoked = 0
    for (const id of userIds ?? []) revoked += await store.revokeSessionsOfUser(id, now())
    return revoked
  })

const now = () => new Date().toISOString()

const withEmail = async (store: Store, session: SessionRecord): Promise<ListedSession> =>
  listedSession(session, (await store.user(session.userId))?.email ?? '')

async function requireSession(store: Store, file: string, id: string): Promise<SessionRecord> {
  const session = await store.session(id)
  if (session) return session
  throw new UserError(
    `The database has no session "${id}".`,
    `"npx dashboard-api session list --database ${file}" shows those it has.`,
  )
}

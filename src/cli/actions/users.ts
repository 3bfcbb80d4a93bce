import type { UserRecord } from '../../store/state-file.js'
import type { Store } from '../../store/store.js'
import { UserError } from '../user-error.js'
import { withDatabase } from './database.js'
import { type ListedSession, listedSession } from './listed-session.js'
import { pagesOf } from './pages.js'

/** Does something with the users of a database, by id; they are read as they are asked for. */
export const withUsers = <Result>(
  database: string | undefined,
  act: (users: AsyncIterable<UserRecord>) => Promise<Result>,
): Promise<Result> => withDatabase(database, (store) => act(allUsers(store)))

/** Every user of a store, by id. */
export const allUsers = (store: Store): AsyncIterable<UserRecord> =>
  pagesOf<UserRecord>((after, limit) => store.usersAfter(after?.id, limit))

/** A user, known by address or id, with the sessions that were not removed yet. @throws UserError */
export const showUser = (
  database: string | undefined,
  key: string,
): Promise<{ user: UserRecord; sessions: ListedSession[] }> =>
  withDatabase(database, async (store, file) => {
    const [user, ...others] = await usersNamed(store, file, key)
    if (!user || others.length > 0) {
      const all = [user, ...others].map((each) => each?.id).join(', ')
      throw new UserError(`Several users have the address "${key}".`, `Give the id of one: ${all}.`)
    }
    const sessions = (await store.listSessions()).filter(({ userId }) => userId === user.id)
    return { user, sessions: sessions.map((session) => listedSession(session, user.email)) }
  })

/** The user with this id, or all with this address. @throws UserError where there is none */
export async function usersNamed(store: Store, file: string, key: string): Promise<UserRecord[]> {
  const known = await store.user(key)
  const found = await store.usersWithEmail(known?.email ?? key.trim())
  const users = known ? found.filter(({ id }) => id === known.id) : found
  if (users.length > 0) return users
  throw new UserError(
    `The database has no user with the address or the id "${key}".`,
    `"npx dashboard-api user list --database ${file}" shows those it has.`,
  )
}

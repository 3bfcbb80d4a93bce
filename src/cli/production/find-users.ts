import type { UserRecord } from '../../store/state-file.js'
import type { StoreReader } from '../../store/store.js'
import { UserError } from '../user-error.js'
import { readPages } from './read-pages.js'

/** Every user of a database, by id. */
export const allUsers = (store: StoreReader): AsyncIterable<UserRecord> =>
  readPages<UserRecord>((after, limit) => store.usersAfter(after?.id, limit))

/** The user with this id, or all users with this address. @throws UserError if there is none */
export async function findUsers(store: StoreReader, file: string, key: string): Promise<UserRecord[]> {
  const user = await store.user(key)
  const found = await store.usersWithEmail(user?.email ?? key.trim())
  const users = user ? found.filter(({ id }) => id === user.id) : found
  if (users.length > 0) return users
  throw new UserError(
    `The database has no user with the address or the id "${key}".`,
    `"npx dashboard-api user list --database ${file}" lists its users.`,
  )
}

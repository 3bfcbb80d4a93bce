import type { SessionRecord, UserRecord, WaitlistEntry } from '../../store/state-file.js'
import type { StoreReader } from '../../store/store.js'
import { findUsers } from './find-users.js'
import { readPages } from './read-pages.js'

/** Everything that a database has of a person. */
export type Person = {
  users: (UserRecord & { sessions: SessionRecord[] })[]
  waitlist: WaitlistEntry[]
}

/**
 * Finds everything of a person: the user with an id, or all users with an address; their sessions; and the entries of
 * their addresses on the waitlist.
 * @throws UserError if there is nothing
 */
export async function findPerson(store: StoreReader, file: string, key: string): Promise<Person> {
  const entry = await findEntry(store, key)
  const users = await findUsers(store, file, key).catch((error) => {
    if (entry) return []
    throw error
  })
  const addresses = new Set(users.map(({ email }) => normalized(email)))
  const entries = await Promise.all([...addresses].map((address) => findEntry(store, address)))
  const sessions = await store.listSessions()
  return {
    users: users.map((user) => ({ ...user, sessions: sessions.filter(({ userId }) => userId === user.id) })),
    waitlist: (users.length > 0 ? entries : [entry]).filter((each) => each !== undefined),
  }
}

/** As the waitlist stores an address (section 4.5). */
const normalized = (email: string): string => email.trim().toLowerCase()

async function findEntry(store: StoreReader, address: string): Promise<WaitlistEntry | undefined> {
  const search = normalized(address)
  const pages = readPages<WaitlistEntry>((after, limit) => store.waitlistAfter(after, limit, { search }))
  for await (const entry of pages) if (entry.email === search) return entry
  return undefined
}

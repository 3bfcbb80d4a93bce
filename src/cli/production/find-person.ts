import type { AuditEntry } from '../../store/audit-log.js'
import { DatabaseRefusedError } from '../../store/database-refused.js'
import type { ProductionReader } from '../../store/production-store.js'
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

/** The entries of the audit log about the users of a person, newest first for each; none in a database without such a log. */
export async function auditOf(store: ProductionReader, { users }: Person): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  try {
    for (const { id: userId } of users) {
      const pages = readPages<AuditEntry>((after, limit) => store.auditAfter(after, limit, { userId }))
      for await (const entry of pages) entries.push(entry)
    }
  } catch (error) {
    // The reader refuses what the version of the database does not have.
    if (!(error instanceof DatabaseRefusedError)) throw error
  }
  return entries
}

/** As the waitlist stores an address (section 4.5). */
const normalized = (email: string): string => email.trim().toLowerCase()

async function findEntry(store: StoreReader, address: string): Promise<WaitlistEntry | undefined> {
  const search = normalized(address)
  const pages = readPages<WaitlistEntry>((after, limit) => store.waitlistAfter(after, limit, { search }))
  for await (const entry of pages) if (entry.email === search) return entry
  return undefined
}

import type { AuditEntry } from '../../store/audit-log.js'
import type { ProductionReader } from '../../store/production-store.js'
import type { SessionRecord, Team, UserRecord, WaitlistEntry } from '../../store/state-file.js'
import type { StoreReader } from '../../store/store.js'
import { UserError } from '../user-error.js'

/** Rows per page, large enough that the cost of a page does not matter. */
const pageSize = 1000

/**
 * Reads rows page by page, so that memory use is constant.
 * @param readPage reads the rows after this one, or the first rows; fewer than the limit at the end
 */
export async function* readPages<Row>(
  readPage: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined
  for (;;) {
    const page = await readPage(last, pageSize)
    yield* page
    if (page.length < pageSize) return
    last = page.at(-1)
  }
}

const notFound = (what: string, key: string, list: string, file: string) =>
  new UserError(
    `The database has no ${what} "${key}".`,
    `"npx dashboard-api ${list} --database ${file}" lists them.`,
  )

/** The team with this organisation code, or else with this id. @throws UserError if there is none */
export async function findTeam(store: StoreReader, file: string, key: string): Promise<Team> {
  const team = (await store.teamOfOrganization(key)) ?? (await store.team(key))
  if (team) return team
  throw notFound('team with the organisation code or the id', key, 'team list', file)
}

/** @throws UserError if there is none */
export async function findSession(store: StoreReader, file: string, id: string): Promise<SessionRecord> {
  const session = await store.session(id)
  if (session) return session
  throw notFound('session', id, 'session list', file)
}

/** Every user of a database, by id. */
export const allUsers = (store: StoreReader): AsyncIterable<UserRecord> =>
  readPages<UserRecord>((after, limit) => store.usersAfter(after?.id, limit))

/** The user with this id, or all users with this address. @throws UserError if there is none */
export async function findUsers(store: StoreReader, file: string, key: string): Promise<UserRecord[]> {
  const users = await usersOf(store, key)
  if (users.length > 0) return users
  throw notFound('user with the address or the id', key, 'user list', file)
}

async function usersOf(store: StoreReader, key: string): Promise<UserRecord[]> {
  const user = await store.user(key)
  const found = await store.usersWithEmail(user?.email ?? key.trim())
  return user ? found.filter(({ id }) => id === user.id) : found
}

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
  const users = await usersOf(store, key)
  const addresses = users.length > 0 ? users.map(({ email }) => email) : [key]
  const entries = await Promise.all(
    [...new Set(addresses.map(normalized))].map((each) => findEntry(store, each)),
  )
  const waitlist = entries.filter((entry) => entry !== undefined)
  if (users.length === 0 && waitlist.length === 0) await findUsers(store, file, key)
  const sessions = await store.listSessions()
  return {
    users: users.map((user) => ({ ...user, sessions: sessions.filter(({ userId }) => userId === user.id) })),
    waitlist,
  }
}

/** The entries of the audit log about the users of a person, newest first for each. */
export async function auditOf(store: ProductionReader, { users }: Person): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (const { id: userId } of users) {
    const pages = readPages<AuditEntry>((after, limit) => store.auditAfter(after, limit, { userId }))
    for await (const entry of pages) entries.push(entry)
  }
  return entries
}

/** As the waitlist stores an address (section 4.5). */
const normalized = (email: string): string => email.trim().toLowerCase()

async function findEntry(store: StoreReader, address: string): Promise<WaitlistEntry | undefined> {
  const filter = { search: address }
  const pages = readPages<WaitlistEntry>((after, limit) => store.waitlistAfter(after, limit, filter))
  for await (const entry of pages) if (entry.email === address) return entry
  return undefined
}

/** An email address as the interface stores it (section 4.5): trimmed, lower-cased. @throws UserError */
export async function normalizeEmail(email: string): Promise<string> {
  const { JoinWaitlistBody } = await import('../../contract/schemas.js')
  const parsed = JoinWaitlistBody.safeParse({ email })
  if (parsed.success) return parsed.data.email
  throw new UserError(`"${email}" is not an email address.`, 'Give one such as ada@example.com.')
}

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

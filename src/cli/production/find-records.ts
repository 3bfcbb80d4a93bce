import type { Project } from '../../contract/schemas.js'
import { shellQuote } from '../../pages/shell-quote.js'
import type { AuditEntry, AuditFilter } from '../../store/audit-log.js'
import type { ProductionReader } from '../../store/production-store.js'
import type { SessionRecord, Team, UserRecord, WaitlistEntry } from '../../store/state-file.js'
import type { Listed, StoreReader, WaitlistFilter } from '../../store/store.js'
import { UserError } from '../user-error.js'

/** Rows of the first page, which a terminal shows, and of each further one. */
const [firstPageSize, pageSize] = [100, 1000]

/**
 * Reads rows page by page, so that memory use is constant.
 * @param readPage reads the rows after this one, or the first rows; fewer than the limit at the end
 */
async function* readPages<Row>(
  readPage: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined
  for (let size = firstPageSize; ; size = pageSize) {
    const page = await readPage(last, size)
    yield* page
    if (page.length < size) return
    last = page.at(-1)
  }
}

/** Every user of a database, by id. */
export const allUsers = (store: StoreReader): FoundEntries<UserRecord> => ({
  entries: readPages<UserRecord>((after, limit) => store.usersAfter(after?.id, limit)),
  count: () => store.countRecords('users'),
})

/** Every record of a kind, the last added first. */
export const listRecords = <Kind extends keyof Listed>(
  store: StoreReader,
  kind: Kind,
): FoundEntries<Listed[Kind]> => {
  const placed = readPages<{ place: string; record: Listed[Kind] }>((last, limit) =>
    store.recordsBefore(kind, last?.place, limit),
  )
  async function* entries() {
    for await (const { record } of placed) yield record
  }
  return { entries: entries(), count: () => store.countRecords(kind) }
}

/** The projects of a team, newest first. */
export const listProjectsOf = (store: StoreReader, teamId: string): FoundEntries<Project> => ({
  entries: readPages((last, limit) => store.projectsAfter(teamId, last, limit)),
  count: async () => (await store.teamSize(teamId)).projects,
})

/**
 * The entries that match a filter, newest first, read page by page, and their number. An entry that is added meanwhile is
 * read only if it is older than the page before, as by an import.
 */
export type FoundEntries<Entry> = { entries: AsyncIterable<Entry>; count(): Promise<number> }

/** The rows of a table, and their number. */
export const tableRows = <Entry>({ entries, count }: FoundEntries<Entry>) => ({ rows: entries, count })

export function filterWaitlist(store: StoreReader, filter: WaitlistFilter): FoundEntries<WaitlistEntry> {
  const { search, since, until } = filter
  const exact = { search: search?.toLowerCase(), since, until }
  return {
    entries: readPages((after, limit) => store.waitlistAfter(after, limit, exact)),
    count: () => store.countWaitlist(exact),
  }
}

export const filterAudit = (store: ProductionReader, filter: AuditFilter): FoundEntries<AuditEntry> => ({
  entries: readPages((after, limit) => store.auditAfter(after, limit, filter)),
  count: () => store.countAudit(filter),
})

const notFound = (kind: string, key: string, file: string, by = '') =>
  new UserError(
    `The database has no ${kind}${by} "${key}".`,
    `"npx dashboard-api ${kind} list --database ${shellQuote(file)}" lists them.`,
  )

/** The team with this organisation code, or else with this id. @throws UserError if there is none */
export async function findTeam(store: StoreReader, file: string, key: string): Promise<Team> {
  const team = (await store.teamOfOrganization(key)) ?? (await store.team(key))
  if (team) return team
  throw notFound('team', key, file, ' with the organisation code or the id')
}

/** @throws UserError if there is none */
export async function findSession(store: StoreReader, file: string, id: string): Promise<SessionRecord> {
  const session = await store.session(id)
  if (session) return session
  throw notFound('session', id, file)
}

/** The same as `usersOf`. @throws UserError if there is none */
export async function findUsers(store: StoreReader, file: string, key: string): Promise<UserRecord[]> {
  const users = await usersOf(store, key)
  if (users.length > 0) return users
  throw notFound('user', key, file, ' with the address or the id')
}

/** The only one of these users. @throws UserError if there are several */
export function requireOne(users: UserRecord[], key: string): UserRecord | undefined {
  if (users.length <= 1) return users[0]
  const ids = users.map(({ id }) => id).join(', ')
  throw new UserError(`Several users have the address "${key}".`, `Give the id of one: ${ids}.`)
}

/** The user with this id, or all users with this address. */
export async function usersOf(store: StoreReader, key: string): Promise<UserRecord[]> {
  const user = await store.user(key)
  // The provider sends no address for some users. The empty address, such as of an unset variable, finds none of them.
  if (!user && key.trim() === '') return []
  const found = await store.usersWithEmail(user?.email ?? key.trim())
  return user ? found.filter(({ id }) => id === user.id) : found
}

/**
 * Finds everything of a person: the user with an id, or all users with an address; their sessions; and the entries of
 * their addresses on the waitlist.
 * @throws UserError if there is nothing
 */
export async function findPerson(store: StoreReader, file: string, key: string) {
  const users = await usersOf(store, key)
  const addresses = users.length > 0 ? users.map(({ email }) => email) : [key]
  // As the waitlist stores an address (section 4.5).
  const normalized = new Set(addresses.map((email) => email.trim().toLowerCase()))
  const waitlist: WaitlistEntry[] = []
  for (const email of normalized) waitlist.push(...(await store.waitlistAfter(undefined, 1, { email })))
  if (waitlist.length === 0) await findUsers(store, file, key)
  const withSessions = users.map(async (user) => ({
    ...user,
    sessions: await store.listSessions({ userId: user.id }),
  }))
  return { users: await Promise.all(withSessions), waitlist }
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

export function listedSession(session: SessionRecord, email: string): ListedSession {
  const { revokedAt, expiresAt } = session
  const isOpen = expiresAt === undefined || expiresAt > new Date().toISOString()
  return { ...session, email, state: revokedAt ? 'revoked' : isOpen ? 'open' : 'expired' }
}

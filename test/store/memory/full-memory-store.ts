import {
  createMemoryDatabase,
  loadRecords,
  removeRecords,
  stateOf,
} from '../../../src/store/memory/memory-database.js'
import { storeOver } from '../../../src/store/memory/memory-store.js'
import { emailKey, toUser } from '../../../src/store/record-fields.js'
import {
  identityKey,
  refuseTaken,
  type SessionRecord,
  type State,
  stateKinds,
  type WaitlistEntry,
  zeroCounts,
} from '../../../src/store/state-file.js'
import {
  type Listed,
  requireFilter,
  requireIds,
  type Store,
  StoreUnavailableError,
  type WaitlistFilter,
} from '../../../src/store/store.js'

/** Compares ASCII texts. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** Compares texts by their UTF-8 bytes, as databases do: JavaScript orders surrogates before U+E000. */
function compareBytes(a: string, b: string): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = Number(a.codePointAt(i)) - Number(b.codePointAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
const newestEntry = (a: WaitlistEntry, b: WaitlistEntry) =>
  compare(b.createdAt, a.createdAt) || compareBytes(a.email, b.email)

/** A store with the methods of production, over the records of the mock's store. It starts with `state`, or empty. */
export function createMemoryStore(state?: State): Store {
  const db = createMemoryDatabase()
  if (state) loadRecords(db, state)
  /** Logout messages of identity providers, by id, with the end of their validity: they may be sent again. */
  const logouts = new Map<string, string>()
  const teamOf = (orgCode: string) => db.teams.allWith('orgCode', orgCode)[0]
  const filterWaitlist = ({ email: only, search = '', since = '', until }: WaitlistFilter) =>
    db.waitlist
      .all()
      .filter(({ email, createdAt }) => email.includes(search) && createdAt >= since)
      .filter(({ createdAt }) => until === undefined || createdAt < until)
      .filter(({ email }) => only === undefined || email === only)
  const revokeOpen = (at: string, matches: (session: SessionRecord) => boolean) => {
    const open = db.sessions
      .all()
      .filter(({ revokedAt }) => revokedAt === undefined)
      .filter(matches)
    for (const { id } of open) db.sessions.update(id, { revokedAt: at })
    return open.length
  }

  return {
    ...storeOver(db),
    teamOfOrganization: async (orgCode) => teamOf(orgCode),
    team: async (teamId) => db.teams.get(teamId),
    listTeams: async () => db.teams.all(),
    async recordsBefore(kind, place, limit) {
      const withEmail = (session: SessionRecord) => ({
        ...session,
        email: db.users.get(session.userId)?.email ?? '',
      })
      const all = { teams: db.teams.all(), sessions: db.sessions.all().map(withEmail) }
      const newest = (all as { [Kind in keyof Listed]: Listed[Kind][] })[kind].toReversed()
      const start = newest.findIndex(({ id }) => id === place) + 1
      return newest.slice(start, start + limit).map((record) => ({ place: record.id, record }))
    },
    countRecords: async (kind) => db[kind].all().length,
    async addTeam(team) {
      if (teamOf(team.orgCode)) return false
      db.teams.create(team)
      return true
    },
    renameTeam: async (teamId, name) => db.teams.get(teamId) && db.teams.update(teamId, { name }),

    async teamSize(teamId) {
      requireFilter({ teamId })
      return db.sizes.get(teamId) ?? { projects: 0, bytes: 0 }
    },
    async projectsAfter(teamId, last, limit) {
      const { projects } = await storeOver(db).listProjects(teamId)
      const start = projects.findIndex(({ id }) => id === last?.id) + 1
      return projects.slice(start, start + limit)
    },
    async waitlistAfter(cursor, limit, filter = {}) {
      return filterWaitlist(filter)
        .sort(newestEntry)
        .filter((entry) => !cursor || newestEntry(cursor, entry) < 0)
        .slice(0, limit)
    },
    countWaitlist: async (filter = {}) => filterWaitlist(filter).length,

    async user(userId) {
      const user = db.users.get(userId)
      return user && toUser(user)
    },
    async usersWithEmail(email) {
      const key = emailKey(email)
      return db.users.all().filter((user) => emailKey(user.email) === key)
    },
    async usersAfter(userId = '', limit) {
      return db.users
        .all()
        .filter(({ id }) => id > userId)
        .sort((a, b) => compare(a.id, b.id))
        .slice(0, limit)
    },
    async addUser(user) {
      db.users.create(toUser(user))
    },
    async upsertUser(identity, user) {
      const { id, ...profile } = toUser(user)
      const existing = db.users.all().find((each) => identityKey(each) === identityKey(identity))
      return toUser(
        existing
          ? db.users.update(existing.id, profile)
          : db.users.create({ id, ...profile, issuer: identity.issuer, subject: identity.subject }),
      )
    },

    session: async (sessionId) => db.sessions.get(sessionId),
    listSessions: async (filter = {}) =>
      db.sessions
        .all()
        .filter(({ userId }) => filter.userId === undefined || userId === filter.userId)
        .filter(({ orgCode }) => filter.orgCode === undefined || orgCode === filter.orgCode),
    async addSession(session, _by, unless) {
      if (unless?.keys.some((key) => (logouts.get(key) ?? '') >= unless.until)) return false
      if (!db.users.get(session.userId)) throw new StoreUnavailableError('The user was removed meanwhile')
      db.sessions.create(session)
      return true
    },
    async touchSession(sessionId, at) {
      if (db.sessions.get(sessionId)) db.sessions.update(sessionId, { lastSeenAt: at })
    },
    async revokeSession(sessionId, at) {
      const session = db.sessions.get(sessionId)
      if (!session || session.revokedAt) return false
      db.sessions.update(sessionId, { revokedAt: at })
      return true
    },
    revokeSessionsOfUser: async (userId, at) => revokeOpen(at, (session) => session.userId === userId),
    revokeSessionsOfOrganization: async (orgCode, at) =>
      revokeOpen(at, (session) => session.orgCode === orgCode),
    async revokeSessionsOfProvider({ issuer, subject, sid, key, expiresAt, ended }, at) {
      for (const [past, until] of logouts) if (until <= at) logouts.delete(past)
      if (logouts.has(key)) return undefined
      logouts.set(key, expiresAt)
      for (const each of ended?.keys ?? []) logouts.set(each, ended?.until ?? '')
      return revokeOpen(at, (session) => {
        const user = db.users.get(session.userId)
        if (user?.issuer !== issuer) return false
        if (subject === undefined) return sid !== undefined && session.sid === sid
        return user.subject === subject && (sid === undefined || (session.sid ?? sid) === sid)
      })
    },

    async load(state) {
      refuseTaken(
        state,
        new Map(db.teams.all().map(({ orgCode, id }) => [orgCode, id])),
        new Map(
          db.users
            .all()
            .filter(identityKey)
            .map((each) => [identityKey(each), each.id]),
        ),
      )
      const before = stateOf(db)
      loadRecords(db, state)
      const after = stateOf(db)
      const report = { created: zeroCounts(), existing: zeroCounts() }
      for (const kind of stateKinds) {
        report.created[kind] = after[kind].length - before[kind].length
        report.existing[kind] = state[kind].length - report.created[kind]
      }
      return report
    },
    async remove(records) {
      requireIds(records)
      const isOfTeam = ({ teamId, id }: { teamId: string; id: string }) =>
        db.projects.get(id)?.teamId === teamId
      const projects = records.projects?.filter(isOfTeam).map(({ id }) => id)
      return removeRecords(db, { ...records, projects })
    },
    export: async () => stateOf(db),
    close: async () => {},
  }
}

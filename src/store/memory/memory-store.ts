import { exceededLimit, sizeOfChange, sizeOfNew, type TeamSize } from '../../contract/limits.js'
import { nameKey } from '../../contract/project-name.js'
import type { Project } from '../../contract/schemas.js'
import { emailKey, toUser } from '../record-fields.js'
import { identityKey, type SessionRecord, type State, type WaitlistEntry } from '../state-file.js'
import {
  requireFilter,
  requireIds,
  type Store,
  StoreUnavailableError,
  type WaitlistFilter,
} from '../store.js'
import {
  createMemoryDatabase,
  loadRecords,
  type MemoryDatabase,
  projectKey,
  removeRecords,
  reportingChanges,
  stateOf,
} from './memory-database.js'
import type { OnRecordChange } from './record-changes.js'
import { createRecordEditor, type RecordEditor } from './record-editor.js'

/** The order of ASCII text. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** The order of any text by its bytes in UTF-8, as in databases: JavaScript has surrogates before U+E000. */
function compareBytes(a: string, b: string): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = Number(a.codePointAt(i)) - Number(b.codePointAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
const newestProject = (a: Project, b: Project) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id)
const newestEntry = (a: WaitlistEntry, b: WaitlistEntry) =>
  compare(b.createdAt, a.createdAt) || compareBytes(a.email, b.email)

// Taken before a test can replace it by a timer that stands still.
const { setTimeout } = globalThis

/**
 * Lets other requests run before an insert, as a database does. Two concurrent creations of one name can then both
 * succeed (4.1, rule 2).
 */
const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve))

/** @throws StoreUnavailableError where what a new record belongs to does not exist, as databases do */
function requireOwner(owner: object | undefined): void {
  if (!owner) throw new StoreUnavailableError('What the record belongs to was removed meanwhile')
}

export type MemoryStore = Store & {
  /** What `export` resolves with. */
  state(): State
  /** Reads and edits single records. Reports what each edit changes, before it returns. */
  editor(onChange: OnRecordChange): RecordEditor
  /** The same store, for one caller: each change that is made through it is reported at once. */
  reporting(onChange: OnRecordChange): Store
}

/** Creates the store of the mock, over @mswjs/data. It runs in browsers too. It starts with `state`, or empty. */
export function createMemoryStore(state?: State): MemoryStore {
  const db = createMemoryDatabase()
  if (state) loadRecords(db, state)
  return {
    ...storeOver(db),
    state: () => stateOf(db),
    editor: (onChange) => createRecordEditor(reportingChanges(db, onChange)),
    reporting: (onChange) => storeOver(reportingChanges(db, onChange)),
  }
}

function storeOver(db: MemoryDatabase): Store {
  const teamOf = (orgCode: string) => db.teams.allWith('orgCode', orgCode)[0]
  const sizeOf = (teamId: string): TeamSize => db.sizes.get(teamId) ?? { projects: 0, bytes: 0 }
  const listOf = (teamId: string) => {
    requireFilter({ teamId })
    return db.projects.allWith('team', teamId).sort(newestProject)
  }
  const projectOfTeam = (teamId: string, projectId: string) => {
    requireFilter({ teamId, projectId })
    const project = db.projects.get(projectId)
    return project?.teamId === teamId ? project : undefined
  }
  const isTaken = (teamId: string, name: string) =>
    db.projects.allWith('name', projectKey(teamId, name)).length > 0
  const filterWaitlist = ({ search = '', since = '', until }: WaitlistFilter) =>
    db.waitlist
      .all()
      .filter(({ email, createdAt }) => email.includes(search) && createdAt >= since)
      .filter(({ createdAt }) => until === undefined || createdAt < until)
  const revokeOpen = (at: string, matches: (session: SessionRecord) => boolean) => {
    const open = db.sessions
      .all()
      .filter(({ revokedAt, expiresAt }) => revokedAt === undefined && !(expiresAt && expiresAt <= at))
      .filter(matches)
    for (const { id } of open) db.sessions.update(id, { revokedAt: at })
    return open.length
  }

  return {
    teamOfOrganization: async (orgCode) => teamOf(orgCode),
    team: async (teamId) => db.teams.get(teamId),
    listTeams: async () => db.teams.all(),
    async addTeam(team) {
      if (teamOf(team.orgCode)) return false
      db.teams.create(team)
      return true
    },
    renameTeam: async (teamId, name) => db.teams.get(teamId) && db.teams.update(teamId, { name }),

    listProjects: async (teamId) => ({ projects: listOf(teamId), version: db.versions.get(teamId) }),
    listProjectNames: async (teamId) => ({ projects: listOf(teamId).map(({ id, name }) => ({ id, name })) }),
    async teamSize(teamId) {
      requireFilter({ teamId })
      return sizeOf(teamId)
    },
    project: async (teamId, projectId) => projectOfTeam(teamId, projectId),
    async addProject(project, limits, newName) {
      const { teamId, id: projectId } = project
      requireFilter({ teamId, projectId })
      if (newName !== undefined && isTaken(teamId, newName)) return 'name'
      await nextTurn()
      requireOwner(db.teams.get(teamId))
      const exceeded = limits && exceededLimit(sizeOf(teamId), sizeOfNew(project), limits)
      if (!exceeded) db.projects.create(project)
      return exceeded
    },
    async updateProject(teamId, projectId, changes, limits, newName) {
      const project = projectOfTeam(teamId, projectId)
      if (!project) return undefined
      const hasOther = newName !== undefined && newName !== nameKey(project.name)
      if (hasOther && isTaken(teamId, newName)) return 'name'
      const exceeded = limits && exceededLimit(sizeOf(teamId), sizeOfChange(project, changes), limits)
      return exceeded ?? db.projects.update(projectId, changes)
    },

    async addToWaitlist(entry) {
      if (db.waitlist.get(entry.email)) return false
      db.waitlist.create(entry)
      return true
    },
    removeFromWaitlist: async (email) => db.waitlist.remove([email]) > 0,
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
      const [existing] = db.users.allWith('identity', identityKey(identity) ?? '')
      return toUser(
        existing
          ? db.users.update(existing.id, profile)
          : db.users.create({ id, ...profile, issuer: identity.issuer, subject: identity.subject }),
      )
    },

    session: async (sessionId) => db.sessions.get(sessionId),
    async caller(sessionId) {
      const session = db.sessions.get(sessionId)
      const user = session && db.users.get(session.userId)
      if (!user) return undefined
      const { sid: _, ...rest } = session
      return { session: rest, user: toUser(user), team: rest.orgCode ? teamOf(rest.orgCode) : undefined }
    },
    listSessions: async () => db.sessions.all(),
    async addSession(session, _by, unless) {
      if (unless?.keys.some((key) => (db.logouts.get(key) ?? '') >= unless.until)) return false
      requireOwner(db.users.get(session.userId))
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
      for (const [past, until] of db.logouts) if (until <= at) db.logouts.delete(past)
      if (db.logouts.has(key)) return undefined
      db.logouts.set(key, expiresAt)
      for (const each of ended?.keys ?? []) db.logouts.set(each, ended?.until ?? '')
      return revokeOpen(at, (session) => {
        const user = db.users.get(session.userId)
        if (user?.issuer !== issuer) return false
        if (subject === undefined) return sid !== undefined && session.sid === sid
        return user.subject === subject && (sid === undefined || (session.sid ?? sid) === sid)
      })
    },

    load: async (state) => loadRecords(db, state),
    async remove(records) {
      requireIds(records)
      const isOfTeam = ({ teamId, id }: { teamId: string; id: string }) => projectOfTeam(teamId, id)
      const projects = records.projects?.filter(isOfTeam).map(({ id }) => id)
      return removeRecords(db, { ...records, projects })
    },
    export: async () => stateOf(db),
    close: async () => {},
  }
}

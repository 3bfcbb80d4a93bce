import { exceededLimit, sizeOfChange, sizeOfNew } from '../../contract/limits.js'
import { nameKey } from '../../contract/project-name.js'
import type { Project } from '../../contract/schemas.js'
import { emailKey, toUser } from '../record-fields.js'
import type { SessionRecord, State, WaitlistEntry } from '../state-file.js'
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
  removeRecords,
  reportingChanges,
  stateOf,
  teamSize,
  toEntry,
  toProject,
  toSession,
  toTeam,
  toUserRecord,
} from './memory-database.js'
import type { OnRecordChange } from './record-changes.js'
import { createRecordEditor, type RecordEditor } from './record-editor.js'

/** Applies `convert` unless there is no value. */
const optional = <In, Out>(value: In | null | undefined, convert: (value: In) => Out): Out | undefined =>
  value == null ? undefined : convert(value)

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
  const projectOfTeam = (teamId: string, projectId: string) => {
    requireFilter({ teamId, projectId })
    const project = db.projects.firstWith('id', projectId)
    return project?.teamId === teamId ? project : undefined
  }
  const projectNamed = (teamId: string, key: string) =>
    db.projects.firstWith('name', JSON.stringify([teamId, key]))
  const filterWaitlist = ({ search = '', since = '', until }: WaitlistFilter) =>
    db.waitlist
      .all()
      .map(toEntry)
      .filter(({ email, createdAt }) => email.includes(search) && createdAt >= since)
      .filter(({ createdAt }) => until === undefined || createdAt < until)
  const updateSession = (id: string, changes: Partial<SessionRecord>) =>
    optional(db.sessions.firstWith('id', id), (session) => db.sessions.update(session, changes))
  const revokeOpen = (at: string, matches: (session: SessionRecord) => boolean) => {
    const open = db.sessions
      .all()
      .map(toSession)
      .filter(({ revokedAt, expiresAt }) => revokedAt === undefined && !(expiresAt && expiresAt <= at))
      .filter(matches)
    for (const { id } of open) updateSession(id, { revokedAt: at })
    return open.length
  }

  return {
    teamOfOrganization: async (orgCode) => optional(db.teams.firstWith('orgCode', orgCode), toTeam),
    team: async (teamId) => optional(db.teams.firstWith('id', teamId), toTeam),
    listTeams: async () => db.teams.all().map(toTeam),
    async addTeam(team) {
      if (db.teams.firstWith('orgCode', team.orgCode)) return false
      db.teams.create(team)
      return true
    },
    renameTeam: async (teamId, name) =>
      optional(db.teams.firstWith('id', teamId), (team) => toTeam(db.teams.update(team, { name }))),

    async listProjects(teamId) {
      requireFilter({ teamId })
      const projects = db.projects.allWith('team', teamId).map(toProject).sort(newestProject)
      return { projects, version: db.versions.get(teamId) }
    },
    async listProjectNames(teamId) {
      requireFilter({ teamId })
      const projects = db.projects.allWith('team', teamId).sort(newestProject)
      return { projects: projects.map(({ id, name }) => ({ id, name })) }
    },
    async teamSize(teamId) {
      requireFilter({ teamId })
      return teamSize(db, teamId)
    },
    project: async (teamId, projectId) => optional(projectOfTeam(teamId, projectId), toProject),
    async projectNamed(teamId, key) {
      requireFilter({ teamId })
      return optional(projectNamed(teamId, key), toProject)
    },
    async addProject(project, limits, newName) {
      const { teamId, id: projectId } = project
      requireFilter({ teamId, projectId })
      if (newName !== undefined && projectNamed(teamId, newName)) return 'name'
      await nextTurn()
      requireOwner(db.teams.firstWith('id', teamId))
      const exceeded = limits && exceededLimit(teamSize(db, teamId), sizeOfNew(project), limits)
      if (!exceeded) db.projects.create(project)
      return exceeded
    },
    async updateProject(teamId, projectId, changes, limits, newName) {
      const project = projectOfTeam(teamId, projectId)
      if (!project) return undefined
      const hasOther = newName !== undefined && newName !== nameKey(project.name)
      if (hasOther && projectNamed(teamId, newName)) return 'name'
      const exceeded = limits && exceededLimit(teamSize(db, teamId), sizeOfChange(project, changes), limits)
      return exceeded ?? toProject(db.projects.update(project, changes))
    },

    async addToWaitlist(entry) {
      if (db.waitlist.firstWith('email', entry.email)) return false
      db.waitlist.create(entry)
      return true
    },
    async removeFromWaitlist(email) {
      const entry = db.waitlist.firstWith('email', email)
      if (entry) db.waitlist.remove([entry])
      return entry !== undefined
    },
    async waitlistAfter(cursor, limit, filter = {}) {
      return filterWaitlist(filter)
        .sort(newestEntry)
        .filter((entry) => !cursor || newestEntry(cursor, entry) < 0)
        .slice(0, limit)
    },
    countWaitlist: async (filter = {}) => filterWaitlist(filter).length,

    user: async (userId) => optional(db.users.firstWith('id', userId), toUser),
    usersWithEmail: async (email) => db.users.allWith('email', emailKey(email)).map(toUserRecord),
    async usersAfter(userId = '', limit) {
      return db.users
        .all()
        .map(toUserRecord)
        .filter(({ id }) => id > userId)
        .sort((a, b) => compare(a.id, b.id))
        .slice(0, limit)
    },
    async addUser(user) {
      db.users.create(toUser(user))
    },
    async upsertUser({ issuer, subject }, user) {
      const { id, ...profile } = toUser(user)
      const existing = db.users.firstWith('subject', JSON.stringify([issuer, subject]))
      return toUser(
        existing ? db.users.update(existing, profile) : db.users.create({ id, ...profile, issuer, subject }),
      )
    },

    session: async (sessionId) => optional(db.sessions.firstWith('id', sessionId), toSession),
    async caller(sessionId) {
      const session = db.sessions.firstWith('id', sessionId)
      const user = session && db.users.firstWith('id', session.userId)
      if (!user) return undefined
      const team = optional(session.orgCode, (orgCode) => db.teams.firstWith('orgCode', orgCode))
      const { sid: _, ...rest } = toSession(session)
      return { session: rest, user: toUser(user), team: optional(team, toTeam) }
    },
    listSessions: async () => db.sessions.all().map(toSession),
    async addSession(session, _by, unless) {
      if (unless?.keys.some((key) => (db.logouts.get(key) ?? '') >= unless.until)) return false
      requireOwner(db.users.firstWith('id', session.userId))
      db.sessions.create(session)
      return true
    },
    async touchSession(sessionId, at) {
      updateSession(sessionId, { lastSeenAt: at })
    },
    async revokeSession(sessionId, at) {
      const session = db.sessions.firstWith('id', sessionId)
      if (!session || session.revokedAt) return false
      updateSession(sessionId, { revokedAt: at })
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
        const user = db.users.firstWith('id', session.userId)
        if (user?.issuer !== issuer) return false
        if (subject === undefined) return session.sid === sid
        return user.subject === subject && (sid === undefined || (session.sid ?? sid) === sid)
      })
    },

    load: async (state) => loadRecords(db, state),
    async remove(records) {
      requireIds(records)
      return removeRecords(db, records)
    },
    export: async () => stateOf(db),
    close: async () => {},
  }
}

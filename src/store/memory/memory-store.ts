import { factory, nullable, primaryKey } from '@mswjs/data'
import { nameKey } from '../../contract/project-name.js'
import type { Project, User } from '../../contract/schemas.js'
import {
  identityKey,
  refuseTakenIdentities,
  refuseTakenOrgCodes,
  type SessionRecord,
  type State,
  type StateKind,
  type UserRecord,
  type WaitlistEntry,
  zeroCounts,
} from '../state-file.js'
import { type LoadReport, requireFilter, type Store, type WaitlistFilter } from '../store.js'
import { indexedModel } from './indexed-model.js'

const text = String
const optionalText = () => nullable<string>(() => null)

/** A database of its own each time it is called. */
function openDatabase() {
  const models = factory({
    teams: { id: primaryKey(text), name: text, orgCode: text },
    users: {
      id: primaryKey(text),
      email: text,
      givenName: text,
      familyName: text,
      picture: text,
      issuer: optionalText(),
      subject: optionalText(),
    },
    sessions: {
      id: primaryKey(text),
      userId: text,
      orgCode: optionalText(),
      permissions: Array<string>,
      role: optionalText(),
      note: optionalText(),
      createdAt: optionalText(),
      lastSeenAt: optionalText(),
      expiresAt: optionalText(),
      revokedAt: optionalText(),
    },
    projects: {
      id: primaryKey(text),
      name: text,
      nameKey: text,
      description: optionalText(),
      status: text,
      teamId: text,
      createdAt: text,
    },
    waitlist: { email: primaryKey(text), createdAt: text },
  })
  const id = (row: { id: string }) => row.id
  return {
    teams: indexedModel(models.teams, 'id', { id, orgCode: ({ orgCode }) => orgCode }),
    users: indexedModel(models.users, 'id', {
      id,
      email: ({ email }) => email.toLowerCase(),
      identity: ({ issuer, subject }) => JSON.stringify([issuer, subject]),
    }),
    sessions: indexedModel(models.sessions, 'id', { id }),
    projects: indexedModel(models.projects, 'id', {
      id,
      team: ({ teamId }) => teamId,
      name: ({ teamId, nameKey }) => JSON.stringify([teamId, nameKey]),
    }),
    waitlist: indexedModel(models.waitlist, 'email', { email: ({ email }) => email }),
  }
}

type Database = ReturnType<typeof openDatabase>

// Entities are the library's own objects, marked with symbols: what leaves the store are plain copies.
const copy = <Row extends object>(entity: Row): Row => Object.fromEntries(Object.entries(entity)) as Row
const present = (entity: object) =>
  Object.fromEntries(Object.entries(entity).filter(([, value]) => value !== null))
const toSession = (session: Pick<SessionRecord, 'permissions'>) =>
  ({ ...present(session), permissions: [...session.permissions] }) as SessionRecord
/** Field by field, as the user below: a list copies many. */
const toProject = ({ id, name, description, status, teamId, createdAt }: Project): Project => ({
  id,
  name,
  description,
  status,
  teamId,
  createdAt,
})
/** A user as the interface has it, section 2.2: where one signs in is not part of it. */
const toUser = ({ id, email, givenName, familyName, picture }: User): User => ({
  id,
  email,
  givenName,
  familyName,
  picture,
})

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const newestProject = (a: Project, b: Project) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id)
const newestEntry = (a: WaitlistEntry, b: WaitlistEntry) =>
  compare(b.createdAt, a.createdAt) || compare(a.email, b.email)

/** The store of the mock, over @mswjs/data; runs in a browser too. Starts with what `state` holds, or empty. */
export function createMemoryStore(state?: State): Store {
  const db = openDatabase()
  if (state) load(db, state)

  const inTeam = (teamId: string, projectId: string) => {
    requireFilter({ teamId, projectId })
    const project = db.projects.one('id', projectId)
    return project?.teamId === teamId ? project : undefined
  }
  const userRecords = () => db.users.all().map((user) => present(user) as UserRecord)
  const waitlistPart = ({ search = '', since = '', until }: WaitlistFilter) =>
    db.waitlist
      .all()
      .map(copy)
      .filter(({ email, createdAt }) => email.includes(search) && createdAt >= since)
      .filter(({ createdAt }) => until === undefined || createdAt < until)
  const changeSession = (id: string, changes: Partial<SessionRecord>) => {
    const session = db.sessions.one('id', id)
    if (session) db.sessions.change(session, changes)
  }
  const revokeOpen = (at: string, isMeant: (session: SessionRecord) => boolean) => {
    const open = db.sessions
      .all()
      .map(toSession)
      .filter(({ revokedAt, expiresAt }) => revokedAt === undefined && !(expiresAt && expiresAt <= at))
      .filter(isMeant)
    for (const { id } of open) changeSession(id, { revokedAt: at })
    return open.length
  }

  return {
    async teamOfOrganization(orgCode) {
      const team = db.teams.one('orgCode', orgCode)
      return team ? copy(team) : undefined
    },
    async team(teamId) {
      const team = db.teams.one('id', teamId)
      return team ? copy(team) : undefined
    },
    async listTeams() {
      return db.teams.all().map((team) => copy(team))
    },
    async addTeam(team) {
      if (db.teams.one('orgCode', team.orgCode)) return false
      db.teams.create(team)
      return true
    },
    async renameTeam(teamId, name) {
      const team = db.teams.one('id', teamId)
      return team && copy(db.teams.change(team, { name }))
    },

    async listProjects(teamId) {
      requireFilter({ teamId })
      return db.projects.with('team', teamId).map(toProject).sort(newestProject)
    },
    async project(teamId, projectId) {
      const project = inTeam(teamId, projectId)
      return project ? toProject(project) : undefined
    },
    async projectNamed(teamId, key) {
      requireFilter({ teamId })
      const project = db.projects.one('name', JSON.stringify([teamId, key]))
      return project ? toProject(project) : undefined
    },
    async addProject(project) {
      requireFilter({ teamId: project.teamId, projectId: project.id })
      addProject(db, project)
    },
    async updateProject(teamId, projectId, changes) {
      const data = changes.name === undefined ? changes : { ...changes, nameKey: nameKey(changes.name) }
      const project = inTeam(teamId, projectId)
      return project && toProject(db.projects.change(project, data))
    },

    async addToWaitlist(entry) {
      if (db.waitlist.one('email', entry.email)) return false
      db.waitlist.create(entry)
      return true
    },
    async removeFromWaitlist(email) {
      const entry = db.waitlist.one('email', email)
      if (entry) db.waitlist.remove(entry)
      return entry !== undefined
    },
    async listWaitlist() {
      return db.waitlist.all().map(copy).sort(newestEntry)
    },
    async waitlistAfter(entry, limit, part = {}) {
      return waitlistPart(part)
        .sort(newestEntry)
        .filter((other) => !entry || newestEntry(entry, other) < 0)
        .slice(0, limit)
    },
    async countWaitlist(part = {}) {
      return waitlistPart(part).length
    },

    async user(userId) {
      const user = db.users.one('id', userId)
      return user ? toUser(user) : undefined
    },
    async userWithEmail(email) {
      const user = db.users.one('email', email.toLowerCase())
      return user ? toUser(user) : undefined
    },
    async usersWithEmail(email) {
      return db.users.with('email', email.toLowerCase()).map((user) => present(user) as UserRecord)
    },
    async usersAfter(userId = '', limit) {
      return userRecords()
        .filter(({ id }) => id > userId)
        .sort((a, b) => compare(a.id, b.id))
        .slice(0, limit)
    },
    async addUser(user) {
      db.users.create(toUser(user))
    },
    async upsertUser({ issuer, subject }, user) {
      const { id, ...profile } = toUser(user)
      const known = db.users.one('identity', JSON.stringify([issuer, subject]))
      return toUser(
        known ? db.users.change(known, profile) : db.users.create({ id, ...profile, issuer, subject }),
      )
    },

    async session(sessionId) {
      const session = db.sessions.one('id', sessionId)
      return session ? toSession(session) : undefined
    },
    async caller(sessionId) {
      const session = db.sessions.one('id', sessionId)
      const user = session && db.users.one('id', session.userId)
      if (!user) return undefined
      const team = session.orgCode == null ? undefined : db.teams.one('orgCode', session.orgCode)
      return { session: toSession(session), user: toUser(user), team: team && copy(team) }
    },
    async listSessions() {
      return db.sessions.all().map(toSession)
    },
    async addSession(session) {
      addSession(db, session)
    },
    async touchSession(sessionId, at) {
      changeSession(sessionId, { lastSeenAt: at })
    },
    async revokeSession(sessionId, at) {
      const session = db.sessions.one('id', sessionId)
      if (!session || session.revokedAt) return false
      changeSession(sessionId, { revokedAt: at })
      return true
    },
    async revokeSessionsOfUser(userId, at) {
      return revokeOpen(at, (session) => session.userId === userId)
    },
    async revokeSessionsOfOrganization(orgCode, at) {
      return revokeOpen(at, (session) => session.orgCode === orgCode)
    },
    async removeExpiredSessions(at) {
      const expired = db.sessions.all().filter(({ expiresAt }) => expiresAt !== null && expiresAt <= at)
      for (const session of expired) db.sessions.remove(session)
      return expired.length
    },

    async load(state) {
      return load(db, state)
    },
    async export() {
      return {
        version: 1,
        teams: db.teams.all().map((team) => copy(team)),
        users: userRecords(),
        sessions: db.sessions.all().map(toSession),
        projects: db.projects.all().map(toProject),
        waitlist: db.waitlist.all().map(copy),
      }
    },
    async close() {},
  }
}

function addProject(db: Database, project: Project): void {
  db.projects.create({ ...project, nameKey: nameKey(project.name) })
}

/** The library keeps what it is given; the array is copied so that nobody else holds it. */
function addSession(db: Database, session: SessionRecord): void {
  db.sessions.create(structuredClone(session))
}

function load(db: Database, state: State): LoadReport {
  const holders = new Map(db.teams.all().map(({ orgCode, id }) => [orgCode, id]))
  refuseTakenOrgCodes(state, (orgCode) => holders.get(orgCode))

  const known = new Map(db.users.all().map((user) => [identityKey(present(user)), user.id]))
  refuseTakenIdentities(state, (key) => known.get(key))

  const report: LoadReport = { created: zeroCounts(), existing: zeroCounts() }
  const add = <Row>(kind: StateKind, rows: Row[], key: (row: Row) => string, create: (row: Row) => void) => {
    const there = new Set((db[kind].all() as Row[]).map(key))
    for (const row of rows) {
      const isThere = there.has(key(row))
      if (!isThere) create(row)
      report[isThere ? 'existing' : 'created'][kind] += 1
    }
  }
  const id = (row: { id: string }) => row.id
  add('teams', state.teams, id, db.teams.create)
  add('users', state.users, id, db.users.create)
  add('sessions', state.sessions, id, (session) => addSession(db, session))
  add('projects', state.projects, id, (project) => addProject(db, project))
  add('waitlist', state.waitlist, (entry) => entry.email, db.waitlist.create)
  return report
}

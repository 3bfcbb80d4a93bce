import { factory, nullable, primaryKey } from '@mswjs/data'
import { nameKey } from '../contract/project-name.js'
import type { Project, User } from '../contract/schemas.js'
import {
  identityKey,
  noRecords,
  refuseTakenIdentities,
  refuseTakenOrgCodes,
  type SessionRecord,
  type State,
  type StateKind,
  type UserRecord,
  type WaitlistEntry,
} from './state.js'
import { type LoadReport, requireFilter, type Store, type WaitlistPart } from './store.js'

const text = String
const optionalText = () => nullable<string>(() => null)

/** A database of its own each time it is called. */
const openDatabase = () =>
  factory({
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

type Database = ReturnType<typeof openDatabase>

// Entities are the library's own objects, marked with symbols: what leaves the store are plain copies.
const copy = <Row extends object>(entity: Row): Row => Object.fromEntries(Object.entries(entity)) as Row
const toProject = ({ nameKey: _, ...project }: Project & { nameKey: string }): Project => copy(project)
const present = (entity: object) =>
  Object.fromEntries(Object.entries(entity).filter(([, value]) => value !== null))
const toSession = (entity: object) => structuredClone(present(entity)) as SessionRecord
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

  const byId = (id: string) => ({ where: { id: { equals: id } } })
  const inTeam = (teamId: string, projectId: string) => {
    requireFilter({ teamId, projectId })
    return { where: { teamId: { equals: teamId }, id: { equals: projectId } } }
  }
  const userRecords = () => db.users.getAll().map((user) => present(user) as UserRecord)
  const waitlistPart = ({ search = '', since = '', until }: WaitlistPart) =>
    db.waitlist
      .getAll()
      .map(copy)
      .filter(({ email, createdAt }) => email.includes(search) && createdAt >= since)
      .filter(({ createdAt }) => until === undefined || createdAt < until)
  const revokeOpen = (at: string, isMeant: (session: SessionRecord) => boolean) => {
    const open = db.sessions
      .getAll()
      .map(toSession)
      .filter(({ revokedAt, expiresAt }) => revokedAt === undefined && !(expiresAt && expiresAt <= at))
      .filter(isMeant)
    for (const { id } of open) db.sessions.update({ ...byId(id), data: { revokedAt: at } })
    return open.length
  }

  return {
    async teamOfOrganization(orgCode) {
      const team = db.teams.findFirst({ where: { orgCode: { equals: orgCode } } })
      return team ? copy(team) : undefined
    },
    async team(teamId) {
      const team = db.teams.findFirst(byId(teamId))
      return team ? copy(team) : undefined
    },
    async listTeams() {
      return db.teams.getAll().map((team) => copy(team))
    },
    async addTeam(team) {
      if (db.teams.findFirst({ where: { orgCode: { equals: team.orgCode } } })) return false
      db.teams.create(team)
      return true
    },
    async renameTeam(teamId, name) {
      const team = db.teams.update({ ...byId(teamId), data: { name } })
      return team ? copy(team) : undefined
    },

    async listProjects(teamId) {
      requireFilter({ teamId })
      return db.projects
        .findMany({ where: { teamId: { equals: teamId } } })
        .map(toProject)
        .sort(newestProject)
    },
    async project(teamId, projectId) {
      const project = db.projects.findFirst(inTeam(teamId, projectId))
      return project ? toProject(project) : undefined
    },
    async projectNamed(teamId, key) {
      requireFilter({ teamId })
      const where = { teamId: { equals: teamId }, nameKey: { equals: key } }
      const project = db.projects.findFirst({ where })
      return project ? toProject(project) : undefined
    },
    async addProject(project) {
      requireFilter({ teamId: project.teamId, projectId: project.id })
      addProject(db, project)
    },
    async updateProject(teamId, projectId, changes) {
      const data = changes.name === undefined ? changes : { ...changes, nameKey: nameKey(changes.name) }
      const project = db.projects.update({ ...inTeam(teamId, projectId), data })
      return project ? toProject(project) : undefined
    },

    async addToWaitlist(entry) {
      if (db.waitlist.findFirst({ where: { email: { equals: entry.email } } })) return false
      db.waitlist.create(entry)
      return true
    },
    async removeFromWaitlist(email) {
      return db.waitlist.delete({ where: { email: { equals: email } } }) !== null
    },
    async listWaitlist() {
      return db.waitlist.getAll().map(copy).sort(newestEntry)
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
      const user = db.users.findFirst(byId(userId))
      return user ? toUser(user) : undefined
    },
    async userWithEmail(email) {
      const user = db.users.getAll().find((user) => user.email.toLowerCase() === email.toLowerCase())
      return user ? toUser(user) : undefined
    },
    async usersWithEmail(email) {
      return userRecords().filter((user) => user.email.toLowerCase() === email.toLowerCase())
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
    async keepUserOf({ issuer, subject }, user) {
      const { id, ...profile } = toUser(user)
      const where = { issuer: { equals: issuer }, subject: { equals: subject } }
      const known = db.users.update({ where, data: profile })
      return toUser(known ?? db.users.create({ id, ...profile, issuer, subject }))
    },

    async session(sessionId) {
      const session = db.sessions.findFirst(byId(sessionId))
      return session ? toSession(session) : undefined
    },
    async listSessions() {
      return db.sessions.getAll().map(toSession)
    },
    async addSession(session) {
      addSession(db, session)
    },
    async touchSession(sessionId, at) {
      db.sessions.update({ ...byId(sessionId), data: { lastSeenAt: at } })
    },
    async revokeSession(sessionId, at) {
      const session = db.sessions.findFirst(byId(sessionId))
      if (!session || session.revokedAt) return false
      db.sessions.update({ ...byId(sessionId), data: { revokedAt: at } })
      return true
    },
    async revokeSessionsOfUser(userId, at) {
      return revokeOpen(at, (session) => session.userId === userId)
    },
    async revokeSessionsOfOrganization(orgCode, at) {
      return revokeOpen(at, (session) => session.orgCode === orgCode)
    },
    async removeExpiredSessions(at) {
      const expired = db.sessions.getAll().filter(({ expiresAt }) => expiresAt !== null && expiresAt <= at)
      for (const { id } of expired) db.sessions.delete(byId(id))
      return expired.length
    },

    async load(state) {
      return load(db, state)
    },
    async export() {
      return {
        version: 1,
        teams: db.teams.getAll().map((team) => copy(team)),
        users: userRecords(),
        sessions: db.sessions.getAll().map(toSession),
        projects: db.projects.getAll().map(toProject),
        waitlist: db.waitlist.getAll().map(copy),
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
  const holders = new Map(db.teams.getAll().map(({ orgCode, id }) => [orgCode, id]))
  refuseTakenOrgCodes(state, (orgCode) => holders.get(orgCode))

  const known = new Map(db.users.getAll().map((user) => [identityKey(present(user)), user.id]))
  refuseTakenIdentities(state, (key) => known.get(key))

  const report: LoadReport = { created: noRecords(), existing: noRecords() }
  const add = <Row>(kind: StateKind, rows: Row[], key: (row: Row) => string, create: (row: Row) => void) => {
    const there = new Set((db[kind].getAll() as Row[]).map(key))
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

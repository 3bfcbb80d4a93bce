import { factory, nullable, primaryKey } from '@mswjs/data'
import { sizeOfNew, type TeamSize } from '../../contract/limits.js'
import { nameKey } from '../../contract/project-name.js'
import type { Project, ProjectChanges } from '../../contract/schemas.js'
import { emailKey } from '../record-fields.js'
import {
  refuseTaken,
  type SessionRecord,
  type State,
  type StateCounts,
  type StateKind,
  type Team,
  type UserRecord,
  type WaitlistEntry,
  zeroCounts,
} from '../state-file.js'
import type { LoadReport, Removal } from '../store.js'
import { indexedModel } from './indexed-model.js'

const text = String
const optionalText = () => nullable<string>(() => null)

/** A record as the library has it: null is in place of what is left out. */
type Row<Item> = {
  [Field in keyof Required<Item>]: undefined extends Item[Field]
    ? Exclude<Item[Field], undefined> | null
    : Item[Field]
}

type ProjectRow = Project & { nameKey: string }

export type MemoryDatabase = ReturnType<typeof createMemoryDatabase>

/** Creates empty models of @mswjs/data, with indexes. */
export function createMemoryDatabase() {
  const models = withoutBroadcast(() =>
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
        sid: optionalText(),
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
    }),
  )
  const id = (row: { id: string }) => row.id
  return {
    /** The messages of identity providers that may be sent again, and until when they are valid. */
    logouts: new Map<string, string>(),
    /** What each team holds. */
    sizes: new Map<string, TeamSize>(),
    /** The version of each team's projects: another after each change of one. */
    versions: new Map<string, string>(),
    teams: indexedModel<Team, 'id' | 'orgCode'>(models.teams, 'id', {
      id,
      orgCode: ({ orgCode }) => orgCode,
    }),
    users: indexedModel<Row<UserRecord>, 'id' | 'email' | 'subject'>(models.users, 'id', {
      id,
      email: ({ email }) => emailKey(email),
      subject: ({ issuer, subject }) => JSON.stringify([issuer, subject]),
    }),
    sessions: indexedModel<Row<SessionRecord>, 'id'>(models.sessions, 'id', { id }),
    projects: indexedModel<ProjectRow, 'id' | 'team' | 'name'>(models.projects, 'id', {
      id,
      team: ({ teamId }) => teamId,
      name: ({ teamId, nameKey }) => JSON.stringify([teamId, nameKey]),
    }),
    waitlist: indexedModel<WaitlistEntry, 'email'>(models.waitlist, 'email', {
      email: ({ email }) => email,
    }),
  }
}

/**
 * In a page, the library copies each change to the site's other tabs, where a tab that loads its fixtures would undo later
 * changes. It has no option for that, but does so only if there is a BroadcastChannel.
 */
function withoutBroadcast<Models>(create: () => Models): Models {
  const { BroadcastChannel } = globalThis
  Object.assign(globalThis, { BroadcastChannel: undefined })
  try {
    return create()
  } finally {
    Object.assign(globalThis, { BroadcastChannel })
  }
}

export function addProject(db: MemoryDatabase, project: Project, key = nameKey(project.name)): void {
  db.projects.create({ ...project, nameKey: key })
  grow(db, project.teamId, sizeOfNew(project))
}

/** Changes fields of a project, those that a request cannot change too. */
export function updateProject(
  db: MemoryDatabase,
  project: ProjectRow,
  changes: ProjectChanges & Partial<Project>,
): Project {
  const key = changes.name && nameKey(changes.name)
  shrink(db, project)
  const updated = db.projects.update(project, { ...changes, nameKey: key })
  grow(db, updated.teamId, sizeOfNew(updated))
  return updated
}

function removeProjects(db: MemoryDatabase, projects: readonly ProjectRow[]): void {
  for (const project of projects) shrink(db, project)
  db.projects.remove(projects)
}

/** What goes with teams and users: the projects of the teams, and the sessions of their organisations and the users. */
export function dependantsOf(
  db: MemoryDatabase,
  teams: readonly { id: string; orgCode: string }[],
  users: readonly { id: string }[],
) {
  const orgCodes = new Set<string | null>(teams.map(({ orgCode }) => orgCode))
  const userIds = new Set(users.map(({ id }) => id))
  return {
    sessions: db.sessions.all().filter(({ userId, orgCode }) => userIds.has(userId) || orgCodes.has(orgCode)),
    projects: teams.flatMap(({ id }) => db.projects.allWith('team', id)),
  }
}

/** What to remove: of sessions, their ids. */
export type MemoryRemoval = Removal & { sessions?: readonly string[] }

/** Removes records and what depends on them. See `Store.remove`. */
export function removeRecords(db: MemoryDatabase, removal: MemoryRemoval): StateCounts {
  const removed = zeroCounts()
  const remove = <Row>(kind: StateKind, rows: Row[], removeRows: (rows: Row[]) => void) => {
    const each = [...new Set(rows)]
    removeRows(each)
    removed[kind] += each.length
  }
  const found = <Row>(row: Row | undefined): Row[] => (row === undefined ? [] : [row])
  const teams = (removal.teams ?? []).flatMap((id) => found(db.teams.firstWith('id', id)))
  const users = (removal.users ?? []).flatMap((id) => found(db.users.firstWith('id', id)))
  const { sessions, projects } = dependantsOf(db, teams, users)
  const byKey = (removal.projects ?? []).flatMap(({ teamId, id }) =>
    found(db.projects.firstWith('id', id)).filter((project) => project.teamId === teamId),
  )
  const byId = (removal.sessions ?? []).flatMap((id) => found(db.sessions.firstWith('id', id)))
  const entries = (removal.waitlist ?? []).flatMap((email) => found(db.waitlist.firstWith('email', email)))
  remove('sessions', [...sessions, ...byId], db.sessions.remove)
  remove('projects', [...projects, ...byKey], (rows) => removeProjects(db, rows))
  remove('users', users, db.users.remove)
  remove('teams', teams, (rows) => {
    db.teams.remove(rows)
    for (const { id } of rows) db.sizes.delete(id)
  })
  remove('waitlist', entries, db.waitlist.remove)
  return removed
}

export const teamSize = (db: MemoryDatabase, teamId: string): TeamSize =>
  db.sizes.get(teamId) ?? { projects: 0, bytes: 0 }

/** Counted over all stores: a state that is loaded later has none of the earlier ones. */
let versions = 0

function grow(db: MemoryDatabase, teamId: string, { projects, bytes }: TeamSize): void {
  const size = teamSize(db, teamId)
  db.sizes.set(teamId, { projects: size.projects + projects, bytes: size.bytes + bytes })
  versions += 1
  db.versions.set(teamId, String(versions))
}

function shrink(db: MemoryDatabase, project: Project): void {
  const { projects, bytes } = sizeOfNew(project)
  grow(db, project.teamId, { projects: -projects, bytes: -bytes })
}

/** Copies the session first, because the library keeps the array of its argument. */
export function addSession(db: MemoryDatabase, session: SessionRecord): void {
  db.sessions.create(structuredClone(session))
}

/** Adds the records of a state. See `Store.load`. */
export function loadRecords(db: MemoryDatabase, state: State): LoadReport {
  refuseTaken(
    state,
    (orgCode) => db.teams.firstWith('orgCode', orgCode)?.id,
    (key) => db.users.firstWith('subject', key)?.id,
  )

  const report: LoadReport = { created: zeroCounts(), existing: zeroCounts() }
  const add = <Row>(
    kind: StateKind,
    rows: Row[],
    exists: (row: Row) => boolean,
    create: (row: Row) => void,
  ) => {
    for (const row of rows) {
      const isNew = !exists(row)
      if (isNew) create(row)
      report[isNew ? 'created' : 'existing'][kind] += 1
    }
  }
  const hasId = (kind: Exclude<StateKind, 'waitlist'>) => (row: { id: string }) =>
    db[kind].firstWith('id', row.id) !== undefined
  add('teams', state.teams, hasId('teams'), db.teams.create)
  add('users', state.users, hasId('users'), db.users.create)
  add('sessions', state.sessions, hasId('sessions'), (session) => addSession(db, session))
  add('projects', state.projects, hasId('projects'), (project) => addProject(db, project))
  const hasEmail = ({ email }: WaitlistEntry) => db.waitlist.firstWith('email', email) !== undefined
  add('waitlist', state.waitlist, hasEmail, db.waitlist.create)
  return report
}

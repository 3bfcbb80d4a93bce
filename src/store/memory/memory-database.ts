import { factory, nullable, primaryKey } from '@mswjs/data'
import type * as z from 'zod'
import { sizeOfNew, type TeamSize } from '../../contract/limits.js'
import { nameKey } from '../../contract/project-name.js'
import type { Project } from '../../contract/schemas.js'
import {
  keyField,
  recordSchemas,
  type SessionRecord,
  type State,
  type StateCounts,
  type StateKind,
  type StateRecord,
  stateKinds,
  type Team,
  type UserRecord,
  type WaitlistEntry,
  zeroCounts,
} from '../state-file.js'
import { createTable, type MemoryTable, type Model } from './memory-table.js'
import type { OnRecordChange } from './record-changes.js'

type Tables = {
  teams: MemoryTable<Team, 'orgCode'>
  users: MemoryTable<UserRecord, never>
  sessions: MemoryTable<SessionRecord, never>
  projects: MemoryTable<Project, 'team' | 'name'>
  waitlist: MemoryTable<WaitlistEntry, never>
}

export type MemoryDatabase = Tables & {
  sizes: Map<string, TeamSize>
  /** The version of each team's projects, which every change replaces. */
  versions: Map<string, string>
}

/** The number of versions so far, over all stores, so that no later state repeats one. */
let versions = 0

/** Copies field by field, which is faster for long lists. */
const toProject = (entity: object): Project => {
  const { id, name, description, status, teamId, createdAt } = entity as Project
  return { id, name, description, status, teamId, createdAt }
}

/** Creates empty models of @mswjs/data, with indexes. */
export function createMemoryDatabase(): MemoryDatabase {
  const definitions = Object.fromEntries(stateKinds.map((kind) => [kind, definitionOf(kind)]))
  const models = withoutBroadcast(() => factory(definitions)) as unknown as Record<StateKind, Model>
  const sizes = new Map<string, TeamSize>()
  const versionsOfTeams = new Map<string, string>()
  const countProject = (project: Project, by: 1 | -1) => {
    const size = sizes.get(project.teamId) ?? { projects: 0, bytes: 0 }
    const { bytes } = sizeOfNew(project)
    sizes.set(project.teamId, { projects: size.projects + by, bytes: size.bytes + by * bytes })
    versions += 1
    versionsOfTeams.set(project.teamId, String(versions))
  }
  return {
    sizes,
    versions: versionsOfTeams,
    teams: createTable('teams', models.teams, { orgCode: ({ orgCode }: Team) => orgCode }),
    users: createTable<UserRecord>('users', models.users, {}),
    sessions: createTable<SessionRecord>('sessions', models.sessions, {}),
    projects: createTable(
      'projects',
      models.projects,
      { team: ({ teamId }) => teamId, name: ({ teamId, name }) => projectKey(teamId, nameKey(name)) },
      toProject,
      countProject,
    ),
    waitlist: createTable<WaitlistEntry>('waitlist', models.waitlist, {}),
  }
}

/** The key of a project in the index of names. @param name its key, see `nameKey` */
export const projectKey = (teamId: string, name: string): string => JSON.stringify([teamId, name])

const fieldsOf = (kind: StateKind): Record<string, z.ZodType> => recordSchemas[kind].shape

export const isOptionalField = (kind: StateKind, field: string): boolean =>
  fieldsOf(kind)[field]?.safeParse(undefined).success ?? false

/** The definition of the library's model of a kind. Records were validated before. Missing values are null. */
const definitionOf = (kind: StateKind) =>
  Object.fromEntries(
    Object.keys(fieldsOf(kind)).map((name) => [
      name,
      name === keyField(kind) ? primaryKey(String) : nullable<string>(() => null),
    ]),
  )

/**
 * Hides BroadcastChannel from the library while it creates models: in a page it would copy each change to the site's other
 * tabs, where loading the fixtures would undo changes. It has no option for that.
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

/** Wraps a database so that each change is reported at once. */
export const reportingChanges = (db: MemoryDatabase, onChange: OnRecordChange): MemoryDatabase => ({
  ...db,
  ...(Object.fromEntries(stateKinds.map((kind) => [kind, db[kind].reporting(onChange)])) as Tables),
})

export const tableOf = (db: MemoryDatabase, kind: StateKind) =>
  db[kind] as unknown as MemoryTable<StateRecord>

export const stateOf = (db: MemoryDatabase): State => {
  const lists = stateKinds.map((kind) => [kind, db[kind].all()])
  return { version: 1, ...(Object.fromEntries(lists) as Omit<State, 'version'>) }
}

/** The ids of the records to remove, by kind. */
export type MemoryRemoval = { [Kind in StateKind]?: readonly string[] }

/** The dependants of teams and users: the projects of the teams, and the sessions of their organisations and of the users. */
export function dependantsOf(db: MemoryDatabase, { teams = [], users = [] }: MemoryRemoval) {
  const orgCodes = new Set(teams.map((id) => db.teams.get(id)?.orgCode).filter(Boolean))
  const userIds = new Set(users)
  return {
    sessions: db.sessions.all().filter(({ userId, orgCode }) => userIds.has(userId) || orgCodes.has(orgCode)),
    projects: teams.flatMap((id) => db.projects.allWith('team', id)),
  }
}

export function removeRecords(db: MemoryDatabase, removal: MemoryRemoval): StateCounts {
  const { sessions, projects } = dependantsOf(db, removal)
  const removed = zeroCounts()
  removed.sessions = db.sessions.remove([...(removal.sessions ?? []), ...sessions.map(({ id }) => id)])
  removed.projects = db.projects.remove([...(removal.projects ?? []), ...projects.map(({ id }) => id)])
  for (const kind of ['users', 'teams', 'waitlist'] as const) {
    removed[kind] = db[kind].remove(removal[kind] ?? [])
  }
  for (const id of removal.teams ?? []) db.sizes.delete(id)
  return removed
}

/** Adds the records of a state, except those whose id exists. */
export function loadRecords(db: MemoryDatabase, state: State): void {
  for (const kind of stateKinds) {
    const table = tableOf(db, kind)
    for (const record of state[kind]) {
      if (!table.get(Reflect.get(record, keyField(kind)))) table.create(record)
    }
  }
}

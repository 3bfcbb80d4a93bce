import { factory, nullable, primaryKey } from '@mswjs/data'
import type * as z from 'zod'
import { sizeOfNew, type TeamSize } from '../../contract/limits.js'
import { nameKey } from '../../contract/project-name.js'
import type { Project } from '../../contract/schemas.js'
import { emailKey, withoutNulls } from '../record-fields.js'
import {
  keyField,
  recordSchemas,
  refuseTaken,
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
import type { LoadReport, Removal } from '../store.js'
import { createTable, type MemoryTable, type Model } from './memory-table.js'
import type { OnRecordChange } from './record-changes.js'

/** A record as the library has it: null is in place of what is left out. */
type Row<Item> = {
  [Field in keyof Required<Item>]: undefined extends Item[Field]
    ? Exclude<Item[Field], undefined> | null
    : Item[Field]
}

type Tables = {
  teams: MemoryTable<Team, 'id' | 'orgCode'>
  users: MemoryTable<Row<UserRecord>, 'id' | 'email' | 'subject'>
  sessions: MemoryTable<Row<SessionRecord>, 'id'>
  projects: MemoryTable<Project, 'id' | 'team' | 'name'>
  waitlist: MemoryTable<WaitlistEntry, 'email'>
}

export type MemoryDatabase = Tables & {
  /** The messages of identity providers that may be sent again, and until when they are valid. */
  logouts: Map<string, string>
  /** What each team holds. */
  sizes: Map<string, TeamSize>
  /** The version of each team's projects: another after each change of one. */
  versions: Map<string, string>
}

/** How many versions there were, over all stores: a state that is loaded later has none of the earlier ones. */
let versions = 0

// Entities are the library's own objects, marked with symbols. The store returns plain copies of them.
export const toTeam = ({ id, name, orgCode }: Team): Team => ({ id, name, orgCode })
export const toUserRecord = (user: object) => withoutNulls(user) as UserRecord
export const toSession = (session: Pick<SessionRecord, 'permissions'>) =>
  ({ ...withoutNulls(session), permissions: [...session.permissions] }) as SessionRecord
/** Copies field by field, which is faster: a list has many projects. */
export const toProject = ({ id, name, description, status, teamId, createdAt }: Project): Project => ({
  id,
  name,
  description,
  status,
  teamId,
  createdAt,
})
export const toEntry = ({ email, createdAt }: WaitlistEntry): WaitlistEntry => ({ email, createdAt })

/** Makes the record of an entity of each kind. */
export const toRecord = {
  teams: toTeam,
  users: toUserRecord,
  sessions: toSession,
  projects: toProject,
  waitlist: toEntry,
} as Record<StateKind, (entity: object) => StateRecord>

/** Creates empty models of @mswjs/data, with indexes. */
export function createMemoryDatabase(): MemoryDatabase {
  const definitions = Object.fromEntries(stateKinds.map((kind) => [kind, definitionOf(kind)]))
  const models = withoutBroadcast(() => factory(definitions)) as unknown as Record<StateKind, Model<never>>
  const sizes = new Map<string, TeamSize>()
  const versionsOfTeams = new Map<string, string>()
  const id = (row: { id: string }) => row.id
  return {
    logouts: new Map(),
    sizes,
    versions: versionsOfTeams,
    teams: createTable('teams', models.teams, { id, orgCode: ({ orgCode }: Team) => orgCode }, toTeam),
    users: createTable(
      'users',
      models.users as Model<Row<UserRecord>>,
      {
        id,
        email: ({ email }) => emailKey(email),
        subject: ({ issuer, subject }) => JSON.stringify([issuer, subject]),
      },
      toUserRecord,
    ),
    sessions: createTable('sessions', models.sessions as Model<Row<SessionRecord>>, { id }, toSession),
    projects: createTable(
      'projects',
      models.projects as Model<Project>,
      {
        id,
        team: ({ teamId }) => teamId,
        name: ({ teamId, name }) => JSON.stringify([teamId, nameKey(name)]),
      },
      toProject,
      (project, by) => {
        const size = sizes.get(project.teamId) ?? { projects: 0, bytes: 0 }
        const { projects, bytes } = sizeOfNew(project)
        sizes.set(project.teamId, { projects: size.projects + by * projects, bytes: size.bytes + by * bytes })
        versions += 1
        versionsOfTeams.set(project.teamId, String(versions))
      },
    ),
    waitlist: createTable(
      'waitlist',
      models.waitlist as Model<WaitlistEntry>,
      { email: ({ email }) => email },
      toEntry,
    ),
  }
}

const fieldsOf = (kind: StateKind): Record<string, z.ZodType> => recordSchemas[kind].shape

/** Whether records of a kind may be without a field. */
export const isOptionalField = (kind: StateKind, field: string): boolean =>
  fieldsOf(kind)[field]?.safeParse(undefined).success ?? false

/** The definition of the library's model of a kind, from the schema of its records. */
const definitionOf = (kind: StateKind) =>
  Object.fromEntries(
    Object.entries(fieldsOf(kind)).map(([name, field]) => {
      if (name === keyField(kind)) return [name, primaryKey(String)]
      if (field.safeParse([]).success) return [name, Array<string>]
      const isNullable = isOptionalField(kind, name) || field.safeParse(null).success
      return [name, isNullable ? nullable<string>(() => null) : String]
    }),
  )

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

/** The same database. It reports each change that is made through it as soon as it is made. */
export const reportingChanges = (db: MemoryDatabase, onChange: OnRecordChange): MemoryDatabase => ({
  ...db,
  ...(Object.fromEntries(stateKinds.map((kind) => [kind, db[kind].reporting(onChange)])) as Tables),
})

export const teamSize = (db: MemoryDatabase, teamId: string): TeamSize =>
  db.sizes.get(teamId) ?? { projects: 0, bytes: 0 }

/** A table, for code that treats all kinds alike. */
export const tableOf = (db: MemoryDatabase, kind: StateKind) =>
  db[kind] as unknown as MemoryTable<StateRecord, string>

/** The entity of a record. @param key its id; of a waitlist entry, its address */
export const entityOf = (db: MemoryDatabase, kind: StateKind, key: string): StateRecord | undefined =>
  tableOf(db, kind).firstWith(keyField(kind), key)

/** Everything in the database. */
export const stateOf = (db: MemoryDatabase): State => {
  const lists = stateKinds.map((kind) => [kind, tableOf(db, kind).all().map(toRecord[kind])])
  return { version: 1, ...(Object.fromEntries(lists) as Omit<State, 'version'>) }
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
  const found = <Kind extends StateKind>(kind: Kind, keys: readonly string[] = []) =>
    keys.flatMap((key) => entityOf(db, kind, key) ?? []) as unknown as ReturnType<Tables[Kind]['all']>
  const rows = {
    teams: found('teams', removal.teams),
    users: found('users', removal.users),
    projects: (removal.projects ?? []).flatMap(({ id, teamId }) =>
      found('projects', [id]).filter((project) => project.teamId === teamId),
    ),
    sessions: found('sessions', removal.sessions),
    waitlist: found('waitlist', removal.waitlist),
  }
  const { sessions, projects } = dependantsOf(db, rows.teams, rows.users)
  rows.sessions.push(...sessions)
  rows.projects.push(...projects)
  const removed = zeroCounts()
  for (const kind of ['sessions', 'projects', 'users', 'teams', 'waitlist'] as const) {
    const each = [...new Set<object>(rows[kind])] as StateRecord[]
    tableOf(db, kind).remove(each)
    removed[kind] = each.length
  }
  for (const { id } of rows.teams) db.sizes.delete(id)
  return removed
}

/** Adds the records of a state. See `Store.load`. */
export function loadRecords(db: MemoryDatabase, state: State): LoadReport {
  refuseTaken(
    state,
    (orgCode) => db.teams.firstWith('orgCode', orgCode)?.id,
    (key) => db.users.firstWith('subject', key)?.id,
  )
  const report: LoadReport = { created: zeroCounts(), existing: zeroCounts() }
  for (const kind of stateKinds) {
    for (const record of state[kind]) {
      const isNew = !entityOf(db, kind, Reflect.get(record, keyField(kind)))
      if (isNew) tableOf(db, kind).create(record)
      report[isNew ? 'created' : 'existing'][kind] += 1
    }
  }
  return report
}

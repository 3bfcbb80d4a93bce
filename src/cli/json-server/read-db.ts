import { parseState, type State, type StateKind } from '../../store/state-file.js'

/** A value of a db.json that has a collection or a single object under each name. */
export type Db = Record<string, unknown[] | Record<string, unknown>>

type Row = Record<string, unknown>

/** A db.json as records of the interface. */
export type ImportedDb = {
  state: State
  /** Collections that the interface does not have, for handlers. */
  others: Db
  /** Fields of records that the interface does not have, as `projects.budget`. */
  dropped: string[]
}

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is a file of json-server, and not a state file. */
export const isDb = (value: unknown): value is Db =>
  isObject(value) &&
  !('version' in value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((each) => Array.isArray(each) || isObject(each))

const permissions = ['create:projects', 'update:projects']
const firstTime = Date.parse('2026-01-01T00:00:00.000Z')

/** An id of a record in the letters that ids have. */
const idOf = (value: unknown, fallback: string): string =>
  String(value ?? fallback)
    .replace(/[^\w.:@-]+/g, '-')
    .slice(0, 255) || fallback

const textOf = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

/**
 * Makes a state of the collections that are named as those of the interface: teams, users, projects and waitlist. Each user
 * becomes a persona, with all permissions.
 * @throws StateError if a row cannot be made a record, such as two of one id
 */
export function readDb(db: Db): ImportedDb {
  const dropped = new Set<string>()
  const taken = new Set<string>()

  /** The rows of a collection, without the fields that `known` does not name. */
  const rows = (kind: StateKind, known: string[]): Row[] => {
    const list = db[kind]
    if (!Array.isArray(list) || !list.every(isObject)) return []
    taken.add(kind)
    for (const field of list.flatMap(Object.keys)) {
      if (!known.includes(field)) dropped.add(`${kind}.${field}`)
    }
    return list
  }

  const teams = rows('teams', ['id', 'name', 'title', 'orgCode']).map((row, i) => {
    const id = idOf(row.id, `team-${i + 1}`)
    return { id, name: textOf(row.name, row.title) ?? id, orgCode: textOf(row.orgCode) ?? `org_${id}` }
  })
  const [first = { id: 'team-1', name: 'Team', orgCode: 'org_team-1' }] = teams
  if (teams.length === 0) teams.push(first)
  const teamOf = ({ teamId }: Row) => teams.find(({ id }) => id === idOf(teamId, first.id)) ?? first

  const userFields = ['id', 'email', 'name', 'username', 'givenName', 'firstName', 'familyName', 'lastName']
  const userRows = rows('users', [...userFields, 'picture', 'avatar', 'role', 'teamId'])
  const users = userRows.map((row, i) => {
    const id = idOf(row.id, `user-${i + 1}`)
    const [given = id, ...family] = (textOf(row.name, row.username) ?? id).split(' ')
    return {
      id,
      email: textOf(row.email) ?? `${id}@example.test`,
      givenName: textOf(row.givenName, row.firstName) ?? given,
      familyName: textOf(row.familyName, row.lastName) ?? family.join(' '),
      picture: textOf(row.picture, row.avatar) ?? '',
    }
  })
  if (users.length === 0) {
    const user = { id: 'user-1', email: 'user@example.test', givenName: 'User', familyName: '', picture: '' }
    users.push(user)
  }
  const sessions = users.map(({ id }, i) => ({
    id: idOf(textOf(userRows[i]?.username), id),
    userId: id,
    orgCode: teamOf(userRows[i] ?? {}).orgCode,
    permissions,
    role: textOf(userRows[i]?.role) ?? 'owner',
  }))

  const projectFields = ['id', 'name', 'title', 'description', 'status', 'teamId', 'createdAt']
  const projects = rows('projects', projectFields).map((row, i) => {
    const id = idOf(row.id, `project-${i + 1}`)
    return {
      id,
      name: textOf(row.name, row.title) ?? id,
      description: textOf(row.description) ?? null,
      status: textOf(row.status) ?? 'active',
      teamId: teamOf(row).id,
      createdAt: timeOf(row.createdAt, i),
    }
  })
  const waitlist = rows('waitlist', ['id', 'email', 'createdAt']).flatMap((row, i) => {
    const email = textOf(row.email)?.trim().toLowerCase()
    return email ? [{ email, createdAt: timeOf(row.createdAt, i) }] : []
  })

  const others = Object.fromEntries(Object.entries(db).filter(([name]) => !taken.has(name)))
  const state = parseState({ version: 1, teams, users, sessions, projects, waitlist })
  return { state, others, dropped: [...dropped] }
}

/** A time of a record, or one that keeps the order of the file. */
function timeOf(value: unknown, i: number): string {
  const given = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined
  const time = given && !Number.isNaN(given.getTime()) ? given : new Date(firstTime + i * 1000)
  return time.toISOString()
}

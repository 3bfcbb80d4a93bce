import { operations } from '../../contract/operations.js'
import type { State } from '../../store/state-file.js'
import { makeIds } from './made-ids.js'
import { type Anonymizer, makeTexts, maxUnguarded, type Template } from './made-texts.js'
import { addressTemplate, pictureTemplate } from './templates.js'

/** The permissions that stay: those that operations require. */
const knownPermissions: string[] = Object.values(operations).flatMap((operation) =>
  'permission' in operation ? operation.permission : [],
)

/** The statuses that stay: those of the demo, which mean the same to everybody. */
const knownStatuses = ['active', 'paused', 'completed', 'archived']

/**
 * Replaces everything that identifies a customer: ids, organisation codes, names, addresses, pictures, and the texts of
 * projects. Lengths, scripts, case clashes, times and counts stay, and what is the same twice: the same secret makes the
 * same values. Projects of the same time keep their order, which is that of their ids.
 * @param state of a team; its personas have names of their own, which stay, as do their notes
 */
export function anonymizeState(state: State, secret: string | Buffer): State {
  const originals = originalsOf(state)
  const anonymizer: Anonymizer = { secret, isOriginal: (text) => originals.has(text) }
  const { teams, users, sessions } = state
  // The oldest first: a new project changes nothing of those before.
  const projects = [...state.projects].sort((a, b) => compare(a.createdAt, b.createdAt))

  const ids = (kind: string, values: string[]) => read(makeIds(anonymizer, kind, values))
  const texts = (kind: string, values: string[], template?: (text: string) => Template) =>
    read(makeTexts(anonymizer, kind, values, template))
  const all = {
    orgCodes: [...teams, ...sessions].flatMap(({ orgCode }) => orgCode ?? []),
    people: users.flatMap(({ givenName, familyName }) => [givenName, familyName]),
    permissions: sessions.flatMap(({ permissions }) => permissions),
    descriptions: projects.flatMap(({ description }) => description ?? []),
  }
  const made = {
    teamId: ids('team', valuesOf(teams, 'id')),
    userId: ids('user', valuesOf(users, 'id')),
    projectId: inOrderOfTime(projects, ids('project', valuesOf(projects, 'id'))),
    orgCode: texts('organization', all.orgCodes),
    teamName: texts('team name', valuesOf(teams, 'name')),
    person: texts('person', all.people),
    email: texts('address', valuesOf(users, 'email'), addressTemplate),
    picture: texts('picture', valuesOf(users, 'picture'), pictureTemplate),
    permission: unless(knownPermissions, texts('permission', all.permissions)),
    projectName: texts('project name', valuesOf(projects, 'name')),
    description: texts('description', all.descriptions),
    status: unless(knownStatuses, texts('status', valuesOf(projects, 'status'))),
  }

  return {
    ...state,
    teams: teams.map(({ id, name, orgCode }) => ({
      id: made.teamId(id),
      name: made.teamName(name),
      orgCode: made.orgCode(orgCode),
    })),
    users: users.map(({ id, email, givenName, familyName, picture }) => ({
      id: made.userId(id),
      email: made.email(email),
      givenName: made.person(givenName),
      familyName: made.person(familyName),
      picture: made.picture(picture),
    })),
    sessions: sessions.map((session) => ({
      ...session,
      userId: made.userId(session.userId),
      ...(session.orgCode !== undefined && { orgCode: made.orgCode(session.orgCode) }),
      permissions: session.permissions.map(made.permission),
    })),
    projects: state.projects.map(({ id, name, description, status, teamId, createdAt }) => ({
      id: made.projectId(id),
      name: made.projectName(name),
      description: description === null ? null : made.description(description),
      status: made.status(status),
      teamId: made.teamId(teamId),
      createdAt,
    })),
  }
}

const read = (made: Map<string, string>) => (original: string) => made.get(original) ?? ''

const valuesOf = <Field extends string>(records: Record<Field, string>[], field: Field): string[] =>
  records.map((record) => record[field])

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const unless = (known: readonly string[], otherwise: (text: string) => string) => (text: string) =>
  known.includes(text) ? text : otherwise(text)

/** Gives the made ids of the projects of each time to them in the order of their ids. */
function inOrderOfTime(projects: State['projects'], made: (id: string) => string): (id: string) => string {
  const ordered = new Map<string, string>()
  const byTime = new Map<string, string[]>()
  for (const { id, createdAt } of projects) {
    const ids = byTime.get(createdAt)
    if (ids) ids.push(id)
    else byTime.set(createdAt, [id])
  }
  for (const ids of byTime.values()) {
    const madeIds = ids.map(made).sort(compare)
    for (const [i, id] of ids.sort(compare).entries()) ordered.set(id, madeIds[i] ?? '')
  }
  return (id) => ordered.get(id) ?? ''
}

/** What must not be in the result: every value that could identify somebody, unless it is too short to. */
function originalsOf({ teams, users, sessions, projects }: State): Set<string> {
  const originals = new Set<string>()
  const add = (...values: (string | null | undefined)[]) => {
    for (const value of values) if (value && value.length > maxUnguarded) originals.add(value)
  }
  for (const { id, name, orgCode } of teams) add(id, name, orgCode)
  for (const user of users) add(user.id, user.email, user.givenName, user.familyName, user.picture)
  for (const { orgCode, permissions } of sessions) add(orgCode, ...permissions)
  for (const { id, name, description, status } of projects) add(id, name, description, status)
  return originals
}

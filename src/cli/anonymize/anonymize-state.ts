import { requiredPermissions } from '../../contract/operations.js'
import { emptyState, type State } from '../../store/state-file.js'
import { createReplacer, type Make } from './create-replacer.js'

/** Values that stay, since every team has them: the statuses of the demo, and the permissions that operations require. */
const known = [...requiredPermissions, 'active', 'paused', 'completed', 'archived']

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const makeId: Make = ({ string }, _, length, original) =>
  uuid.test(original) ? string.uuid() : string.alphanumeric({ length, casing: 'lower' })
const makePerson: Make = ({ person }, phrase, length) => phrase(() => person.firstName(), length)
const makeTitle: Make = ({ word }, phrase, length) =>
  phrase(() => word.noun(), length).replace(/^./, (first) => first.toUpperCase())
const makeText: Make = ({ lorem }, phrase, length) => phrase(() => lorem.word(), length)
// No one can register a host that ends in .test (RFC 6761).
const makeEmail: Make = ({ string }, _, length) =>
  `${string.alpha({ length: Math.max(1, length - 7), casing: 'lower' })}@x.test`
const makePicture: Make = ({ string }, _, length) =>
  `https://x.test/${string.alphanumeric({ length: Math.max(1, length - 15) })}`

/**
 * Replaces everything that identifies a customer: ids, organisation codes, names, addresses, pictures, and the texts of
 * projects. Rough lengths, times and counts stay. Equal values stay equal, and names that differ in case alone still do. The
 * same secret makes the same values. Projects of the same time keep their order, which is that of their ids.
 * @param state of a team: its personas have names and notes of their own, which stay
 */
export function anonymizeState({ teams, users, sessions, ...state }: State, secret: string | Buffer): State {
  // The oldest first: a new project changes nothing of those before.
  const projects = state.projects.toSorted(byTimeAndId)
  const ids = [...teams, ...users, ...projects].map((record) => record.id)
  const codes = [...teams, ...sessions].flatMap((record) => record.orgCode ?? [])
  const names = [...teams, ...projects].map((record) => record.name)
  const people = users.flatMap((user) => [user.givenName, user.familyName])
  const [emails, pictures] = [users.map((user) => user.email), users.map((user) => user.picture)]
  const texts = projects.flatMap(({ description, status }) => [description ?? '', status])
  texts.push(...sessions.flatMap((session) => session.permissions))

  const replace = createReplacer(secret, [ids, codes, names, people, emails, pictures, texts].flat())
  const id = replace('id', makeId, [...ids, ...codes])
  const name = replace('name', makeTitle, names)
  const person = replace('person', makePerson, people)
  const email = replace('email', makeEmail, emails)
  const picture = replace('picture', makePicture, pictures)
  const text = replace('text', makeText, texts)
  const unlessKnown = (value: string) => (known.includes(value) ? value : text(value))
  const made = projects.map((project) => ({ ...project, id: id(project.id) })).sort(byTimeAndId)
  const projectIds = new Map(projects.map((project, i) => [project.id, made[i]?.id ?? '']))
  return {
    ...emptyState(),
    teams: teams.map((team) => ({ id: id(team.id), name: name(team.name), orgCode: id(team.orgCode) })),
    users: users.map((user) => ({
      id: id(user.id),
      email: email(user.email),
      givenName: person(user.givenName),
      familyName: person(user.familyName),
      picture: picture(user.picture),
    })),
    sessions: sessions.map(({ userId, orgCode, permissions, ...session }) => ({
      ...session,
      userId: id(userId),
      ...(orgCode !== undefined && { orgCode: id(orgCode) }),
      permissions: permissions.map(unlessKnown),
    })),
    projects: state.projects.map((project) => ({
      id: projectIds.get(project.id) ?? '',
      name: name(project.name),
      description: project.description && text(project.description),
      status: unlessKnown(project.status),
      teamId: id(project.teamId),
      createdAt: project.createdAt,
    })),
  }
}

type Created = { id: string; createdAt: string }
const keyOf = ({ id, createdAt }: Created): string => `${createdAt} ${id}`
const byTimeAndId = (a: Created, b: Created): number => (keyOf(a) < keyOf(b) ? -1 : 1)

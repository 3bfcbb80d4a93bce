import { operations } from '../../contract/operations.js'
import type { User } from '../../contract/schemas.js'
import { emptyState, type SessionRecord, type State, type Team } from '../../store/state-file.js'
import type { StoreReader } from '../../store/store.js'
import { isGeneratedTeam, isGeneratedUser, isOfGeneratedTeam } from '../generate/is-generated.js'
import { allUsers } from './find-records.js'

/**
 * One team as a state file: the team, its projects, and the users of the sessions with its organisation. Each set of
 * permissions that a user has had is a persona. No session of the database can be used with it: ids of sessions, and what
 * identifies users at the identity provider, are left out. Without such a session, as after a seed, the personas are users
 * who never signed in.
 */
export async function readTeamState(store: StoreReader, team: Team): Promise<State> {
  const sessions = await store.listSessions({ orgCode: team.orgCode })
  const ids = [...new Set(sessions.map(({ userId }) => userId))]
  // A user who was removed meanwhile has no sessions any more.
  const found = (await Promise.all(ids.map((id) => store.user(id)))).filter((user) => user !== undefined)
  const known = new Set(found.map(({ id }) => id))
  const users = found.length > 0 ? found : await seededUsers(store, team)
  const personas = personasOf(sessions.filter(({ userId }) => known.has(userId)))
  return {
    ...emptyState(),
    teams: [team],
    users,
    sessions: found.length > 0 ? personas : personasOf(grantsOf(users, team)),
    projects: (await store.listProjects(team.id)).projects,
  }
}

/** How many users of a seed become personas. */
const maxSeeded = 50

/** Users who never signed in: of no identity provider, and without a session; of generated data, those of the team. */
async function seededUsers(store: StoreReader, team: Team): Promise<User[]> {
  const signedIn = new Set((await store.listSessions()).map(({ userId }) => userId))
  const isGenerated = isGeneratedTeam(team)
  const users: User[] = []
  for await (const { issuer, subject, ...user } of allUsers(store).entries) {
    const isOfTeam = isGenerated ? isOfGeneratedTeam(user, team) : !isGeneratedUser(user)
    if (issuer === undefined && !signedIn.has(user.id) && isOfTeam) users.push(user)
    if (users.length === maxSeeded) break
  }
  return users
}

/** Sessions that let each user change projects, and the first one also look at them alone. */
const grantsOf = (users: User[], { orgCode }: Team): SessionRecord[] =>
  users.flatMap(({ id: userId }, i) => {
    const both = [operations.createProject.permission, operations.updateProject.permission]
    return [both, ...(i === 0 ? [[]] : [])].map((permissions) => ({ id: '', userId, orgCode, permissions }))
  })

/** Personas by their permissions, with their descriptions. */
const notes = {
  editor: 'May create and update projects.',
  creator: 'May create projects, but not update them.',
  updater: 'May update projects, but not create them.',
  viewer: 'May change nothing.',
}

/** @param sessions in insertion order; of those of a user with the same permissions, the last one counts */
function personasOf(sessions: SessionRecord[]): SessionRecord[] {
  const latest = new Map<string, SessionRecord>()
  for (const session of sessions) {
    latest.set(JSON.stringify([session.userId, [...new Set(session.permissions)].sort()]), session)
  }
  const numbers = { editor: 0, creator: 0, updater: 0, viewer: 0 }
  return [...latest.values()].map(({ userId, orgCode, permissions, createdAt, lastSeenAt }) => {
    const creates = permissions.includes(operations.createProject.permission)
    const updates = permissions.includes(operations.updateProject.permission)
    const name = creates ? (updates ? 'editor' : 'creator') : updates ? 'updater' : 'viewer'
    numbers[name] += 1
    const id = `${name}-${numbers[name]}`
    return { id, userId, orgCode, permissions, note: notes[name], createdAt, lastSeenAt }
  })
}

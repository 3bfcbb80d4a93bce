import { operations } from '../../contract/operations.js'
import { emptyState, type SessionRecord, type State, type Team } from '../../store/state-file.js'
import type { StoreReader } from '../../store/store.js'

/**
 * One team as a state file: the team, its projects, and the users of the sessions with its organisation. Each set of
 * permissions that a user has had is a persona. No session of the database can be used with it: ids of sessions, and what
 * identifies users at the identity provider, are left out.
 */
export async function readTeamState(store: StoreReader, team: Team): Promise<State> {
  const sessions = (await store.listSessions()).filter(({ orgCode }) => orgCode === team.orgCode)
  const ids = [...new Set(sessions.map(({ userId }) => userId))]
  // A user who was removed meanwhile has no sessions any more.
  const users = (await Promise.all(ids.map((id) => store.user(id)))).filter((user) => user !== undefined)
  const found = new Set(users.map(({ id }) => id))
  return {
    ...emptyState(),
    teams: [team],
    users,
    sessions: personasOf(sessions.filter(({ userId }) => found.has(userId))),
    projects: await store.listProjects(team.id),
  }
}

/** Names for what a persona may do, by the permissions that operations require. */
const abilities = [
  { name: 'editor', note: 'May create and update projects.', creates: true, updates: true },
  { name: 'creator', note: 'May create projects, but not update them.', creates: true, updates: false },
  { name: 'updater', note: 'May update projects, but not create them.', creates: false, updates: true },
  { name: 'viewer', note: 'May change nothing.', creates: false, updates: false },
]

/** @param sessions in insertion order; of those of a user with the same permissions, the last one counts */
function personasOf(sessions: SessionRecord[]): SessionRecord[] {
  const latest = new Map<string, SessionRecord>()
  for (const session of sessions) {
    latest.set(JSON.stringify([session.userId, [...new Set(session.permissions)].sort()]), session)
  }
  const numbers = new Map<string, number>()
  return [...latest.values()].map(({ userId, orgCode, permissions, createdAt, lastSeenAt }) => {
    const creates = permissions.includes(operations.createProject.permission)
    const updates = permissions.includes(operations.updateProject.permission)
    const ability = abilities.find((each) => each.creates === creates && each.updates === updates)
    const { name = '', note = '' } = ability ?? {}
    const number = (numbers.get(name) ?? 0) + 1
    numbers.set(name, number)
    return {
      id: `${name}-${number}`,
      userId,
      ...(orgCode !== undefined && { orgCode }),
      permissions,
      note,
      ...(createdAt !== undefined && { createdAt }),
      ...(lastSeenAt !== undefined && { lastSeenAt }),
    }
  })
}

import type { Project, User } from '../../../src/contract/schemas.js'
import { emptyState, type SessionRecord, type State } from '../../../src/store/state-file.js'
import type { Store } from '../../../src/store/store.js'

export const at = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`

export const user = (id: string, email = `${id}@example.com`): User => ({
  id,
  email,
  givenName: 'Ada',
  familyName: 'Osei',
  picture: 'https://avatars.example/ada.png',
})

export const project = (values: Partial<Project> & { id: string }): Project => ({
  name: values.id,
  description: null,
  status: 'active',
  teamId: 'acme',
  createdAt: at(0),
  ...values,
})

export const session = (values: Partial<SessionRecord> & { id: string }): SessionRecord => ({
  userId: 'ada',
  permissions: [],
  ...values,
})

export const state = (values: Partial<State>): State => ({ ...emptyState(), ...values })

export const teams = [
  { id: 'acme', name: 'Acme', orgCode: 'org_acme' },
  { id: 'globex', name: 'Globex', orgCode: 'org_globex' },
]

export const addTeams = (store: Store, projects: Project[] = []) => store.load(state({ teams, projects }))

export const ids = (records: { id: string }[]) => records.map(({ id }) => id)

/** Several unsorted records of each kind. Every optional field is present in one and missing in another. */
export const fullState: State = {
  version: 1,
  teams: teams.toReversed(),
  users: [user('max'), { ...user('ada'), issuer: 'https://id.example', subject: 'sub|1' }],
  sessions: [
    session({ id: 'viewer' }),
    session({
      id: 'owner',
      orgCode: 'org_acme',
      permissions: ['create:projects', 'update:projects'],
      role: 'owner',
      note: 'Does everything.',
      createdAt: at(1),
      lastSeenAt: at(2),
      expiresAt: at(3),
      revokedAt: at(4),
    }),
  ],
  projects: [
    project({ id: 'p2', name: 'Straße "7"; 🚀', description: '', status: 'paused' }),
    project({ id: 'p9', name: ' spaced ', description: 'first\nsecond\u2028third', createdAt: at(9) }),
    project({ id: 'p1', teamId: 'globex', description: null }),
  ],
  waitlist: [
    { email: 'z@example.com', createdAt: at(1) },
    { email: 'a@example.com', createdAt: at(0) },
  ],
}

/** Whether a team has a project whose name has this key. Nothing is added, since the limit is 0. */
export const isTaken = async (store: Store, teamId: string, key: string): Promise<boolean> =>
  (await store.addProject(project({ id: 'probe', teamId }), { projects: 0, bytes: 0 }, key)) === 'name'

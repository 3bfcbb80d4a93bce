// The data set: teams with projects, a session for each team, and the responses for this data.
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { parseDatabaseAddress } from '../../dist/store/database-address.js'
import { openStore } from '../../dist/store/open/open-store.js'

export const secret = 'a secret for measurements only and long enough'

const createdAt = (serial) => new Date(Date.UTC(2026, 0, 1) + serial * 1000).toISOString()
const permissions = ['create:projects', 'update:projects']
const expiresAt = '2100-01-01T00:00:00.000Z'

export const projectOf = (team, serial) => ({
  id: `018f0000-0000-7000-8000-${String(team * 1_000_000 + serial).padStart(12, '0')}`,
  name: `Project ${serial} of team ${team}`,
  description: serial % 3 === 0 ? null : `What project ${serial} is about, in a sentence of usual length.`,
  status: 'active',
  teamId: `team-${team}`,
  createdAt: createdAt(serial),
})

const range = (length, make) => Array.from({ length }, (_, i) => make(i))

/** A state file with one user, and with projects and a session for each team. The mock uses the sessions as personas. */
export const stateOf = ({ teams = 1, projects = 20 }) => ({
  version: 1,
  teams: range(teams, (i) => ({ id: `team-${i}`, name: `Team ${i}`, orgCode: `org_${i}` })),
  users: [{ id: 'user-0', email: 'ada@acme.example', givenName: 'Ada', familyName: 'Byron', picture: '' }],
  sessions: range(teams, (i) => ({
    id: `session-${i}`,
    userId: 'user-0',
    orgCode: `org_${i}`,
    permissions,
    createdAt: new Date().toISOString(),
    expiresAt,
  })),
  projects: range(teams, (i) => range(projects, (serial) => projectOf(i, serial))).flat(),
  waitlist: [],
})

/** The Cookie headers of the sessions, as production signs them. */
export function signedCookies(teams) {
  const cookies = createSessionCookies([secret])
  return range(teams, (i) => {
    const claims = { sessionId: `session-${i}`, orgCode: `org_${i}`, issuedAt: createdAt(0), expiresAt }
    return `session=${encodeURIComponent(cookies.sign(claims))}`
  })
}

/**
 * Creates a SQLite or PostgreSQL database with the data set. `projects` is the number of projects of each team, or a function
 * of the team.
 */
export async function makeDatabase(address, { teams = 1, projects = 20 } = {}) {
  const sizeOf = typeof projects === 'function' ? projects : () => projects
  const store = await openStore(parseDatabaseAddress(address))
  // Ten teams at a time, so that a million projects need not be in memory at once.
  const state = stateOf({ teams, projects: 0 })
  await store.load(state)
  for (let first = 0; first < teams; first += 10) {
    const batch = range(Math.min(10, teams - first), (i) =>
      range(sizeOf(first + i), (serial) => projectOf(first + i, serial)),
    )
    await store.load({ ...state, teams: [], users: [], sessions: [], projects: batch.flat() })
  }
  await store.close()
}

/** The responses for the first team, for servers that send fixed responses. */
export function fixedResponses(projects = 20) {
  const list = range(projects, (serial) => projectOf(0, serial)).reverse()
  const [user] = stateOf({}).users
  return {
    '/v1/projects': { projects: list },
    '/v1/auth/me': {
      user,
      organization: { orgCode: 'org_0' },
      permissions,
      teamId: 'team-0',
      projects: list.map(({ id, name }) => ({ id, name })),
    },
  }
}

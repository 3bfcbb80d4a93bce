// Clients with a session, for drills.
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { secret, signedCookies } from '../speed/dataset.js'

/** The requests of a client with a session cookie, as `createClient` sends them. */
export const requestsOf = (cookie) => ({
  list: { path: '/v1/projects', cookie },
  bundle: { path: '/v1/auth/me', cookie },
  create: (name, more) => ({ method: 'POST', path: '/v1/projects', cookie, body: { name, ...more } }),
  update: (id, changes) => ({ method: 'PATCH', path: `/v1/projects/${id}`, cookie, body: changes }),
  signOut: { method: 'POST', path: '/auth/sign-out', cookie },
})

/** The requests of each team of `dataset.js`. */
export const requestsOfTeams = (teams) => signedCookies(teams).map(requestsOf)

const lasting = '2100-01-01T00:00:00.000Z'

/**
 * Sessions of the first user of `dataset.js`, of its teams in turn, each with its Cookie header and its requests. `endOf` is given
 * the number of each.
 */
export function sessionsOf({ count, teams, permissions = [], endOf = () => lasting }) {
  const cookies = createSessionCookies([secret])
  const issuedAt = new Date().toISOString()
  return Array.from({ length: count }, (_, i) => {
    const id = `drill-session-${i}`
    const orgCode = `org_${i % teams}`
    const expiresAt = endOf(i)
    const claims = { sessionId: id, orgCode, issuedAt, expiresAt }
    const cookie = `session=${encodeURIComponent(cookies.sign(claims))}`
    const record = { id, userId: 'user-0', orgCode, permissions, createdAt: issuedAt, expiresAt }
    return { cookie, record, ...requestsOf(cookie) }
  })
}

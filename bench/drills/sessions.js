// Sessions for drills.
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { secret } from '../speed/dataset.js'

const expiresAt = '2100-01-01T00:00:00.000Z'

/** Sessions of the first user of `dataset.js`, of its teams in turn, each with its Cookie header. `endOf` is given the number of each. */
export function sessionsOf({ count, teams, permissions = [], endOf = () => expiresAt }) {
  const cookies = createSessionCookies([secret])
  const issuedAt = new Date().toISOString()
  return Array.from({ length: count }, (_, i) => {
    const team = i % teams
    const id = `drill-session-${i}`
    const orgCode = `org_${team}`
    const expiresAt = endOf(i)
    const claims = { sessionId: id, orgCode, issuedAt, expiresAt }
    return {
      team,
      cookie: `session=${encodeURIComponent(cookies.sign(claims))}`,
      record: { id, userId: 'user-0', orgCode, permissions, createdAt: issuedAt, expiresAt },
    }
  })
}

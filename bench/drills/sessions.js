// Clients with a session, for drills.
import { signedCookies } from '../speed/dataset.js'

/** The requests of a client with a session cookie, as `createClient` sends them. */
export const requestsOf = (cookie) => ({
  list: { path: '/v1/projects', cookie },
  create: (name, more) => ({ method: 'POST', path: '/v1/projects', cookie, body: { name, ...more } }),
  update: (id, changes) => ({ method: 'PATCH', path: `/v1/projects/${id}`, cookie, body: changes }),
})

/** The requests of each team of `dataset.js`. */
export const requestsOfTeams = (teams) => signedCookies(teams).map(requestsOf)

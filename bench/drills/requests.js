// The requests of a client with a session cookie, as `createClient` sends them.
export const requestsOf = (cookie) => ({
  list: { path: '/v1/projects', cookie },
  bundle: { path: '/v1/auth/me', cookie },
  create: (name, more) => ({ method: 'POST', path: '/v1/projects', cookie, body: { name, ...more } }),
  update: (id, changes) => ({ method: 'PATCH', path: `/v1/projects/${id}`, cookie, body: changes }),
  signOut: { method: 'POST', path: '/auth/sign-out', cookie },
})

// The workloads, and the names of the servers.
import { projectOf } from './dataset.js'

/** The operation of each workload. */
export const labels = {
  list: 'GET /v1/projects',
  bundle: 'GET /v1/auth/me',
  create: 'POST /v1/projects',
  update: 'PATCH /v1/projects/{id}',
  waitlist: 'POST /v1/waitlist',
}

/** The names of the servers in tables and targets. */
export const names = {
  http: 'node:http, fixed bytes',
  fastify: 'Fastify, fixed string',
  express: 'Express with better-sqlite3',
  expressPostgres: 'Express with pg',
  floor: 'the floor (Fastify, sqlite3, group commit)',
  production: 'production',
  ungrouped: 'production, without group commit',
  mock: 'mock',
  jsonServer0: 'json-server 0.17',
  jsonServer1: 'json-server 1.0 (beta)',
  prism: 'Prism',
  mockoon: 'Mockoon',
  httpMiddleware: 'MSW with @mswjs/http-middleware',
}

/** The names of the rows about several nodes over one database. */
export const nodeNames = {
  one: 'one node',
  three: 'three nodes',
  committing: 'three nodes, 20 commits a second',
}

/**
 * The workloads of a server that implements the interface.
 * @param cookies the Cookie headers of the sessions, used in turn
 */
export const workloads = (cookies) => ({
  list: { method: 'GET', path: '/v1/projects', status: 200, cookies },
  bundle: { method: 'GET', path: '/v1/auth/me', status: 200, cookies },
  create: {
    method: 'POST',
    path: '/v1/projects',
    status: 201,
    cookies,
    body: '{"name":"New #","description":"About it"}',
  },
  update: {
    method: 'PATCH',
    // All projects of the team in turn.
    path: Array.from({ length: 20 }, (_, serial) => `/v1/projects/${projectOf(0, serial).id}`),
    status: 200,
    cookies: cookies?.slice(0, 1),
    // A new value each time, since an update to the same value is not written.
    body: '{"status":"status #"}',
  },
  waitlist: { method: 'POST', path: '/v1/waitlist', status: 200, body: '{"email":"new-#@acme.example"}' },
})

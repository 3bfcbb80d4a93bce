// What is asked for, and the names of those who are asked.
import { projectOf } from './world.js'

/** What each kind of work is, in words. */
export const titles = {
  list: 'GET /v1/projects',
  bundle: 'GET /v1/auth/me',
  create: 'POST /v1/projects',
  update: 'PATCH /v1/projects/{id}',
  waitlist: 'POST /v1/waitlist',
}

/** The names by which the subjects are known in tables and targets. */
export const names = {
  http: 'node:http, bytes that are ready',
  fastify: 'Fastify, a string that is ready',
  express: 'Express with better-sqlite3',
  production: 'production',
  ungrouped: 'production, without grouping',
  mock: 'mock',
  jsonServer0: 'json-server 0.17',
  jsonServer1: 'json-server 1.0 (beta)',
  prism: 'Prism',
  mockoon: 'Mockoon',
  httpMiddleware: 'MSW behind @mswjs/http-middleware',
}

/** The work over the interface itself; `cookies` are those of the sessions that ask. */
export const work = (cookies) => ({
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
    // Each another one: a write of what is there already is none.
    body: '{"status":"status #"}',
  },
  waitlist: { method: 'POST', path: '/v1/waitlist', status: 200, body: '{"email":"new-#@acme.example"}' },
})

// What is measured: how each is started, and what its requests look like.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectOf, secret } from './world.js'

const own = (path) => new URL(path, import.meta.url).pathname
const executable = own('../../bin/dashboard-api.js')
const node = process.execPath

/** The work over the interface itself; `cookies` are those of the sessions that ask. */
const work = (cookies, team = 0) => ({
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
    path: `/v1/projects/${projectOf(team, 0).id}`,
    status: 200,
    cookies,
    body: '{"status":"paused"}',
  },
  waitlist: { method: 'POST', path: '/v1/waitlist', status: 200, body: '{"email":"new-#@acme.example"}' },
})

export const httpBuffer = (answers) => ({
  name: 'node:http, bytes that are ready',
  command: (port) => [node, [own('servers/http-buffer.js'), port, answers]],
  work: work(),
})

export const fastifyString = (answers) => ({
  name: 'Fastify, a string that is ready',
  command: (port) => [node, [own('servers/fastify-string.js'), port, answers]],
  work: work(),
})

/** Production as it is served, without an access log, which none of the others writes. */
export const production = ({
  database,
  cookies,
  name = 'production',
  log = 'warn',
  bin = executable,
  env,
}) => ({
  name,
  command: (port) => [
    node,
    [bin, 'serve', '--port', port, '--database', database],
    {
      DASHBOARD_API_SESSION_SECRET: secret,
      DASHBOARD_API_LOG_LEVEL: log,
      DASHBOARD_API_WAITLIST_RATE: 'off',
      NODE_ENV: 'production',
      ...env,
    },
  ],
  work: work(cookies),
})

/** Express with better-sqlite3, written by hand: each write committed and durable before it is answered. */
export const expressSqlite = ({ database, cookies }) => ({
  name: 'Express with better-sqlite3',
  command: (port) => [node, [own('../peers/express-sqlite.js'), port, database, secret]],
  work: work(cookies),
})

export const mock = ({ fixtures, name = 'mock', bin = executable }) => ({
  name,
  command: (port) => [node, [bin, 'dev', '--strict-port', '--port', port, '--fixtures', fixtures]],
  work: work(['session=session-0']),
})

const peer = (...path) => own(join('../peers/node_modules', ...path))

/** json-server has resources of its own form, and no sessions. */
const resources = {
  list: { method: 'GET', path: '/projects', status: 200 },
  create: {
    method: 'POST',
    path: '/projects',
    status: 201,
    body: '{"name":"New #","description":"About it"}',
  },
}

export const jsonServer0 = (file) => ({
  name: 'json-server 0.17',
  command: (port) => [
    node,
    [peer('json-server-0/lib/cli/bin.js'), '--quiet', '--port', port, '--host', '127.0.0.1', file],
  ],
  work: resources,
})

export const jsonServer1 = (file) => ({
  name: 'json-server 1.0 (beta)',
  command: (port) => [node, [peer('json-server/lib/bin.js'), '--port', port, '--host', '127.0.0.1', file]],
  work: resources,
})

export const prism = (document) => ({
  name: 'Prism',
  command: (port) => [
    node,
    [
      own('../../node_modules/@stoplight/prism-cli/dist/index.js'),
      'mock',
      '--port',
      port,
      '--host',
      '127.0.0.1',
      document,
    ],
  ],
  work: work(['session=any']),
})

export const mockoon = (environment) => ({
  name: 'Mockoon',
  command: (port) => [
    node,
    [
      peer('@mockoon/cli/bin/run.js'),
      'start',
      '--disable-log-to-file',
      '--data',
      environment,
      '--port',
      port,
    ],
  ],
  work: work(),
})

export const httpMiddleware = (answers) => ({
  name: 'MSW behind @mswjs/http-middleware',
  command: (port) => [node, [own('../peers/http-middleware.js'), port, answers]],
  work: work(),
})

/** Our description of the interface, with these answers as its examples, for those that answer from one. */
export function documentFor(answers) {
  const document = JSON.parse(readFileSync(own('../../openapi.json'), 'utf8'))
  for (const [path, body] of Object.entries(answers)) {
    document.paths[path].get.responses[200].content['application/json'] = { example: body }
  }
  return document
}

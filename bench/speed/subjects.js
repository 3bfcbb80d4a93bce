// The compared servers, started as users start them: the arguments of Node, and the workloads of each.
import { existsSync, readFileSync } from 'node:fs'
import { fixedResponses, projectOf, secret } from './dataset.js'
import { names, workloads } from './workloads.js'

const pathTo = (path) => new URL(path, import.meta.url).pathname
const executable = pathTo('../../bin/dashboard-api.js')

/** The placeholder of the port in the arguments of a server. */
export const port = '{port}'

const subject = (name, args, own = workloads(), env = {}) => ({ name, args, workloads: own, env })

export const httpFixed = (responses) =>
  subject(names.http, [pathTo('servers/http-fixed.js'), port, responses])
export const fastifyFixed = (responses) =>
  subject(names.fastify, [pathTo('servers/fastify-fixed.js'), port, responses])

const settings = {
  DASHBOARD_API_SESSION_SECRET: secret,
  DASHBOARD_API_WAITLIST_RATE: 'off',
  // The whole load comes from one address, and one team receives all projects.
  DASHBOARD_API_MAX_PROJECTS_PER_TEAM: '100000',
  DASHBOARD_API_MAX_CONNECTIONS: '10000',
  // No access log, since the other servers write none.
  DASHBOARD_API_LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
}
const service = (args, { name = names.production, cookies, env }) =>
  subject(name, args, workloads(cookies), { ...settings, ...env })

/** Production, as `dashboard-api serve` runs it. */
export const production = ({ database, ...own }) =>
  service([executable, 'serve', '--port', port, '--database', database], own)

/** Production without group commit: each write is a separate commit. */
export const productionUngrouped = ({ database, ...own }) =>
  service([pathTo('servers/production-ungrouped.js'), port, database], { name: names.ungrouped, ...own })

/** Production from the modules in `dist/`, whose names a profile shows. */
export const productionModules = ({ database, ...own }) =>
  service([pathTo('servers/production.js'), port, database], own)

export const loggedName = (name) => `${name}, with its request log`

/** The same server, which writes its request log to a file. */
export const withLog = ({ name, env, ...rest }, logFile) => ({
  ...rest,
  name: loggedName(name),
  logFile,
  env: { ...env, LOG: '1', DASHBOARD_API_LOG_LEVEL: 'info' },
})

/** A server that caches its response for a fixed time, and so sends stale responses. */
export const ttlCache = ({ database, ttlMs }) =>
  subject(`a cache that expires after ${ttlMs} ms`, [pathTo('servers/ttl-cache.js'), port, database, ttlMs])

export const mock = ({ fixtures, teams = 1, name = names.mock }) => {
  const args = [executable, 'dev', '--strict-port', '--port', port, '--fixtures', fixtures]
  // All teams in turn, since a team has at most 10,000 projects.
  const { create } = workloads(Array.from({ length: teams }, (_, i) => `session=session-${i}`))
  return subject(name, args, { ...workloads(['session=session-0']), create })
}

/** Express, written by hand: each write is durable before its response. The database determines the driver. */
const express =
  (name) =>
  ({ database, cookies }) =>
    subject(name, [pathTo('../peers/express.js'), port, database, secret], workloads(cookies))
export const expressSqlite = express(names.express)
export const expressPostgres = express(names.expressPostgres)

/** The minimum cost of a durable create. */
export const floor = ({ database, cookies }) => {
  const { create } = workloads(cookies)
  return subject(names.floor, [pathTo('servers/floor.js'), port, database], { create })
}

/** json-server has no sessions, and its own form of resources. */
const jsonServerWorkloads = {
  list: { method: 'GET', path: '/projects', status: 200 },
  bundle: { method: 'GET', path: '/me', status: 200 },
  create: {
    method: 'POST',
    path: '/projects',
    status: 201,
    body: '{"name":"New #","description":"About it"}',
  },
  update: {
    method: 'PATCH',
    path: `/projects/${projectOf(0, 0).id}`,
    status: 200,
    body: '{"status":"status #"}',
  },
  waitlist: { method: 'POST', path: '/waitlist', status: 201, body: '{"email":"new-#@acme.example"}' },
}

/** Other mocks, with the same responses. */
export function otherMocks({ json, responses }) {
  // npm installs a package here if another package needs another version of it.
  const peer = (path) =>
    ['../..', '../peers'].map((folder) => pathTo(`${folder}/node_modules/${path}`)).find(existsSync)
  const address = ['--port', port, '--host', '127.0.0.1']
  const fixed = fixedResponses()
  const { projects } = fixed['/v1/projects']
  // A copy, since json-server writes changes to its file.
  const resources = () => json({ projects, me: fixed['/v1/auth/me'], waitlist: [] })
  const document = JSON.parse(readFileSync(pathTo('../../openapi.json'), 'utf8'))
  for (const [path, example] of Object.entries(fixed))
    document.paths[path].get.responses[200].content['application/json'] = { example }
  const openapi = json(document)
  const mockoon = [peer('@mockoon/cli/bin/run.js'), 'start', '--disable-log-to-file', '--data', openapi]
  return [
    subject(
      names.jsonServer0,
      [peer('json-server-0/lib/cli/bin.js'), '--quiet', ...address, resources()],
      jsonServerWorkloads,
    ),
    subject(
      names.jsonServer1,
      [peer('json-server/lib/bin.js'), ...address, resources()],
      jsonServerWorkloads,
    ),
    subject(
      names.prism,
      [peer('@stoplight/prism-cli/dist/index.js'), 'mock', ...address, openapi],
      workloads(['session=any']),
    ),
    subject(names.mockoon, [...mockoon, '--port', port]),
    subject(names.httpMiddleware, [pathTo('../peers/http-middleware.js'), port, responses]),
  ]
}

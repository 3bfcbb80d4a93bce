// The servers of this project that are measured, and the fixed responses they are compared with: how each is started,
// and its workloads.
import { join } from 'node:path'
import { secret } from './dataset.js'
import { names, workloads } from './workloads.js'

const pathTo = (path) => new URL(path, import.meta.url).pathname
const executable = pathTo('../../bin/dashboard-api.js')
const node = process.execPath

export const httpFixed = (responses) => ({
  name: names.http,
  command: (port) => [node, [pathTo('servers/http-fixed.js'), port, responses]],
  workloads: workloads(),
})

export const fastifyFixed = (responses) => ({
  name: names.fastify,
  command: (port) => [node, [pathTo('servers/fastify-fixed.js'), port, responses]],
  workloads: workloads(),
})

const settings = {
  DASHBOARD_API_SESSION_SECRET: secret,
  DASHBOARD_API_WAITLIST_RATE: 'off',
  // All of the load comes from one address, and one team gets all projects.
  DASHBOARD_API_MAX_PROJECTS_PER_TEAM: '100000',
  DASHBOARD_API_MAX_CONNECTIONS_PER_ADDRESS: '1000',
  // No access log: none of the other servers writes one.
  DASHBOARD_API_LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
}

/** Production, as `dashboard-api serve` runs it. */
export const production = ({ database, cookies, name = names.production, env }) => ({
  name,
  command: (port) => [
    node,
    [executable, 'serve', '--port', port, '--database', database],
    { ...settings, ...env },
  ],
  workloads: workloads(cookies),
})

/** Production without group commit: each write is a commit of its own. */
export const productionUngrouped = ({ database, cookies, env }) => ({
  name: names.ungrouped,
  command: (port) => [
    node,
    [pathTo('servers/production-ungrouped.js'), port, database],
    { ...settings, ...env },
  ],
  workloads: workloads(cookies),
})

/** Production from the modules in `dist/`, whose names a profile shows. */
export const productionModules = ({ database, cookies }) => ({
  name: names.production,
  command: (port) => [node, [pathTo('servers/production.js'), port, database], settings],
  workloads: workloads(cookies),
})

export const loggedName = (name) => `${name}, with its request log`

/** The same server, which writes its request log to a file. */
export const withLog = (subject, folder) => ({
  ...subject,
  name: loggedName(subject.name),
  logFile: join(folder, 'requests.log'),
  command(port) {
    const [node, args, env] = subject.command(port)
    return [node, args, { ...env, LOG: '1', DASHBOARD_API_LOG_LEVEL: 'info' }]
  },
})

/** A server that caches its response for a fixed time, and so sends stale responses. */
export const ttlCache = ({ database, ttlMs }) => ({
  name: `a cache that expires after ${ttlMs} ms`,
  command: (port) => [node, [pathTo('servers/ttl-cache.js'), port, database, ttlMs]],
  workloads: workloads(),
})

export const mock = ({ fixtures, teams = 1, name = names.mock }) => ({
  name,
  command: (port) => [node, [executable, 'dev', '--strict-port', '--port', port, '--fixtures', fixtures]],
  workloads: {
    ...workloads(['session=session-0']),
    // Of all teams in turn: a team holds 10,000 projects at most.
    create: workloads(Array.from({ length: teams }, (_, i) => `session=session-${i}`)).create,
  },
})

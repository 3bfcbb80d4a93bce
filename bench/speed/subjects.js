// What is measured, the service and its limits: how each is started, and what it is asked for.
import { names, work } from './work.js'
import { secret } from './world.js'

const own = (path) => new URL(path, import.meta.url).pathname
const executable = own('../../bin/dashboard-api.js')
const node = process.execPath

export const httpBuffer = (answers) => ({
  name: names.http,
  command: (port) => [node, [own('servers/http-buffer.js'), port, answers]],
  work: work(),
})

export const fastifyString = (answers) => ({
  name: names.fastify,
  command: (port) => [node, [own('servers/fastify-string.js'), port, answers]],
  work: work(),
})

const settings = {
  DASHBOARD_API_SESSION_SECRET: secret,
  DASHBOARD_API_WAITLIST_RATE: 'off',
  NODE_ENV: 'production',
}

/** Production as it is served, without an access log, which none of the others writes. */
export const production = ({
  database,
  cookies,
  name = names.production,
  log = 'warn',
  bin = executable,
  env,
}) => ({
  name,
  command: (port) => [
    node,
    [bin, 'serve', '--port', port, '--database', database],
    { ...settings, DASHBOARD_API_LOG_LEVEL: log, ...env },
  ],
  work: work(cookies),
})

/** The same, but each write is a commit of its own. */
export const ungrouped = ({ database, cookies, env }) => ({
  name: names.ungrouped,
  command: (port) => [
    node,
    [own('servers/ungrouped.js'), port, database],
    { ...settings, DASHBOARD_API_LOG_LEVEL: 'warn', ...env },
  ],
  work: work(cookies),
})

/** The same, from the modules that the executable is made of. */
export const unbundled = ({ database, cookies }) => ({
  name: names.production,
  command: (port) => [
    node,
    [own('servers/unbundled.js'), port, database],
    { ...settings, DASHBOARD_API_LOG_LEVEL: 'warn' },
  ],
  work: work(cookies),
})

/** One that keeps its answers for a time, whatever is committed. */
export const stale = ({ database, keepMs }) => ({
  name: `one that keeps its answers for ${keepMs} ms`,
  command: (port) => [node, [own('servers/stale.js'), port, database, keepMs]],
  work: work(),
})

export const mock = ({ fixtures, name = names.mock, bin = executable }) => ({
  name,
  command: (port) => [node, [bin, 'dev', '--strict-port', '--port', port, '--fixtures', fixtures]],
  work: work(['session=session-0']),
})

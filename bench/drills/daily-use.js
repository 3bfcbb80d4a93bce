// What a day brings, at a steady rate: reads, changes, sign-ins, sessions that end, teams that come and go, broken connections.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { issueSession } from '../../dist/server/sessions/issue-session.js'
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { projectOf, secret, signedCookies, stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { requestsOf } from './sessions.js'
import { openDatabase } from './stored.js'

const permissions = ['create:projects', 'update:projects']
const hour = 3_600_000
/** Names and addresses come again, so that the data stay level. */
const names = 500

/**
 * @param options.database is also written by this process, as the commands do
 * @param options.now the clock of the service, in ms
 */
export async function startDailyUse({ url, database, now }) {
  const store = await openDatabase(database)
  const cookies = createSessionCookies([secret])
  const [user] = stateOf({}).users
  const [cookie] = signedCookies(1)
  const own = requestsOf(cookie)
  const faults = []
  let sent = 0
  let isStopped = false

  const issue = async (orgCode) => {
    const setting = { store, cookies, now: () => new Date(now()) }
    const { session, cookie } = await issueSession(setting, { user, orgCode, permissions, ttlMs: hour })
    const requests = requestsOf(`session=${encodeURIComponent(cookie)}`)
    return { ...requests, endsAt: Date.parse(session.expiresAt) }
  }
  /** Repeats something with a client of its own. It is given what sends a request, of which these statuses are expected. */
  const repeat = async ([pauseMs, run]) => {
    const client = createClient(url)
    const call = async (request, ...expected) => {
      sent += 1
      const { status, error } = await client(request)
      if (expected.includes(status) || faults.length === 20) return
      const { method = 'GET', path } = request
      faults.push(`${method} ${path}: ${status ?? error}, expected ${expected.join(' or ')}`)
    }
    for (let i = 0; !isStopped; i += 1) {
      await run(call, i)
      await sleep(pauseMs)
    }
    client.end()
  }

  const reads = (call, i) => call(i % 2 ? own.list : own.bundle, 200)
  const updates = (call, i) => call(own.update(projectOf(0, 0).id, { status: String(i % 10) }), 200)
  const creations = (call, i) => call(own.create(`Use ${i % names}`), 201, 409)
  const signUps = (call, i) =>
    call({ method: 'POST', path: '/v1/waitlist', body: { email: `use-${i % names}@example.com` } }, 200)
  const unknown = (call) => call({ path: '/v1/nothing', cookie: 'session=unknown' }, 404)

  /** Sessions that were used, until they have ended. */
  const issued = []
  const signIns = async (call) => {
    const session = await issue('org_0')
    issued.push(session)
    await call(session.bundle, 200)
    while (issued[0]?.endsAt < now()) await call(issued.shift().bundle, 401)
  }
  const newTeam = async (call, i) => {
    const team = { id: `use-${i}`, name: `Use ${i}`, orgCode: `use_${i}` }
    await store.addTeam(team)
    const { create, list } = await issue(team.orgCode)
    for (let n = 0; n < 10; n += 1) await call(create(`Project ${n}`), 201)
    await call(list, 200)
    await store.remove({ teams: [team.id] })
  }
  const begun = [
    'POST /v1/waitlist HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{',
    'GET /v1/projects HTTP/1.1\r\n',
  ]
  const brokenConnection = (_, i) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(begun[i % 2])
      setTimeout(() => (i % 3 ? socket.destroy() : socket.resetAndDestroy()), 200)
    })
    socket.on('error', () => {})
  }

  const loops = [
    ...Array(4).fill([50, reads]),
    ...[
      [200, updates],
      [200, creations],
      [500, signUps],
      [500, unknown],
      [1_000, signIns],
      [5_000, newTeam],
      [500, brokenConnection],
    ],
  ].map(repeat)
  return {
    cookie,
    /** @returns how many requests were sent, and what was not as expected */
    async stop() {
      isStopped = true
      await Promise.all(loops)
      await store.close()
      return { sent, faults }
    },
  }
}

import { randomUUID } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, it, onTestFinished, vi } from 'vitest'
import { createDatabase, noPostgres, openClient } from '../../store/postgres/postgres-database.js'
import { expectAlerts, noPromtool } from './alerts.js'
import { prepareDatabase, startObserved, statusOf } from './start-observed.js'

afterEach(() => void vi.useRealTimers())

const isUnready = (metrics: string) => metrics.includes('dashboard_api_ready{reason="database"} 0')

/** A service over a new database, which it reaches through a proxy. */
async function start(env: Record<string, string> = {}, role?: { name: string; password: string }) {
  const database = await createDatabase(role && `OWNER ${role.name}`)
  onTestFinished(database.drop)
  const url = new URL(database.url)
  if (role) Object.assign(url, { username: role.name, password: role.password })
  const proxy = await startProxy(url.href)
  const { cookies } = await prepareDatabase(url.href)
  const service = await startObserved(proxy.url, env)
  return { ...service, cookies, database, proxy, use: () => service.list(cookies[0]) }
}

/** A proxy to a server that can be taken down, as if the server were. */
async function startProxy(url: string) {
  const target = new URL(url)
  const { hostname, port } = target
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object' && address) target.port = String(address.port)
  const takeDown = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(takeDown)
  return { url: target.href, takeDown }
}

describe.skipIf(noPostgres ?? noPromtool)('the alerts of a service over PostgreSQL', () => {
  it('whose database is down', async () => {
    const { read, use, proxy } = await start()
    await expectAlerts({ read, use, fault: proxy.takeDown, isSeen: isUnready }, [
      'DashboardApiNotReady',
      'DashboardApiUnavailable',
      'DashboardApiDatabaseUnreadable',
    ])
  })

  it('whose clock is wrong', async () => {
    const { read } = await start()
    const fault = () => {
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(Date.now() + 90_000)
    }
    const isSeen = (metrics: string) => /clock_skew_seconds (89|9\d)/.test(metrics)
    await expectAlerts({ read, fault, isSeen }, ['DashboardApiClockWrong'])
  })

  it('whose connections are all taken', async () => {
    const pool = { DASHBOARD_API_DATABASE_POOL_SIZE: '2', DASHBOARD_API_DATABASE_TIMEOUT: '1s' }
    const { url, read, cookies, database } = await start(pool)
    const other = await openClient(database.url)
    onTestFinished(() => other.end())
    // Each waits with its connection until its time is up, and another one takes its place.
    const fault = async () => {
      await other.query('BEGIN')
      await other.query('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE')
    }
    let count = 0
    const create = () => {
      count += 1
      const body = JSON.stringify({ name: `Project ${count}` })
      const headers = { cookie: cookies[0], 'content-type': 'application/json' }
      return statusOf(fetch(`${url}/v1/projects`, { method: 'POST', headers, body }))
    }
    const use = () => Promise.all(Array.from({ length: 5 }, create))
    await expectAlerts({ read, use, fault }, ['DashboardApiUnavailable'])
  })

  it('whose password is rejected', async () => {
    const role = `test_${randomUUID().replaceAll('-', '')}`
    const server = await openClient()
    onTestFinished(async () => {
      await server.query(`DROP ROLE ${role}`)
      await server.end()
    })
    await server.query(`CREATE ROLE ${role} LOGIN PASSWORD 'first'`)
    const { read, use, database } = await start({}, { name: role, password: 'first' })
    const fault = async () => {
      await server.query(`ALTER ROLE ${role} PASSWORD 'second'`)
      await database.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`)
    }
    await expectAlerts({ read, use, fault, isSeen: isUnready }, [
      'DashboardApiNotReady',
      'DashboardApiUnavailable',
      'DashboardApiDatabaseUnreadable',
    ])
  })
})

import { chmod, readFile, stat } from 'node:fs/promises'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { issueSession } from '../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { readSettings } from '../../src/server/settings/settings.js'
import { type ServerOptions, startServer } from '../../src/server/start-server.js'
import { auditEntry } from '../../src/store/audit-entry.js'
import { openConnection } from '../../src/store/sqlite/connection.js'
import { knownVersion } from '../../src/store/sqlite/schema-version.js'
import { emptyFolder } from '../cli/cli-process.js'
import { hasIPv6 } from '../has-ipv6.js'
import { openSqliteStore } from '../store/open-stores.js'
import { damageText } from '../store/sqlite/database-files.js'
import { demo, hour, openWire, secret } from './server-harness.js'

// test/http/connections.test.ts and stop-listening.test.ts test closing with open connections.

let database: string
beforeEach(() => {
  database = join(emptyFolder(), 'dashboard.db')
})

type Flags = { port?: string; host?: string; metricsAddress?: string }

const settings = (flags: Flags = {}) =>
  readSettings({ DASHBOARD_API_SESSION_SECRET: secret }, { port: '0', database, ...flags })

async function start(options: ServerOptions & Pick<Flags, 'host' | 'metricsAddress'> = {}) {
  const { host, metricsAddress, ...rest } = options
  const server = await startServer(settings({ host, metricsAddress }), {
    logStream: { write: () => {} },
    idleGraceMs: 100,
    ...rest,
  })
  onTestFinished(server.close)
  return server
}

async function wireTo(url: string) {
  const wire = await openWire(url)
  onTestFinished(wire.end)
  return wire
}

/** Seeds the database and issues a session for Ada, as an operator does in another process. */
async function signIn() {
  const store = await openSqliteStore(database)
  await store.load(demo())
  const user = await store.user('user-ada')
  if (!user) throw new Error('the fixture has no user-ada')
  const { session, cookie } = await issueSession(
    { store, cookies: createSessionCookies([secret]), now: () => new Date() },
    { user, orgCode: 'org_acme', permissions: ['create:projects'], ttlMs: hour },
  )
  await store.close()
  return { id: session.id, cookie: `session=${cookie}` }
}

/** The head of a POST whose body follows after 100 Continue. */
const announced = (cookie: string, length: number) =>
  [
    'POST /v1/projects HTTP/1.1',
    'host: a',
    `cookie: ${cookie}`,
    'content-type: application/json',
    `content-length: ${length}`,
    'expect: 100-continue',
    '\r\n',
  ].join('\r\n')

describe('a start that takes long', () => {
  it('is reported while the database is not open, whatever it waits for', async () => {
    await (await openSqliteStore(database)).close()
    const other = await openConnection(database, 'write', 1000)
    await other.exec('PRAGMA locking_mode = EXCLUSIVE')
    await other.exec('BEGIN IMMEDIATE')
    let started: ReturnType<typeof start> | undefined
    await new Promise<void>((onSlowDatabase) => {
      started = start({ onSlowDatabase })
    })
    await other.exec('ROLLBACK')
    await other.close()
    const url = (await started)?.url
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('is not said to wait for the database once that is open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const onSlowDatabase = vi.fn()
    const write = (line: string) => {
      if (line.includes('the service starts')) vi.advanceTimersByTime(10_000)
    }
    await start({ onSlowDatabase, logStream: { write } })
    expect(onSlowDatabase).not.toHaveBeenCalled()
  })
})

describe('the production server', () => {
  it('listens on a free port, and links to pages that it serves', async () => {
    const { url } = await start()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    const response = await fetch(`${url}/v1/projects`)
    expect(response.status).toBe(401)
    const { docsUrl } = (await response.json()) as { docsUrl: string }
    expect(docsUrl).toBe(`${url}/docs/errors/auth-required`)
    expect((await fetch(docsUrl)).status).toBe(200)
  })

  it('refuses a database with an index that differs from its table', async () => {
    const store = await openSqliteStore(database)
    await store.addToWaitlist({ email: 'ada@example.com', createdAt: '2026-03-01T12:00:00.000Z' })
    await store.close()
    damageText(database, 'ada@example.com')
    await expect(start()).rejects.toThrow('missing from index')
  })

  it.skipIf(process.platform === 'win32')('warns if other users can read the database', async () => {
    const warnings = async () => {
      const lines: string[] = []
      const server = await start({ logStream: { write: (line: string) => void lines.push(line) } })
      await server.close()
      return lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn' || level === 40)
    }
    expect(await warnings()).toEqual([])
    await chmod(database, 0o644)
    expect(await warnings()).toEqual([
      expect.objectContaining({ database, msg: expect.stringContaining(`run: chmod 600 ${database}*`) }),
    ])
  })

  it('logs its version, the opened database, and whether it created the database', async () => {
    const logged = async () => {
      const lines: string[] = []
      const build = { version: '1.2.3', commit: '1a2b3c4' }
      const logStream = { write: (line: string) => void lines.push(line) }
      const server = await start({ build, logStream })
      await server.close()
      const [starts, opened, ...others] = lines.map((line) => JSON.parse(line))
      expect(starts).toMatchObject({ msg: 'the service starts', ...build })
      return { ...opened, audit: [opened, ...others].flatMap(({ audit = [] }) => audit) }
    }
    const empty = { teams: 0, users: 0, sessions: 0, projects: 0, waitlist: 0 }
    expect(await logged()).toMatchObject({
      msg: 'the database did not exist and was created',
      database,
      created: true,
      version: knownVersion,
      known: knownVersion,
      records: empty,
      audit: [{ action: 'database.create', source: hostname(), details: { to: knownVersion } }],
    })
    await signIn()
    const { records, bytes, ...found } = await logged()
    expect(found).toMatchObject({ msg: 'the database was found', database, created: false, audit: [] })
    expect(records).toEqual({
      teams: 2,
      users: 6,
      sessions: demo().sessions.length + 1,
      projects: 6,
      waitlist: 2,
    })
    expect(bytes).toBe((await stat(database)).size)
  })

  it('removes audit entries that are older than the setting', async () => {
    const store = await openSqliteStore(database)
    const agesInDays = [401, 399]
    for (const days of agesInDays) {
      const at = new Date(Date.now() - days * 24 * hour).toISOString()
      await store.appendToAudit({ ...auditEntry({ via: String(days) }, { action: 'sign-in' }), at })
    }
    await start()
    const left = async () =>
      (await store.auditAfter(undefined, 10, { action: 'sign-in' })).map(({ via }) => via)
    await expect.poll(left).toEqual(['399'])
    await store.close()
  })

  it('does not start on a port that is taken, and leaves nothing open', async () => {
    const holder = createTcpServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void holder.close())
    const { port } = holder.address() as AddressInfo
    await expect(startServer(settings({ port: String(port) }))).rejects.toMatchObject({ code: 'EADDRINUSE' })
    // A database that no process has open has no write-ahead log.
    await expect(readFile(`${database}-wal`)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('does not start for a host that does not exist, and creates no database', async () => {
    await expect(startServer(settings({ host: 'nowhere.invalid' }))).rejects.toMatchObject({
      syscall: 'getaddrinfo',
    })
    await expect(readFile(database)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('answers a further request on an idle connection when it closes, and refuses new connections', async () => {
    const { url, close } = await start({ idleGraceMs: 60_000, drainMs: 60_000 })
    const request = 'GET /v1/projects HTTP/1.1\r\nhost: a\r\n\r\n'
    const wire = await wireTo(url)
    wire.write(request)
    await wire.until((received) => received.endsWith('}'))
    const closed = close()
    await expect
      .poll(() =>
        wireTo(url).then(
          (other) => other.end(),
          ({ code }) => code,
        ),
      )
      .toBe('ECONNREFUSED')
    wire.write(request)
    expect((await wire.closed).toLowerCase().match(/^connection: .*$/gm)).toEqual([
      'connection: keep-alive',
      'connection: close',
    ])
    // A second call waits for the first one.
    await Promise.all([closed, close()])
  })

  it('finishes requests in flight when it closes', async () => {
    const { cookie } = await signIn()
    const { url, close } = await start({ drainMs: 60_000 })
    const wire = await wireTo(url)
    const body = '{"name":"In flight"}'
    wire.write(announced(cookie, body.length))
    await wire.until((received) => received.includes('100 Continue'))
    const closed = close()
    wire.write(body)
    const received = await wire.closed
    expect(received).toContain('HTTP/1.1 201 Created')
    expect(received.toLowerCase()).toContain('connection: close')
    expect(received).toContain('"In flight"')
    await closed
  })

  it('cuts off requests that are not finished in time', async () => {
    const { cookie } = await signIn()
    const { url, close } = await start({ drainMs: 50 })
    const wire = await wireTo(url)
    wire.write(announced(cookie, 9))
    await wire.until((received) => received.includes('100 Continue'))
    await close()
    expect(await wire.closed).not.toContain('HTTP/1.1 2')
  })

  it.runIf(hasIPv6)('listens on both addresses of localhost, whose name is in its URLs', async () => {
    const { url, metricsUrl, close } = await start({ host: 'localhost', metricsAddress: 'localhost:0' })
    const ports = [url, metricsUrl ?? ''].map((each) => new URL(each))
    for (const { hostname, port, pathname } of ports) {
      expect(hostname).toBe('localhost')
      for (const address of ['127.0.0.1', '[::1]']) {
        const { status } = await fetch(`http://${address}:${port}${pathname}`)
        expect(status, address).toBe(pathname === '/metrics' ? 200 : 404)
      }
    }
    await close()
    for (const { port } of ports) {
      for (const address of ['127.0.0.1', '[::1]']) {
        await expect(fetch(`http://${address}:${port}`), address).rejects.toThrow()
      }
    }
  })

  it.runIf(hasIPv6)(
    'does not start if another program has its port at one address of localhost',
    async () => {
      const other = createTcpServer()
      await new Promise<void>((listening) => other.listen(0, '::1', listening))
      onTestFinished(() => void other.close())
      const { port } = other.address() as AddressInfo
      await expect(startServer(settings({ host: 'localhost', port: `${port}` }))).rejects.toThrow(
        expect.objectContaining({ code: 'EADDRINUSE' }),
      )
      await expect(start({ metricsAddress: `localhost:${port}` })).rejects.toThrow(
        `Port ${port} of localhost`,
      )
      await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
    },
  )
})

import { readFileSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { type AppOptions, createApp } from '../../src/server/app.js'
import { issueSession, type SessionGrant } from '../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { readSettings } from '../../src/server/settings/settings.js'
import { newId } from '../../src/store/new-id.js'
import { parseState } from '../../src/store/state-file.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'

export const secret = 'a-secret-of-more-than-32-bytes-for-tests'
export const minute = 60_000
export const hour = 60 * minute

export const demo = () =>
  parseState(JSON.parse(readFileSync(new URL('../../fixtures/demo.json', import.meta.url), 'utf8')))

/** A clock that only advances when a test advances it. */
export function createClock(start = '2026-03-01T12:00:00.000Z') {
  let time = Date.parse(start)
  return {
    now: () => new Date(time),
    advance: (ms: number) => {
      time += ms
    },
  }
}

/** The gauges of a healthy service. */
export const gauges = {
  waitingWrites: () => 0,
  openSessions: async () => 0,
  unready: () => [],
  clockSkewMs: () => 0,
  closedConnections: () => 0,
}

/** The defaults, without rate limits. */
export const testSettings = {
  ...readSettings({
    DASHBOARD_API_SESSION_SECRET: secret,
    DASHBOARD_API_WAITLIST_RATE: 'off',
    DASHBOARD_API_LOG_LEVEL: 'silent',
  }),
  signInRate: 'off' as const,
  backChannelLogoutRate: 'off' as const,
}

/** Creates the app over the demo fixture. @returns it with its parts */
export function createTestApp(options: Partial<AppOptions> = {}) {
  const clock = createClock()
  const store = options.store ?? createMemoryStore(demo())
  const cookies = createSessionCookies([secret])
  const lines: string[] = []
  const { app, connections } = createApp({
    ...testSettings,
    store,
    now: clock.now,
    newId,
    publicUrl: 'https://api.example.com',
    logLevel: 'debug',
    logStream: { write: (line) => void lines.push(line) },
    ...options,
  })

  /** Signs a user in: by default Ada of Acme, who has all permissions. */
  const signIn = async (grant: Partial<Omit<SessionGrant, 'user'>> & { userId?: string } = {}) => {
    const { userId = 'user-ada', ...rest } = grant
    const user = await store.user(userId)
    if (!user) throw new Error(`the fixture has no ${userId}`)
    const { session, cookie } = await issueSession(
      { store, cookies, now: options.now ?? clock.now },
      {
        user,
        orgCode: 'org_acme',
        permissions: ['create:projects', 'update:projects'],
        ttlMs: 12 * hour,
        ...rest,
      },
    )
    return { session, value: cookie, cookie: `session=${cookie}` }
  }
  return { app, connections, clock, store, cookies, lines, signIn }
}

/** Creates the app, and closes it after the test. */
export function openTestApp(...args: Parameters<typeof createTestApp>) {
  const opened = createTestApp(...args)
  onTestFinished(() => opened.app.close())
  return opened
}

/** A raw connection. */
export type Wire = {
  write(text: string): void
  /** Resolves when the received data meets the condition; rejects if the connection ends first. */
  until(condition: (received: string) => boolean): Promise<string>
  /** Resolves with the received data when the other side has ended the connection. */
  closed: Promise<string>
  end(): void
  /** Ends the connection with an RST, as when a client is killed. */
  reset(): void
}

export function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    received += text
  })
  // A reset ends the connection, too. The data received before counts.
  socket.on('error', () => {})
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  const wire: Wire = {
    write: (text) => void socket.write(text),
    until: (condition) =>
      new Promise((resolve, reject) => {
        const check = () => condition(received) && resolve(received)
        check()
        socket.on('data', check)
        void closed.then((all) => reject(new Error(`the connection ended after: ${all}`)))
      }),
    closed,
    end: () => void socket.destroy(),
    reset: () => void socket.resetAndDestroy(),
  }
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(wire))
    socket.once('error', reject)
  })
}

/** The number of open connections of a server. */
export const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

/** The status, the head and the parsed JSON body of the last response of a connection. */
export function lastResponse(received: string): { status: number; head: string; body: unknown } {
  const response = received.slice(received.lastIndexOf('HTTP/1.1 '))
  const [head = '', text = ''] = response.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(text) }
}

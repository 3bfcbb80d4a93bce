import type { FastifyInstance } from 'fastify'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { startDevServer } from '../../src/mock/http/dev-server.js'
import { createApp } from '../../src/server/app.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { parseState, type SessionRecord, type State } from '../../src/store/state-file.js'
import { secret, testSettings } from '../server/server-harness.js'
import { type RestorableDatabase, restorableSqlite } from '../store/sqlite/restorable-sqlite.js'

export type RunningMode = {
  readonly url: string
  stored(): Promise<State>
}

export type Modes = {
  mock: RunningMode
  production: RunningMode
  /** Advances the clocks by a second. */
  tick(): void
  /** Restores data, clock and ids. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** The present, since the clock of PostgreSQL determines whether a session is valid. */
const started = Math.floor(Date.now() / 1000) * 1000
const hour = 3_600_000
const signedCookies = createSessionCookies([secret])

const issuedAt = new Date(started).toISOString()
/** The demo fixture, with the times that a session of production has. */
const state: State = {
  ...parseState(fixture),
  sessions: parseState(fixture).sessions.map((session) => ({
    ...session,
    createdAt: issuedAt,
    expiresAt: session.expiresAt ?? new Date(started + 1000 * hour).toISOString(),
  })),
}

const cookieValue = ({ id, orgCode, expiresAt = issuedAt }: SessionRecord): string =>
  signedCookies.sign({ sessionId: id, ...(orgCode !== undefined && { orgCode }), issuedAt, expiresAt })

/** The Cookie header of a persona, in both modes. */
export const cookieOf = (persona: string): string => {
  const session = state.sessions.find(({ id }) => id === persona)
  if (!session) throw new Error(`The demo fixture has no persona ${persona}`)
  return `session=${cookieValue(session)}`
}

/**
 * Starts both modes on loopback with the same data: the dev server, and production with its cache. They have the same clock and
 * create the same ids. The personas of the mock are named after the cookies of production, so that the same bytes can be sent
 * to both.
 * @param options.openDatabase creates the database of production, by default SQLite
 * @param options.change changes production, to test that a difference is found
 * @param options.allowedOrigins the allowed origins of both; with `default`, each has its own default
 */
export async function startModes({
  openDatabase = restorableSqlite,
  change = () => {},
  allowedOrigins = ['http://localhost:5173'],
}: {
  openDatabase?: () => Promise<RestorableDatabase>
  change?: (app: FastifyInstance) => void
  allowedOrigins?: string[] | 'default'
} = {}): Promise<Modes> {
  const origins = allowedOrigins === 'default' ? {} : { allowedOrigins }
  let time = started
  const now = () => new Date(time)
  let ids = { mock: 0, production: 0 }
  const newId = (mode: keyof typeof ids) => () => {
    ids[mode] += 1
    return `018f0000-0000-7000-9000-${ids[mode].toString(16).padStart(12, '0')}`
  }

  const database = await openDatabase()
  const { store } = database
  await store.load(state)
  const { app } = createApp({
    store,
    ...testSettings,
    sessionIdle: 1000 * hour,
    ...origins,
    now,
    newId: newId('production'),
  })
  change(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { mock, ...server } = await startDevServer({
    fixtures: {
      ...state,
      sessions: state.sessions.map((session) => ({ ...session, id: cookieValue(session) })),
    },
    port: 0,
    ...origins,
    now,
    newId: newId('mock'),
  })
  return {
    mock: { url: server.url, stored: mock.export },
    production: { url, stored: store.export },
    tick() {
      time += 1000
    },
    async reset() {
      time = started
      ids = { mock: 0, production: 0 }
      await mock.controls.reset()
      await database.restore(state)
    },
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await server.close()
      await database.close()
    },
  }
}

import fastify from 'fastify'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { rawRequest } from '../../src/conformance/raw-request.js'
import { Unsendable } from '../../src/conformance/target.js'
import { decodableUrl } from '../../src/contract/route.js'
import { createApp } from '../../src/server/app.js'
import { dashboardApi } from '../../src/server/server.js'
import { issueSession } from '../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { newId } from '../../src/store/new-id.js'
import type { ProductionStore } from '../../src/store/production-store.js'
import { parseState } from '../../src/store/state-file.js'
import type { Store } from '../../src/store/store.js'
import { secret, testSettings } from '../server/server-harness.js'
import { type RestorableDatabase, restorableSqlite } from '../store/sqlite/restorable-sqlite.js'
import { personaOf, type StartedTarget } from './start-dev-server.js'

const cookies = createSessionCookies([secret])
const hour = 3_600_000

/** Starts production on loopback, over a SQLite file in a temporary folder, with a session for each persona. */
export const startProduction = async () => startOver(await restorableSqlite())

/** Starts production over an empty database. A reset replaces the records under the running server. */
export async function startOver(
  { store, restore, close }: RestorableDatabase,
  settings: Partial<typeof testSettings> = {},
): Promise<StartedTarget> {
  const cookieOf = await seed(store)
  const seeded = await store.export()
  const app = appOver(store, settings)
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    mode: 'production',
    baseUrl,
    fetch,
    cookieOf: (as) => cookieOf.get(personaOf(as)) ?? '',
    send: rawRequest,
    isServer: true,
    stored: store.export,
    reset: () => restore(seeded),
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await close()
    },
  }
}

/** Starts production over a store, with the cookies of `seed`. */
const appOver = (store: ProductionStore, settings: Partial<typeof testSettings>) =>
  createApp({
    store,
    // Cached as in production.
    ...testSettings,
    sessionIdle: hour,
    ...settings,
    now: () => new Date(),
    newId,
  }).app

/** Starts the plugin below a prefix of an application, over a SQLite file. The router of the application finds its routes. */
export async function startPlugin(): Promise<StartedTarget> {
  const { store, restore, close } = await restorableSqlite()
  const cookieOf = await seed(store)
  const seeded = await store.export()
  // Ids may be long. The application itself answers undecodable paths.
  const app = fastify({ routerOptions: { maxParamLength: 5_000 } })
  await app.register(dashboardApi, {
    store,
    prefix: '/api',
    sessions: { sessionSecret: secret },
    waitlistRate: 'off',
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    mode: 'production',
    baseUrl: `${origin}/api`,
    fetch,
    cookieOf: (as) => cookieOf.get(personaOf(as)) ?? '',
    async send(request) {
      if (decodableUrl(request.path) !== request.path)
        throw new Unsendable('the application answers what it cannot decode')
      return rawRequest(request)
    },
    // The application sets the security headers.
    isServer: false,
    stored: store.export,
    reset: () => restore(seeded),
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await close()
    },
  }
}

/** Loads the demo fixture into a store, and issues sessions for the personas. @returns their cookies */
async function seed(store: Store): Promise<Map<string, string>> {
  const { sessions, ...state } = parseState(fixture)
  await store.load({ ...state, sessions: [] })
  const cookieOf = new Map<string, string>()
  for (const { id, userId, orgCode, permissions, expiresAt } of sessions) {
    const user = await store.user(userId)
    if (!user) throw new Error(`The demo fixture has no user ${userId}`)
    // An expired session was issued before its end.
    const issuedAt = expiresAt ? new Date(Date.parse(expiresAt) - hour) : new Date()
    const { cookie } = await issueSession(
      { store, cookies, now: () => issuedAt },
      { user, orgCode, permissions, ttlMs: hour },
    )
    cookieOf.set(id, `session=${cookie}`)
  }
  return cookieOf
}

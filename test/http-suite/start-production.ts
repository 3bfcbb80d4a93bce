import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { createApp } from '../../src/server/app.js'
import { issueSession } from '../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import type { ProductionStore } from '../../src/store/production-store.js'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.js'
import { parseState } from '../../src/store/state-file.js'
import type { Store } from '../../src/store/store.js'
import { rawRequest } from '../../src/verify/runner/raw-request.js'
import type { Target } from '../../src/verify/runner/target.js'
import { demoData } from './demo-data.js'
import type { Stored } from './start-dev-server.js'

const cookies = createSessionCookies(['a secret of the suite that is longer than 32 bytes'])
const hour = 3_600_000

/** Production over loopback, on a SQLite file in a temporary folder, with a session for each persona. */
export async function startProduction(): Promise<Target & Stored> {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-api-'))
  const template = join(folder, 'template.db')
  const seeded = await openSqliteStore(template)
  const cookieOf = await seed(seeded)
  await seeded.close()

  const open = async () => {
    const file = join(folder, `${uuid()}.db`)
    await copyFile(template, file)
    const store = await openSqliteStore(file)
    const app = appOver(store)
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
    const close = async () => {
      app.server.closeAllConnections()
      await app.close()
      await store.close()
      await rm(file)
    }
    return { baseUrl, close, stored: store.export }
  }

  let running = await open()
  return {
    mode: 'production',
    get baseUrl() {
      return running.baseUrl
    },
    fetch,
    data: demoData,
    cookieOf: (persona) => cookieOf.get(persona) ?? '',
    raw: rawRequest,
    stored: () => running.stored(),
    ownsOrigin: true,
    async reset() {
      await running.close()
      running = await open()
    },
    async close() {
      await running.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Production over a store, with the cookies of `seed`. */
export const appOver = (store: ProductionStore) =>
  createApp({
    store,
    // Cached as in production.
    changes: store.changes,
    cookies,
    idleMs: hour,
    now: () => new Date(),
    newId: () => uuid(),
  })

/** Fills a database with the demo fixture and issues the personas' sessions. Gives their cookies. */
export async function seed(store: Store): Promise<Map<string, string>> {
  const { sessions, ...state } = parseState(fixture)
  await store.load({ ...state, sessions: [] })
  const cookieOf = new Map<string, string>()
  for (const { id, userId, orgCode, permissions, expiresAt } of sessions) {
    const user = await store.user(userId)
    if (!user) throw new Error(`The demo fixture has no user ${userId}`)
    // A session that ran out was issued in time for that.
    const issuedAt = expiresAt ? new Date(Date.parse(expiresAt) - hour) : new Date()
    const { cookie } = await issueSession(
      { store, cookies, now: () => issuedAt },
      { user, orgCode, permissions, ttlMs: hour },
    )
    cookieOf.set(id, `session=${cookie}`)
  }
  return cookieOf
}

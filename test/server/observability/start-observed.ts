import { onTestFinished } from 'vitest'
import { issueSession } from '../../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../../src/server/sessions/session-cookie.js'
import { readSettings } from '../../../src/server/settings/settings.js'
import { startServer } from '../../../src/server/start-server.js'
import { auditEntry } from '../../../src/store/audit-entry.js'
import { parseDatabaseAddress } from '../../../src/store/database-address.js'
import { openStore } from '../../../src/store/open/databases.js'
import { demo, hour, secret } from '../server-harness.js'

/** Fills a database with the demo's teams, and records a backup. @returns what issues sessions of two users */
export async function prepareDatabase(database: string): Promise<{ cookies: [string, string] }> {
  const address = parseDatabaseAddress(database)
  if (!address) throw new Error(`${database} is no database`)
  const store = await openStore(address, { migrate: true })
  await store.load({ ...demo(), sessions: [], waitlist: [] })
  await store.appendToAudit(auditEntry({ via: 'database backup' }, { action: 'database.backup' }))
  const cookieOf = async (userId: string) => {
    const user = await store.user(userId)
    if (!user) throw new Error(`the fixture has no ${userId}`)
    const { cookie } = await issueSession(
      { store, cookies: createSessionCookies([secret]), now: () => new Date() },
      { user, orgCode: 'org_acme', permissions: ['create:projects'], ttlMs: 12 * hour },
    )
    return `session=${cookie}`
  }
  const cookies: [string, string] = [await cookieOf('user-ada'), await cookieOf('user-max')]
  await store.close()
  return { cookies }
}

/** Starts a service whose metrics are scraped. */
export async function startObserved(database: string, env: Record<string, string> = {}) {
  const settings = readSettings(
    {
      DASHBOARD_API_SESSION_SECRET: secret,
      DASHBOARD_API_METRICS_PORT: '0',
      DASHBOARD_API_DATABASE: database,
      ...env,
    },
    { port: '0' },
  )
  const server = await startServer(settings, {
    logStream: { write: () => {} },
    checkMs: 20,
    idleGraceMs: 1,
    drainMs: 1_000,
  })
  onTestFinished(server.close)
  return {
    url: server.url,
    close: server.close,
    read: async () => {
      const response = await fetch(server.metricsUrl ?? '')
      return response.text()
    },
    list: (cookie: string) => statusOf(fetch(`${server.url}/v1/projects`, { headers: { cookie } })),
  }
}

/** The status of a response, which is read whole. */
export async function statusOf(sent: Promise<Response>): Promise<number> {
  const response = await sent
  await response.arrayBuffer()
  return response.status
}

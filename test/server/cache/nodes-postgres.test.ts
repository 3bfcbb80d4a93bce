import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseForEachTest, noPostgres } from '../../store/postgres/postgres-database.js'
import { createTestApp, demo } from '../server-harness.js'

// cached-reads.test.ts tests the invalidation of cached responses over SQLite, and test/store/database-suite/versions.ts the
// versions of rows over both databases.

describe.skipIf(noPostgres)('cached responses of several nodes over PostgreSQL', () => {
  const database = databaseForEachTest()

  /** A node with its own store, as on another machine. */
  async function serveNode() {
    const store = await database.openStore()
    const { app, signIn } = createTestApp({ store, now: () => new Date() })
    onTestFinished(() => app.close())
    const read = async (cookie: string) =>
      (await app.inject({ url: '/v1/auth/me', headers: { cookie } })).statusCode
    return { store, read, signIn }
  }

  test('become invalid with their session, whichever node or program revokes it', async () => {
    const [a, b] = [await serveNode(), await serveNode()]
    await a.store.load({ ...demo(), sessions: [] })
    const revocations = [
      (id: string) => a.store.revokeSession(id, new Date().toISOString()),
      () => a.store.revokeSessionsOfOrganization('org_acme', new Date().toISOString()),
      (id: string) => database.run(`DELETE FROM sessions WHERE id = '${id}'`),
    ]
    for (const revoke of revocations) {
      const { cookie, session } = await a.signIn()
      for (const { read } of [a, b]) expect(await read(cookie)).toBe(200)
      await revoke(session.id)
      for (const { read } of [b, a]) expect(await read(cookie)).toBe(401)
    }
  })
})

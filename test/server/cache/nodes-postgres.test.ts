import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ProductionStore } from '../../../src/store/production-store.js'
import { databaseForEachTest, noPostgres } from '../../store/postgres/postgres-database.js'
import { createTestApp, demo } from '../server-harness.js'

describe.skipIf(noPostgres)('cached responses of several nodes over PostgreSQL', () => {
  const database = databaseForEachTest()
  let store: ProductionStore
  beforeEach(async () => {
    store = await database.openStore()
    await store.load({ ...demo(), sessions: [] })
  })

  /** A node with its own store, as another machine has it. */
  async function serveNode() {
    const own = await database.openStore()
    const listProjects = vi.spyOn(own, 'listProjects')
    const { app, signIn, clock } = createTestApp({ store: own, now: () => new Date() })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    const get = async (path: string, cookie: string) => {
      const response = await fetch(`${origin}${path}`, { headers: { cookie } })
      return { status: response.status, body: await response.json() }
    }
    return { store: own, get, signIn, listProjects, clock }
  }

  test('are not loaded again while nothing changed that they show', async () => {
    const { get, signIn, listProjects } = await serveNode()
    const { cookie, session } = await signIn()
    await get('/v1/projects', cookie)
    const time = new Date().toISOString()
    await store.addToWaitlist({ email: 'new@example.com', createdAt: time })
    await store.touchSession(session.id, time)
    const [other] = (await store.listProjects('team-globex')).projects
    await store.updateProject('team-globex', other?.id ?? '', { status: 'paused' })
    expect((await get('/v1/projects', cookie)).status).toBe(200)
    expect(listProjects).toHaveBeenCalledTimes(1)
  })

  test('end with their session, whichever node or program revokes it', async () => {
    const [a, b] = [await serveNode(), await serveNode()]
    const revocations = [
      (id: string) => a.store.revokeSession(id, new Date().toISOString()),
      () => a.store.revokeSessionsOfOrganization('org_acme', new Date().toISOString()),
      (id: string) => database.run(`DELETE FROM sessions WHERE id = '${id}'`),
    ]
    for (const revoke of revocations) {
      const { cookie, session } = await a.signIn()
      for (const { get } of [a, b]) expect((await get('/v1/auth/me', cookie)).status).toBe(200)
      await revoke(session.id)
      for (const { get } of [b, a]) expect((await get('/v1/auth/me', cookie)).status).toBe(401)
    }
  })

  test('change with their user, their team and their permissions, whatever program writes', async () => {
    const { get, signIn } = await serveNode()
    const { cookie } = await signIn()
    const changes: [sql: string, shows: object][] = [
      ["UPDATE users SET given_name = 'Augusta'", { user: { givenName: 'Augusta' } }],
      [`UPDATE sessions SET permissions = '["create:projects"]'`, { permissions: ['create:projects'] }],
      ["UPDATE projects SET team_id = 'team-globex'", { projects: [] }],
      ["UPDATE teams SET org_code = 'org_other' WHERE id = 'team-acme'", { teamId: '' }],
    ]
    expect((await get('/v1/auth/me', cookie)).status).toBe(200)
    for (const [sql, shows] of changes) {
      await database.run(sql)
      expect((await get('/v1/auth/me', cookie)).body).toMatchObject(shows)
    }
  })
})

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ChangeFeed } from '../../../src/store/change-feed.js'
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
  async function serveNode(feed = (changes: ChangeFeed) => changes) {
    const own = await database.openStore()
    const listProjects = vi.spyOn(own, 'listProjects')
    const { app, signIn, clock } = createTestApp({ store: own, changes: feed(own.changes) })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    const get = async (path: string, cookie: string) => {
      const response = await fetch(`${origin}${path}`, { headers: { cookie } })
      return { status: response.status, body: await response.json() }
    }
    return { store: own, get, signIn, listProjects, clock }
  }
  type Node = Awaited<ReturnType<typeof serveNode>>

  /** Reads from nodes while others commit. Counts the responses that lack a commit acknowledged before the request. */
  async function countStale(nodes: Node[], commits: number) {
    const { cookie } = (await nodes[0]?.signIn()) ?? { cookie: '' }
    const [project] = await store.listProjects('team-acme')
    let committed = 0
    let stale = 0
    let reads = 0
    let isWriting = true
    const read = async ({ get }: Node) => {
      while (isWriting) {
        const before = committed
        const { body } = await get('/v1/projects', cookie)
        const found = body.projects.find(({ id }: { id: string }) => id === project?.id)
        reads += 1
        if (before > 0 && !(Number(found?.status) >= before)) stale += 1
      }
    }
    const write = async () => {
      for (let i = 1; i <= commits; i += 1) {
        await store.updateProject('team-acme', project?.id ?? '', { status: String(i) })
        committed = i
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      isWriting = false
    }
    await Promise.all([write(), ...nodes.flatMap((node) => [read(node), read(node), read(node)])])
    return { stale, reads }
  }

  test('show each commit that was acknowledged before the request', async () => {
    const nodes = await Promise.all([serveNode(), serveNode(), serveNode()])
    const { stale, reads } = await countStale(nodes, 40)
    expect(stale).toBe(0)
    expect(reads).toBeGreaterThan(200)
    for (const { listProjects } of nodes) expect(listProjects.mock.calls.length).toBeLessThan(reads / 3)
  })

  test('would be found if they were older by 50 ms', async () => {
    const late = (changes: ChangeFeed): ChangeFeed => {
      let last: Awaited<ReturnType<ChangeFeed['since']>> | undefined
      let readAt = 0
      return {
        async since(cursor) {
          if (last && performance.now() - readAt < 50) return { cursor: last.cursor, teams: [] }
          last = await changes.since(cursor)
          readAt = performance.now()
          return last
        },
      }
    }
    const { stale } = await countStale([await serveNode(late)], 40)
    expect(stale).toBeGreaterThan(0)
  })

  test('are not loaded again while nothing changed that they show', async () => {
    const { get, signIn, listProjects, clock } = await serveNode()
    const { cookie, session } = await signIn()
    await get('/v1/projects', cookie)
    const time = clock.now().toISOString()
    await store.addToWaitlist({ email: 'new@example.com', createdAt: time })
    await store.touchSession(session.id, time)
    const [other] = await store.listProjects('team-globex')
    await store.updateProject('team-globex', other?.id ?? '', { status: 'paused' })
    expect((await get('/v1/projects', cookie)).status).toBe(200)
    expect(listProjects).toHaveBeenCalledTimes(1)
  })

  test('end with their session, whichever node or program revokes it', async () => {
    const [a, b] = [await serveNode(), await serveNode()]
    const revocations = [
      (id: string) => a.store.revokeSession(id, '2026-03-01T12:00:00.000Z'),
      () => a.store.revokeSessionsOfOrganization('org_acme', '2026-03-01T12:00:00.000Z'),
      () => a.store.removeExpiredSessions('9999-01-01T00:00:00.000Z'),
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

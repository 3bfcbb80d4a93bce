import { describe, expect, test, vi } from 'vitest'
import { emptyState } from '../../../src/store/state-file.js'
import { acmeProject } from '../sqlite/sqlite-folder.js'
import { addressOf, databaseForEachTest, noPostgres } from './postgres-database.js'
import { recordStatements } from './recorded-statements.js'

const teams = ['acme', 'globex', 'initech', 'umbrella'].map((id) => ({ id, name: id, orgCode: `org_${id}` }))
const user = { id: 'ada', email: 'a@b.c', givenName: '', familyName: '', picture: '' }
const pick = (i: number) => teams[i % teams.length]?.id ?? ''

/** A day, in milliseconds. */
const auditMs = 86_400_000

describe.skipIf(noPostgres)('several nodes over PostgreSQL', () => {
  const database = databaseForEachTest()
  const openNodes = (count: number) => Promise.all(Array.from({ length: count }, () => database.openStore()))

  const waitingForLocks = async () => {
    const [{ waiting } = { waiting: 0 }] = await database.run<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return waiting
  }

  const deadlocks = () =>
    database.run<{ deadlocks: number }>(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    )

  test('write to the same teams without a deadlock, and lose or double nothing', async () => {
    const nodes = await openNodes(3)
    await nodes[0]?.load({ ...emptyState(), teams })
    const before = await deadlocks()
    const limits = { projects: 10_000, bytes: 1_000_000 }
    const write = async (writer: number) => {
      const node = nodes[writer % nodes.length]
      for (let i = 0; i < 8; i += 1) {
        const teamId = pick(writer + i)
        const id = `w${writer}-${i}`
        await node?.addProject({ ...acmeProject(id), teamId }, limits)
        await node?.updateProject(pick(writer + i + 1), `w${writer}-${i}`, { status: 'stolen' }, limits)
        await node?.updateProject(teamId, id, { description: `by ${writer}` }, limits)
      }
    }
    const load = (i: number) =>
      nodes[i]?.load({
        ...emptyState(),
        teams,
        projects: Array.from({ length: 30 }, (_, n) => ({
          ...acmeProject(`l${i}-${n}`),
          teamId: pick(n + i),
        })),
      })
    await Promise.all([...Array.from({ length: 64 }, (_, i) => write(i)), load(0), load(1), load(2)])

    const { projects } = (await nodes[1]?.export()) ?? emptyState()
    expect(new Set(projects.map(({ id }) => id)).size).toBe(projects.length)
    expect(projects).toHaveLength(64 * 8 + 90)
    const written = projects.filter(({ id }) => id.startsWith('w'))
    expect(written.filter(({ status }) => status === 'stolen')).toEqual([])
    for (const { id, description } of written) expect(`${id}-`).toContain(`${description?.slice(3)}-`)
    for (const { id } of teams) {
      expect((await nodes[2]?.teamSize(id))?.projects).toBe(
        (await nodes[2]?.listProjects(id))?.projects.length,
      )
    }
    expect(await deadlocks()).toEqual(before)
  })

  test('update the same projects in opposite orders without a deadlock', async () => {
    const nodes = await openNodes(3)
    const projects = Array.from({ length: 40 }, (_, i) => ({ ...acmeProject(`p${i}`), teamId: pick(i) }))
    await nodes[0]?.load({ ...emptyState(), teams, projects })
    const before = await deadlocks()
    for (let round = 0; round < 30; round += 1) {
      const updates = nodes.flatMap((node, n) =>
        (n % 2 === 0 ? projects : projects.toReversed()).map(({ teamId, id }) =>
          node.updateProject(teamId, id, { status: `${round}-${n}` }),
        ),
      )
      expect((await Promise.all(updates)).every((updated) => typeof updated === 'object')).toBe(true)
    }
    expect(await deadlocks()).toEqual(before)
  })

  test('count concurrent writes together against the limits of a team', async () => {
    const nodes = await openNodes(3)
    await nodes[0]?.load({ ...emptyState(), teams })
    const limits = { projects: 10, bytes: 1_000_000 }
    const commit = await database.begin("SELECT FROM changes WHERE scope = 'acme' FOR UPDATE")
    const adding = Promise.all(
      Array.from({ length: 30 }, (_, i) => nodes[i % 3]?.addProject(acmeProject(`p${i}`), limits)),
    )
    // All of them have begun, and wait for the lock.
    await expect.poll(waitingForLocks).toBe(3)
    await commit()
    expect((await adding).filter((exceeded) => exceeded === undefined)).toHaveLength(10)
    expect(await nodes[0]?.teamSize('acme')).toMatchObject({ projects: 10 })
  })

  test('write to other teams while another program locks one team, and to that team afterwards', async () => {
    const [node] = await openNodes(1)
    await node?.load({ ...emptyState(), teams })
    const commit = await database.begin("SELECT FROM changes WHERE scope = 'acme' FOR UPDATE")
    const add = (id: string, teamId: string) => node?.addProject({ ...acmeProject(id), teamId })
    let isBlocked = true
    const blocked = [add('a1', 'acme'), add('a2', 'acme')].map((each) =>
      each?.then(() => {
        isBlocked = false
      }),
    )
    const others = teams.filter(({ id }) => id !== 'acme')
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(others.map(({ id }) => add(`${id}-${round}`, id)))
    }
    expect(isBlocked).toBe(true)
    await commit()
    await Promise.all(blocked)
    expect((await node?.listProjects('acme'))?.projects.map(({ id }) => id).toSorted()).toEqual(['a1', 'a2'])
  })

  test('revoke and remove the same sessions concurrently', async () => {
    const nodes = await openNodes(3)
    await nodes[0]?.addUser(user)
    const expiresAt = '2026-03-02T12:00:00.000Z'
    for (let i = 0; i < 30; i += 1) {
      await nodes[0]?.addSession({
        id: `s${i}`,
        userId: 'ada',
        orgCode: 'org_acme',
        permissions: [],
        expiresAt,
      })
    }
    const at = '2026-03-01T12:00:00.000Z'
    const revoked = await Promise.all([
      nodes[0]?.revokeSessionsOfUser('ada', at),
      nodes[1]?.revokeSessionsOfOrganization('org_acme', at),
      ...Array.from({ length: 30 }, async (_, i) => Number(await nodes[2]?.revokeSession(`s${29 - i}`, at))),
    ])
    expect(revoked.reduce((sum: number, count = 0) => sum + count, 0)).toBe(30)
    const removed = await Promise.all(nodes.map((node) => node.removeOld({ auditMs })))
    expect(removed.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(30)
  })

  test('remove old records concurrently, each record once', async () => {
    const nodes = await openNodes(3)
    await nodes[0]?.load({ ...emptyState(), users: [user] })
    await database.run(
      `INSERT INTO sessions (id, user_id, permissions, expires_at)
       SELECT 's' || i, 'ada', '[]', '2026-03-02T12:00:00.000Z' FROM generate_series(1, 2500) AS i`,
    )
    await database.run(
      `INSERT INTO audit_log (id, at, action, outcome, via)
       SELECT 'e' || i, '2025-03-02T12:00:00.000Z', 'sign-in', 'success', 'test' FROM generate_series(1, 2500) AS i`,
    )
    const removed = await Promise.all(nodes.map((node) => node.removeOld({ auditMs })))
    expect(removed.toSorted((a, b) => b.sessions - a.sessions)).toEqual([
      { sessions: 2_000, auditEntries: 2_000 },
      { sessions: 500, auditEntries: 500 },
      { sessions: 0, auditEntries: 0 },
    ])
  })

  test('prepare each statement under the same unique name, in any order', async () => {
    await openNodes(1)
    const record = async (keys: ('team' | 'user' | 'session')[]) => {
      // Loads the modules again, as another process would.
      vi.resetModules()
      const { openPostgresStore } = await import('../open-stores.js')
      const statements = await recordStatements(async () => {
        const node = await openPostgresStore(addressOf(database.url()))
        for (const key of keys) await node[key]('id')
        await node.close()
      })
      return statements.flatMap(({ name, text }) => (name ? [[text, name] as const] : []))
    }
    const [first, second] = [
      await record(['team', 'user', 'session']),
      await record(['session', 'user', 'team']),
    ]
    expect(new Map(second)).toEqual(new Map(first))
    expect(new Set(first.map(([, name]) => name)).size).toBe(new Set(first.map(([text]) => text)).size)
    expect(first.length).toBeGreaterThan(3)
  })
})

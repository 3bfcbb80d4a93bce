import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.js'
import { databaseForEachTest, noPostgres } from './postgres-database.js'

const usedAt = '2026-03-01T12:30:00.000Z'
const user = { id: 'ada', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }
const ids = Array.from({ length: 20 }, (_, i) => `s-${i}`)

describe.skipIf(noPostgres)('the use of sessions over PostgreSQL', () => {
  const database = databaseForEachTest()

  async function openFilled() {
    const store = await database.openStore()
    await store.addUser(user)
    for (const id of ids) {
      await store.addSession({ id, userId: 'ada', permissions: [], expiresAt: '2026-03-02T12:00:00.000Z' })
    }
    return store
  }
  const touchAll = (store: Store, order = ids) =>
    Promise.all(order.map((id) => store.touchSession(id, usedAt)))
  const lastSeen = async (store: Store) => (await store.listSessions()).map(({ lastSeenAt }) => lastSeenAt)

  test('is recorded in one transaction for all waiting sessions', async () => {
    const store = await openFilled()
    await touchAll(store)
    expect(await lastSeen(store)).toEqual(ids.map(() => usedAt))
    expect(
      await database.run('SELECT count(DISTINCT xmin::text)::int AS transactions FROM sessions'),
    ).toEqual([{ transactions: 1 }])
  })

  test('does not wait for a session that is being changed, and records its next use', async () => {
    const store = await openFilled()
    const commit = await database.begin("SELECT FROM sessions WHERE id = 's-3' FOR UPDATE")
    await touchAll(store)
    expect(await lastSeen(store)).toEqual(ids.map((id) => (id === 's-3' ? undefined : usedAt)))
    await commit()
    await store.touchSession('s-3', usedAt)
    expect(await lastSeen(store)).toEqual(ids.map(() => usedAt))
  })

  test('is recorded by several nodes while the sessions are revoked', async () => {
    const nodes = [await openFilled(), await database.openStore()]
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        ...nodes.map((store, i) => touchAll(store, i === 0 ? ids : ids.toReversed())),
        nodes[round % 2]?.revokeSessionsOfUser('ada', usedAt),
      ])
    }
    expect((await nodes[0]?.listSessions())?.map(({ revokedAt }) => revokedAt)).toEqual(ids.map(() => usedAt))
  })
})

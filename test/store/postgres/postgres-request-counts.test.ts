import { describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { databaseForEachTest, noPostgres } from './postgres-database.js'

const minute = 60_000

describe.skipIf(noPostgres)('counts of requests over PostgreSQL', () => {
  const database = databaseForEachTest()
  const openCounts = async () => {
    const { requestCounts } = await database.openStore()
    if (!requestCounts) throw new Error('requests are not counted')
    return requestCounts
  }
  const endWindows = () => database.run("UPDATE request_counts SET ends_at = now() - interval '1 s'")
  const keys = async () =>
    (await database.run<{ key: string }>('SELECT key FROM request_counts ORDER BY key')).map(({ key }) => key)

  test('give each request a unique number, on every node', async () => {
    const nodes = await Promise.all([openCounts(), openCounts(), openCounts()])
    const counted = await Promise.all(
      Array.from({ length: 90 }, (_, i) => nodes[i % 3]?.add(i % 2 === 0 ? 'even' : 'odd', minute)),
    )
    for (const parity of [0, 1]) {
      const numbers = counted.filter((_, i) => i % 2 === parity).map((count) => count?.requests)
      expect(numbers.sort((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 45 }, (_, i) => i + 1))
    }
  })

  test('return the rest of the window, by the clock of the database', async () => {
    const counts = await openCounts()
    expect((await counts.add('a', minute)).leftMs).toBe(minute)
    await database.run("UPDATE request_counts SET ends_at = now() + interval '10 s'")
    const { requests, leftMs } = await counts.add('a', minute)
    expect(requests).toBe(2)
    expect(leftMs).toBeLessThanOrEqual(10_000)
    expect(leftMs).toBeGreaterThan(0)
  })

  test('start from 1 after a window', async () => {
    const counts = await openCounts()
    await counts.add('a', minute)
    await endWindows()
    expect(await Promise.all([counts.add('a', minute), counts.add('a', minute)])).toEqual([
      { requests: 1, leftMs: minute },
      { requests: 2, leftMs: minute },
    ])
  })

  test('are removed after their window, unless a request is being counted', async () => {
    const counts = await openCounts()
    await Promise.all(['a', 'b', 'c'].map((key) => counts.add(key, minute)))
    await endWindows()
    await counts.add('c', minute)
    const commit = await database.begin("UPDATE request_counts SET requests = 1 WHERE key = 'b'")
    expect(await counts.removePast()).toBe(1)
    expect(await keys()).toEqual(['b', 'c'])
    await commit()
    expect(await counts.removePast()).toBe(1)
    expect(await counts.removePast()).toBe(0)
    expect(await keys()).toEqual(['c'])
  })

  test('are counted and removed by several nodes without a deadlock', async () => {
    const nodes = await Promise.all([openCounts(), openCounts(), openCounts()])
    const before = await database.run(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    )
    const count = async (node: number) => {
      const names = Array.from({ length: 50 }, (_, i) => `key-${node % 2 === 0 ? i : 50 - i}`)
      for (let i = 0; i < 30; i += 1) await Promise.all(names.map((key) => nodes[node]?.add(key, 1)))
    }
    const remove = async (node: number) => {
      for (let i = 0; i < 30; i += 1) await nodes[node]?.removePast()
    }
    await Promise.all([0, 1, 2].flatMap((node) => [count(node), remove(node)]))
    expect(
      await database.run('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'),
    ).toEqual(before)
  })

  test('fail while the database cannot be reached', async () => {
    const store = await database.openStore()
    await store.close()
    await expect(store.requestCounts?.add('a', minute)).rejects.toThrow(StoreUnavailableError)
  })
})

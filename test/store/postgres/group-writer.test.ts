import { setImmediate } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { createGroupWriter, type GroupStatement } from '../../../src/store/postgres/group-writer.js'
import type { PostgresPool } from '../../../src/store/postgres/pg-pool.js'
import { StoreUnavailableError } from '../../../src/store/store.js'

const noDatabase = {} as PostgresPool

/** A statement that returns its items in upper case, and records what ran together. */
function recording({ fails = () => false }: { fails?: (items: string[]) => boolean } = {}) {
  const batches: string[][] = []
  const statement: GroupStatement<string, string> = {
    conflictKey: (item) => item,
    async run(_db, items) {
      batches.push(items)
      await setImmediate()
      if (fails(items)) throw new Error(`${items} failed`)
      return items.map((item) => item.toUpperCase())
    },
  }
  return { batches, statement }
}

describe('createGroupWriter', () => {
  test('runs what is waiting as one statement, and gives each write its result', async () => {
    const { batches, statement } = recording()
    const { run, waiting } = createGroupWriter(noDatabase, 1000)
    const writes = Promise.all(['a', 'b', 'c'].map((item) => run(statement, item)))
    expect(waiting()).toBe(3)
    expect(await writes).toEqual(['A', 'B', 'C'])
    expect(batches).toEqual([['a', 'b', 'c']])
    expect(waiting()).toBe(0)
  })

  test('starts the next statement before the writes of the last one are acknowledged', async () => {
    const { batches, statement } = recording()
    const { run } = createGroupWriter(noDatabase, 1000)
    const first = run(statement, 'a').then(() => batches.length)
    await setImmediate()
    await Promise.all([run(statement, 'b'), run(statement, 'c')])
    expect(await first).toBe(2)
    expect(batches).toEqual([['a'], ['b', 'c']])
  })

  test('runs a second statement at once where it may, if it is not smaller than the first', async () => {
    const { statement } = recording()
    const running: (() => void)[] = []
    const sizes: number[] = []
    const { run } = createGroupWriter(noDatabase, 1000)
    const concurrent: typeof statement = {
      isConcurrent: true,
      async run(_db, items) {
        sizes.push(items.length)
        await new Promise<void>((resolve) => running.push(resolve))
        return items
      },
    }
    const add = async (count: number) => {
      const writes = Array.from({ length: count }, (_, i) => run(concurrent, `${i}`))
      // Each statement begins at the end of a turn.
      await setImmediate()
      await setImmediate()
      return Promise.all(writes)
    }
    const all = [add(3)]
    await vi.waitFor(() => expect(sizes).toEqual([3]))
    all.push(add(2))
    await setImmediate()
    await setImmediate()
    expect(sizes).toEqual([3])
    all.push(add(1))
    await vi.waitFor(() => expect(sizes).toEqual([3, 3]))
    // Not a third one, however many wait.
    all.push(add(9))
    await setImmediate()
    await setImmediate()
    expect(sizes).toEqual([3, 3])
    running[1]?.()
    await vi.waitFor(() => expect(sizes).toEqual([3, 3, 9]))
    for (const end of running) end()
    await Promise.all(all)
  })

  test('runs writes that conflict in separate statements, in order', async () => {
    const { batches, statement } = recording()
    const { run } = createGroupWriter(noDatabase, 1000)
    await Promise.all(['a', 'b', 'a', 'c', 'a'].map((item) => run(statement, item)))
    expect(batches).toEqual([['a', 'b'], ['a', 'c'], ['a']])
  })

  test('runs each write of a group that failed by itself', async () => {
    const { batches, statement } = recording({ fails: (items) => items.includes('b') })
    const { run } = createGroupWriter(noDatabase, 1000)
    const results = await Promise.allSettled(['a', 'b', 'c'].map((item) => run(statement, item)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(batches).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']])
  })

  test('refuses a write that waited too long', async () => {
    const { batches, statement } = recording()
    const { run } = createGroupWriter(noDatabase, -1)
    await expect(run(statement, 'a')).rejects.toThrow(StoreUnavailableError)
    expect(batches.flat()).toEqual([])
  })
})

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SqlConnection } from '../../../src/store/sql/sql-database.js'
import { createWriteQueue, lockedElsewhere, type WriteKind } from '../../../src/store/sql/write-queue.js'
import { StoreUnavailableError } from '../../../src/store/store.js'

/** A queue whose transactions end when the test says so; each is the list of the items that it wrote. */
function open({
  maxBatches = 1,
  timeoutMs = 60_000,
  fails = (_item: string): Error | undefined => undefined,
} = {}) {
  const batches: string[][] = []
  const committed: string[] = []
  const held: (() => void)[] = []
  const locked = new Set<string>()
  let holds = true
  const kind: WriteKind<string, string> = {
    async write(_, items, waits) {
      const error = items.map(fails).find((each) => each !== undefined)
      batches.push(items)
      if (error) throw error
      return items.map((item) => (locked.has(item) && !waits ? lockedElsewhere : `wrote ${item}`))
    },
  }
  const queue = createWriteQueue({
    timeoutMs,
    maxBatches,
    async transaction(work) {
      const before = batches.length
      const result = await work({} as SqlConnection)
      if (holds) await new Promise<void>((resolve) => held.push(resolve))
      committed.push(...batches.slice(before).flat())
      return result
    },
  })
  return {
    add: (item: string, turn = item[0] ?? '') => queue.add(turn, kind, item),
    queue,
    batches,
    committed,
    locked,
    commit: () => held.shift()?.(),
    /** Every commit ends at once from now on. */
    release() {
      holds = false
      for (const end of held.splice(0)) end()
    },
  }
}

describe('writes that wait', () => {
  test('are committed together, and acknowledged after that', async () => {
    const { add, batches, committed, commit } = open()
    const first = add('a1')
    await expect.poll(() => batches).toEqual([['a1']])
    const rest = ['b1', 'c1'].map(async (item) => [await add(item), committed.includes(item)])
    expect(committed).toEqual([])
    commit()
    expect(await first).toBe('wrote a1')
    await expect.poll(() => batches).toHaveLength(2)
    commit()
    expect(await Promise.all(rest)).toEqual([
      ['wrote b1', true],
      ['wrote c1', true],
    ])
    expect(batches).toEqual([['a1'], ['b1', 'c1']])
  })

  test('are taken from each team in turn, and stay in its order', async () => {
    const { add, batches, release } = open()
    const first = add('x1')
    await expect.poll(() => batches).toHaveLength(1)
    const flood = Array.from({ length: 300 }, (_, i) => add(`a${i}`))
    const others = [add('b0'), add('b1'), add('c0')]
    release()
    await Promise.all([first, ...flood, ...others])
    expect(batches[1]?.slice(0, 6)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2'])
    expect(batches[1]).toHaveLength(64 + 3)
    const ofTeam = batches.flat().filter((item) => item.startsWith('a'))
    expect(ofTeam).toEqual(Array.from({ length: 300 }, (_, i) => `a${i}`))
  })

  test('do not fail with one that fails', async () => {
    const { add, batches, release } = open({
      fails: (item) => (item === 'b1' ? new Error('refused') : undefined),
    })
    const first = add('x1')
    await expect.poll(() => batches).toHaveLength(1)
    const results = Promise.allSettled(['a1', 'b0', 'b1', 'b2', 'c1'].map((item) => add(item)))
    release()
    await first
    expect(
      (await results).map((result) => (result.status === 'fulfilled' ? result.value : 'refused')),
    ).toEqual(['wrote a1', 'wrote b0', 'refused', 'wrote b2', 'wrote c1'])
  })

  test('fail together, and are not tried again, while the database is unavailable', async () => {
    const { add, batches, release } = open({ fails: () => new StoreUnavailableError('locked') })
    release()
    const results = await Promise.allSettled([add('a1'), add('b1')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(batches).toEqual([['a1', 'b1']])
  })

  test('of a team that another process has locked delay no other team', async () => {
    const { add, batches, locked, commit, release } = open()
    locked.add('a1')
    const blocked = add('a1')
    const other = add('b1')
    await expect.poll(() => batches).toEqual([['a1', 'b1']])
    commit()
    expect(await other).toBe('wrote b1')
    // It waits for the lock in a transaction of its own; others are committed meanwhile.
    await expect.poll(() => batches).toEqual([['a1', 'b1'], ['a1']])
    const next = add('c1')
    await expect.poll(() => batches).toHaveLength(3)
    release()
    expect(await Promise.all([blocked, next])).toEqual(['wrote a1', 'wrote c1'])
  })

  test('of two teams are written at once where two batches may be, those of one team never', async () => {
    const { add, batches, release } = open({ maxBatches: 2 })
    const all = [add('a1')]
    await expect.poll(() => batches).toHaveLength(1)
    all.push(add('a2'), add('b1'))
    await expect.poll(() => batches).toEqual([['a1'], ['b1']])
    release()
    await Promise.all(all)
    expect(batches.at(-1)).toEqual(['a2'])
  })

  test('leave no place in the order of the turns when they are refused', async () => {
    const { add, batches, release } = open({ timeoutMs: 200 })
    const first = add('x1')
    await expect.poll(() => batches).toHaveLength(1)
    await expect(add('b1')).rejects.toThrow(/waited too long/)
    const others = [add('a1'), add('b2')]
    release()
    await Promise.all([first, ...others])
    expect(batches[1]).toEqual(['a1', 'b2'])
  })

  test('that have begun late are answered as early as others: a second after the time limit', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { add, batches, commit } = open({ timeoutMs: 500 })
    const first = add('a1')
    await vi.advanceTimersByTimeAsync(10)
    let answer: unknown
    add('b1').catch((error) => {
      answer = error.message
    })
    await vi.advanceTimersByTimeAsync(400)
    commit()
    await vi.advanceTimersByTimeAsync(10)
    expect(await first).toBe('wrote a1')
    expect(batches).toEqual([['a1'], ['b1']])
    await vi.advanceTimersByTimeAsync(1_050)
    expect(answer).toBeUndefined()
    await vi.advanceTimersByTimeAsync(50)
    expect(answer).toMatch(/took too long/)
  })

  test('are not written after their callers were told that they took too long', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { add, batches, commit, locked } = open({ timeoutMs: 500 })
    locked.add('a1')
    const refused = expect(add('a1')).rejects.toThrow(/took too long/)
    await vi.advanceTimersByTimeAsync(2_000)
    await refused
    commit()
    await vi.advanceTimersByTimeAsync(100)
    expect(batches).toEqual([['a1']])
  })

  test('are refused after the time limit, and once the queue is closed', async () => {
    const { add, batches, queue, release } = open({ timeoutMs: 500 })
    const first = add('a1')
    await expect.poll(() => batches).toHaveLength(1)
    await expect(add('b1')).rejects.toThrow(/waited too long in the queue/)
    expect(queue.waiting()).toBe(0)
    release()
    expect(await first).toBe('wrote a1')
    await queue.close()
    await expect(add('c1')).rejects.toThrow(StoreUnavailableError)
    expect(batches).toEqual([['a1']])
  })
})

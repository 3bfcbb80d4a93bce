import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { BatchFailedError, type SqlConnection } from '../../../src/store/sql/sql-database.js'
import { createWriteQueue, type WriteKind } from '../../../src/store/sql/write-queue.js'
import { StoreUnavailableError } from '../../../src/store/store.js'

/** A queue whose transactions the test commits. Each batch is the list of its items. */
function open({
  isSerial = true,
  timeoutMs = 60_000,
  fails = (_item: string): Error | undefined => undefined,
} = {}) {
  const batches: string[][] = []
  const committed: string[] = []
  const held: (() => void)[] = []
  const locked = new Set<string>()
  const unlocks: (() => void)[] = []
  let holds = true
  let lockTimeout: number | undefined
  const kind: WriteKind<string, string> = {
    name: 'items',
    async write(_, items) {
      const error = items.map(fails).find((each) => each !== undefined)
      batches.push(items)
      if (error) throw error
      const isLocked = items.some((item) => locked.has(item))
      if (isLocked && lockTimeout !== undefined) throw new BatchFailedError('locked')
      if (isLocked) await new Promise<void>((resolve) => unlocks.push(resolve))
      return items.map((item) => `wrote ${item}`)
    },
  }
  const queue = createWriteQueue({
    timeoutMs,
    isSerial,
    async transaction(work, lockTimeoutMs) {
      lockTimeout = lockTimeoutMs
      const before = batches.length
      const result = await work({} as SqlConnection)
      if (holds) await new Promise<void>((resolve) => held.push(resolve))
      committed.push(...batches.slice(before).flat())
      return result
    },
  })
  return {
    add: (item: string, owner = item[0] ?? '') => queue.add(owner, kind, item),
    queue,
    batches,
    committed,
    locked,
    unlock: () => unlocks.shift()?.(),
    commit: () => held.shift()?.(),
    /** From now on every transaction commits immediately. */
    release() {
      holds = false
      for (const end of held.splice(0)) end()
    },
  }
}

describe('writes that wait', () => {
  test('are committed together, and acknowledged after the commit', async () => {
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

  test('are taken from the teams in turn, in the order of each team', async () => {
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

  test('do not fail because another one of the batch fails', async () => {
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
    const { add, batches, locked, unlock, release } = open({ isSerial: false })
    release()
    locked.add('a1')
    const blocked = add('a1')
    expect(await Promise.all([add('b1'), add('c1')])).toEqual(['wrote b1', 'wrote c1'])
    // Their batch waited for the lock; then each team was written separately.
    expect(batches).toEqual([['a1', 'b1', 'c1'], ['a1'], ['b1'], ['c1']])
    const later = add('a2')
    expect(await add('b2')).toBe('wrote b2')
    expect(batches.slice(4)).toEqual([['b2']])
    unlock()
    expect(await Promise.all([blocked, later])).toEqual(['wrote a1', 'wrote a2'])
  })

  test('of many locked teams are written separately, a few at a time', async () => {
    const { add, batches, locked, unlock, release } = open({ isSerial: false })
    release()
    const items = ['a1', 'b1', 'c1', 'd1', 'e1', 'f1']
    for (const item of items) locked.add(item)
    const blocked = Promise.all(items.map((item) => add(item)))
    await expect.poll(() => batches).toEqual([items, ['a1'], ['b1'], ['c1'], ['d1']])
    expect(await add('x1')).toBe('wrote x1')
    unlock()
    await expect.poll(() => batches.at(-1)).toEqual(['e1'])
    unlock()
    await expect.poll(() => batches.at(-1)).toEqual(['f1'])
    for (let i = 0; i < 4; i += 1) unlock()
    expect(await blocked).toEqual(items.map((item) => `wrote ${item}`))
  })

  test('that need a separate transaction alternate with batches where one transaction runs at a time', async () => {
    const { add, queue, batches, commit, release } = open()
    const first = add('a1')
    await expect.poll(() => batches).toHaveLength(1)
    const order: string[] = []
    const note = (name: string) => () => order.push(name)
    const all = [
      first.then(note('a1')),
      queue.transaction(async () => 'one').then(note('one')),
      add('b1').then(note('b1')),
      queue.transaction(async () => 'two').then(note('two')),
    ]
    expect(order).toEqual([])
    commit()
    await expect.poll(() => order).toEqual(['a1'])
    release()
    await Promise.all(all)
    expect(order.toSorted()).toEqual(['a1', 'b1', 'one', 'two'])
  })

  test('that need a separate transaction fail alone, with their own error', async () => {
    const { add, queue, release } = open()
    release()
    const failing = queue.transaction(async () => {
      throw new Error('taken')
    })
    const other = add('a1')
    await expect(failing).rejects.toThrow('taken')
    expect(await other).toBe('wrote a1')
  })

  test('that need a separate transaction do not wait where many transactions run at once', async () => {
    const { add, queue, batches, release } = open({ isSerial: false })
    const first = add('a1')
    await expect.poll(() => batches).toHaveLength(1)
    let hasRun = false
    const own = queue.transaction(async () => {
      hasRun = true
    })
    await expect.poll(() => hasRun).toBe(true)
    release()
    await Promise.all([first, own])
  })

  test('wait a few milliseconds for as many writers as in recent batches', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { add, batches, release } = open()
    release()
    const all = ['a1', 'b1', 'c1'].map((item) => add(item))
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all(all)
    all.push(add('a2'), add('b2'))
    await vi.advanceTimersByTimeAsync(1)
    expect(batches).toEqual([['a1', 'b1', 'c1']])
    all.push(add('c2'))
    await vi.advanceTimersByTimeAsync(0)
    expect(batches).toEqual([
      ['a1', 'b1', 'c1'],
      ['a2', 'b2', 'c2'],
    ])
    all.push(add('a3'))
    await vi.advanceTimersByTimeAsync(2)
    expect(batches.at(-1)).toEqual(['a3'])
    await Promise.all(all)
  })

  test('leave no gap in the order of the teams when they are refused', async () => {
    const { add, batches, release } = open({ timeoutMs: 200 })
    const first = add('x1')
    await expect.poll(() => batches).toHaveLength(1)
    await expect(add('b1')).rejects.toThrow(/waited too long/)
    const others = [add('a1'), add('b2')]
    release()
    await Promise.all([first, ...others])
    expect(batches[1]).toEqual(['a1', 'b2'])
  })

  test('that begin late are answered a second after the time limit, as others are', async () => {
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

  test('are not written after their callers received a time-out error', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { add, queue, batches, commit } = open({ timeoutMs: 500 })
    const blocker = add('x1')
    await vi.advanceTimersByTimeAsync(10)
    const refused = expect(add('a1')).rejects.toThrow(/waited too long in the queue/)
    await vi.advanceTimersByTimeAsync(700)
    await refused
    expect(queue.waiting()).toBe(0)
    commit()
    await blocker
    await vi.advanceTimersByTimeAsync(100)
    expect(batches).toEqual([['x1']])
  })

  test('are refused once the queue is closed', async () => {
    const { add, batches, queue, release } = open()
    release()
    expect(await add('a1')).toBe('wrote a1')
    await queue.close()
    await expect(add('c1')).rejects.toThrow(StoreUnavailableError)
    expect(batches).toEqual([['a1']])
  })
})

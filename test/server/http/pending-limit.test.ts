import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createPendingLimit } from '../../../src/server/http/pending-limit.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { unchangedStore } from '../cache/unchanged-store.js'
import { demo, openTestApp } from '../server-harness.js'

describe('the requests of a session in flight', () => {
  test('begin immediately up to the limit, whatever other sessions do', async () => {
    const { begin } = createPendingLimit(2)
    for (const session of ['a', 'b'])
      for (let i = 0; i < 2; i += 1) expect(begin(session)).toHaveProperty('end')
    expect(begin('a')).toBeInstanceOf(Promise)
    expect(begin('c')).toHaveProperty('end')
  })

  test('begin in order when earlier ones end, one in each event-loop turn', async () => {
    const { begin } = createPendingLimit(2)
    const running = await Promise.all([begin('a'), begin('a')])
    const begun: number[] = []
    const waiting = [1, 2, 3].map(async (i) => {
      const slot = await begin('a')
      begun.push(i)
      return slot
    })
    for (const slot of running) slot?.end()
    expect(begun).toEqual([])
    await nextTurn()
    expect(begun).toEqual([1])
    await nextTurn()
    expect(begun).toEqual([1, 2])
    const [first] = await Promise.all(waiting.slice(0, 2))
    first?.end()
    await waiting[2]
    expect(begun).toEqual([1, 2, 3])
  })

  test('are refused after the time limit, and behind too many others, one in each turn', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { begin } = createPendingLimit(1, 5_000)
    const slot = await begin('a')
    const waiting = Array.from({ length: 7 }, () => begin('a'))
    const refused: number[] = []
    for (const i of [1, 2]) void Promise.resolve(begin('a')).then((none) => refused.push(none ? 0 : i))
    await nextTurn()
    expect(refused).toEqual([1])
    await nextTurn()
    expect(refused).toEqual([1, 2])
    vi.advanceTimersByTime(5_000)
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => undefined))
    slot?.end()
    expect(begin('a')).toHaveProperty('end')
  })
  test('are still counted if the last waiting one gives up as another ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { begin } = createPendingLimit(2, 1)
    const running = await Promise.all([begin('a'), begin('a')])
    const waiting = begin('a')
    running[0]?.end()
    // The time limit ends before the turn that would admit the waiting request.
    vi.runOnlyPendingTimers()
    running[1]?.end()
    for (let i = 0; i < 2; i += 1) expect(begin('a')).toHaveProperty('end')
    expect(await waiting).toBeUndefined()
    await nextTurn()
    expect(begin('a')).toBeInstanceOf(Promise)
  })
})

test('a request that fails at its start leaves its place to the next', async () => {
  const store = createMemoryStore(demo())
  const { app, signIn } = openTestApp({ store, maxPendingPerSession: 1 })
  const { cookie } = await signIn()
  const list = async () => (await app.inject({ url: '/v1/projects', headers: { cookie } })).statusCode
  const caller = vi.spyOn(store, 'caller').mockImplementation(() => {
    throw new Error('at once')
  })
  expect([await list(), await list()]).toEqual([500, 500])
  caller.mockRestore()
  expect(await list()).toBe(200)
})

test('a cached read needs no place', async () => {
  const { app, signIn } = openTestApp({
    store: unchangedStore(createMemoryStore(demo())),
    maxPendingPerSession: 1,
  })
  const { cookie } = await signIn()
  const list = async () => (await app.inject({ url: '/v1/projects', headers: { cookie } })).statusCode
  await list()
  const statuses = await Promise.all(Array.from({ length: 300 }, list))
  expect(new Set(statuses)).toEqual(new Set([200]))
})

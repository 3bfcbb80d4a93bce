import type { FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { removeOld } from '../../../src/server/sessions/remove-old.js'
import type { RequestCounts } from '../../../src/store/production-store.js'

test('no second removal starts during a long one, and closing waits for it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const ends: (() => void)[] = []
  const remove = vi.fn(async () => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return { sessions: 0, auditEntries: 0 }
  })
  const removal = removeOld({ removeOld: remove }, { everyMs: 1_000, auditMs: 1_000, log: createLog() })
  await expect.poll(() => ends).toHaveLength(1)
  vi.advanceTimersByTime(3_000)
  const onStop = vi.fn()
  const stopped = removal.stop().then(onStop)
  await new Promise((resolve) => setImmediate(resolve))
  expect([remove.mock.calls.length, onStop.mock.calls.length]).toEqual([1, 0])
  ends[0]?.()
  await stopped
  expect(remove).toHaveBeenCalledTimes(1)
})

test('a removal continues until few old records are left, and logs the numbers of removed records', async () => {
  const found = [
    { sessions: 0, auditEntries: 0, requestCounts: 2_000 },
    { sessions: 2_000, auditEntries: 1, requestCounts: 0 },
    { sessions: 1, auditEntries: 2_000, requestCounts: 1 },
    { sessions: 0, auditEntries: 2, requestCounts: 2 },
    { sessions: 9, auditEntries: 9, requestCounts: 9 },
  ]
  const { log, remove, removed } = await removeAll(found)
  expect(remove).toHaveBeenCalledTimes(4)
  expect(remove).toHaveBeenCalledWith({ auditMs: 2_000 })
  expect(removed).toEqual({ sessions: 2_001, auditEntries: 2_003, requestCounts: 2_003 })
  expect(log.warn).not.toHaveBeenCalled()
})

test.each([
  { sessions: 1, auditEntries: 0, requestCounts: 0 },
  { sessions: 0, auditEntries: 1, requestCounts: 0 },
])('a removal logs that it has removed %o', async (found) => {
  expect((await removeAll([found])).removed).toEqual(found)
})

test('a removal logs nothing if only counts of requests were removed', async () => {
  expect((await removeAll([{ sessions: 0, auditEntries: 0, requestCounts: 4 }])).removed).toBeUndefined()
})

test('a failure is logged, and the next removal succeeds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const fault = new Error('locked')
  const remove = vi.fn(async () => ({ sessions: 0, auditEntries: 0 })).mockRejectedValueOnce(fault)
  const log = createLog()
  const removal = removeOld({ removeOld: remove }, { everyMs: 1_000, auditMs: 2_000, log })
  await expect.poll(() => log.warn).toHaveBeenCalledWith({ err: fault }, expect.any(String))
  vi.advanceTimersByTime(1_000)
  await expect.poll(() => remove.mock.calls.length).toBe(2)
  await removal.stop()
  expect(log.warn).toHaveBeenCalledTimes(1)
})

type Found = { sessions: number; auditEntries: number; requestCounts: number }

const createLog = () => ({ info: vi.fn(), warn: vi.fn() }) as unknown as FastifyBaseLogger

/** Runs removals that find these records, one set in each round, and then nothing. */
async function removeAll(rounds: Found[]) {
  const nothing = { sessions: 0, auditEntries: 0, requestCounts: 0 }
  let now: Found | undefined
  const waiting = [...rounds]
  const log = createLog()
  const remove = vi.fn(async (_: { auditMs: number }) => {
    const { sessions, auditEntries } = now ?? nothing
    return { sessions, auditEntries }
  })
  const requestCounts = {
    removePast: async () => {
      now = waiting.shift() ?? nothing
      return now.requestCounts
    },
  } as RequestCounts
  const removal = removeOld({ removeOld: remove, requestCounts }, { everyMs: 60_000, auditMs: 2_000, log })
  await expect.poll(() => now).toBeDefined()
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  await removal.stop()
  return { log, remove, removed: vi.mocked(log.info).mock.calls[0]?.[0] }
}

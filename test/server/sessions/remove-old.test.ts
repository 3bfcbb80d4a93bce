import type { FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { removeOld } from '../../../src/server/sessions/remove-old.js'

test('a removal that takes longer than the interval is not joined by another, and is waited for', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const ends: (() => void)[] = []
  const remove = vi.fn(async () => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return { sessions: 0, auditEntries: 0 }
  })
  const log = { info: vi.fn(), warn: vi.fn() } as unknown as FastifyBaseLogger
  const removal = removeOld({ removeOld: remove }, { everyMs: 1_000, auditMs: 1_000, log })
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

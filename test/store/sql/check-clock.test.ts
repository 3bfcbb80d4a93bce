import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClockCheck } from '../../../src/store/sql/check-clock.js'
import { ClockError } from '../../../src/store/store.js'

const minute = 60_000
const start = Date.parse('2026-03-01T12:00:00.000Z')

beforeEach(() => void vi.useFakeTimers({ now: start }))
afterEach(() => void vi.useRealTimers())

/** The clock check of a file whose newest record is from `beforeMs` before the start. */
const checkOf = (beforeMs: number | undefined) =>
  createClockCheck({
    readLarge: async <Row>() =>
      [{ newest: beforeMs === undefined ? null : new Date(start - beforeMs).toISOString() }] as Row[],
  })

describe('the clock of a process with a SQLite file', () => {
  test.each([undefined, 0, 60 * minute, -60 * minute])(
    'is right if the newest record is %s ms older than the start',
    async (beforeMs) => {
      await expect((await checkOf(beforeMs))()).resolves.toBeUndefined()
    },
  )

  test.each([60 * minute + 1, -60 * minute - 1])(
    'may be wrong if the newest record is %i ms older, until it was reported for a day',
    async (beforeMs) => {
      const check = await checkOf(beforeMs)
      await expect(check()).rejects.toThrow(ClockError)
      vi.advanceTimersByTime(24 * 60 * minute)
      await expect(check()).rejects.toThrow(/the newest record was of/)
      vi.advanceTimersByTime(1)
      await expect(check()).resolves.toBeUndefined()
    },
  )

  test.each([minute + 1, -minute - 1])(
    'may be wrong once it was set by %i ms, until it was reported for a day',
    async (jumpMs) => {
      const check = await checkOf(0)
      vi.advanceTimersByTime(60 * minute)
      await expect(check()).resolves.toBeUndefined()
      vi.setSystemTime(Date.now() + jumpMs)
      await expect(check()).rejects.toThrow(/The clock was set by -?60 s/)
      vi.advanceTimersByTime(24 * 60 * minute)
      await expect(check()).rejects.toThrow(ClockError)
      vi.advanceTimersByTime(1)
      await expect(check()).resolves.toBeUndefined()
    },
  )

  test('is right once it was set back', async () => {
    const check = await checkOf(0)
    vi.setSystemTime(Date.now() + 60 * minute)
    await expect(check()).rejects.toThrow(ClockError)
    vi.setSystemTime(Date.now() - 60 * minute)
    await expect(check()).resolves.toBeUndefined()
  })

  test('may move by seconds each night, as that of a machine that pauses for a backup', async () => {
    const check = await checkOf(0)
    for (let night = 0; night < 100; night += 1) {
      vi.advanceTimersByTime(24 * 60 * minute)
      vi.setSystemTime(Date.now() + 2_000)
      await expect(check()).resolves.toBeUndefined()
    }
  })
})

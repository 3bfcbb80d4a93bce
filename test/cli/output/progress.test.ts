import { describe, expect, test, vi } from 'vitest'
import { writeStatus } from '../../../src/cli/output/output.js'
import { progressLine, withProgress } from '../../../src/cli/output/progress.js'

describe('progress', () => {
  test('is a bar with the rate and the remaining time', () => {
    const progress = { unit: 'records', elapsedMs: 2000 }
    expect(progressLine({ ...progress, done: 5000, total: 20_000 }, true)).toBe(
      '██████░░░░░░░░░░░░░░░░░░ 25 %  5,000 of 20,000 records  2,500/s  0:06 left',
    )
    expect(progressLine({ ...progress, done: 10, total: 36_000 }, true)).toMatch(
      /^░{24} 0 % .* {2}119:58 left$/,
    )
    expect(progressLine({ ...progress, done: 0, total: 0 }, true)).toMatch(
      /^█{24} 100 % {2}0 of 0 records {2}0\/s$/,
    )
  })

  test('has no remaining time before the first item', () => {
    expect(progressLine({ unit: 'records', done: 0, total: 10, elapsedMs: 100 }, false)).toBe(
      '0 %  0 of 10 records  0/s',
    )
  })

  test('is cut to the width of the terminal, with the bar in colour', () => {
    const { columns } = process.stderr
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    vi.stubEnv('TERM', 'xterm')
    vi.stubEnv('NO_COLOR', undefined)
    vi.stubEnv('FORCE_COLOR', '1')
    try {
      process.stderr.columns = 8
      writeStatus('██░░ 50 %  5 of 10 records')
      expect(write).toHaveBeenCalledWith('\r\x1b[2K\x1b[32m██\x1b[39m░░ 50')
    } finally {
      process.stderr.columns = columns
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
    }
  })

  test.each([
    ['a terminal', true, '1'],
    ['no terminal', false, ''],
  ])('writes nothing for short work, or to %s with NO_COLOR=%s', async (_, isTTY, noColor) => {
    vi.useFakeTimers()
    vi.stubEnv('TERM', 'xterm')
    const before = process.stderr.isTTY
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      process.stderr.isTTY = true
      vi.stubEnv('NO_COLOR', '')
      await withProgress({ unit: 'lines', total: 2 }, {}, async () => void vi.advanceTimersByTime(200))
      expect(write).not.toHaveBeenCalled()

      process.stderr.isTTY = isTTY
      vi.stubEnv('NO_COLOR', noColor)
      await withProgress({ unit: 'lines', total: 2 }, {}, async () => void vi.advanceTimersByTime(1000))
      expect(write).not.toHaveBeenCalled()
    } finally {
      process.stderr.isTTY = before
      vi.useRealTimers()
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
    }
  })

  test('is a line every ten seconds where no line can be replaced, such as in a pipe', async () => {
    vi.useFakeTimers()
    const before = process.stderr.isTTY
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      process.stderr.isTTY = false
      await withProgress({ unit: 'addresses', total: 1_000_000 }, {}, async (report) => {
        report(250_000)
        vi.advanceTimersByTime(9_999)
        expect(write).not.toHaveBeenCalled()
        vi.advanceTimersByTime(1)
        report(500_000)
        vi.advanceTimersByTime(10_000)
      })
      vi.advanceTimersByTime(60_000)
      expect(write.mock.calls.flat()).toEqual([
        '25 %  250,000 of 1,000,000 addresses  25,000/s  0:30 left\n',
        '50 %  500,000 of 1,000,000 addresses  25,000/s  0:20 left\n',
      ])
    } finally {
      process.stderr.isTTY = before
      vi.useRealTimers()
      vi.restoreAllMocks()
    }
  })
})

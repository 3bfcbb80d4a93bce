import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration } from '../../../src/server/settings/duration.js'

describe('a length of time', () => {
  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
    ['3650d', 315_360_000_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
    expect(formatDuration(ms)).toBe(text)
  })

  it.each(['', '5', 'h', '0s', '-1h', '1.5h', '1 h', '1h30m', '1w', '12H', '3651d', `${'9'.repeat(400)}s`])(
    '%j is refused',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )
})

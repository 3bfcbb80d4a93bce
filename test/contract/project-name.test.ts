import { describe, expect, it } from 'vitest'
import { nameKey } from '../../src/contract/project-name.js'

describe('the key of a project name', () => {
  /** Marks of two combining classes in descending order: normalization has to move each of them. */
  const marks = (count: number) => `a${'\u0345'.repeat(count / 2)}${'\u0334'.repeat(count / 2)}`
  const fastest = (work: () => void) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const started = performance.now()
        work()
        return performance.now() - started
      }),
    )

  it('takes time in proportion to the length of a run of combining marks', () => {
    const short = fastest(() => nameKey(marks(4_000)))
    const long = fastest(() => nameKey(marks(32_000)))
    // Eight times the length: 8 if linear, 64 if quadratic.
    expect(long / short).toBeLessThan(32)
  })

  it.each(['Straße', 'ÄPFEL', 'क्षत्रिय', 'Việt Nam', 'ÅΣς', `a${'\u0301'.repeat(30)}`])(
    'does not change for the ordinary name %s',
    (name) => {
      const plain = name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
      expect(nameKey(name)).toBe(plain)
    },
  )

  it('is the same for composed and decomposed letters', () => {
    expect(nameKey('e\u0301')).toBe(nameKey('\u00c9'))
  })
})

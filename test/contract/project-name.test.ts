import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { nameKey } from '../../src/contract/project-name.js'

describe('the key of a project name', () => {
  /** Marks of two combining classes in descending order: normalization has to reorder all of them. */
  const marks = (count: number) => `a${'\u0345'.repeat(count / 2)}${'\u0334'.repeat(count / 2)}`

  it('is made without normalizing a long run of marks, which would take quadratic time', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize')
    onTestFinished(() => normalize.mockRestore())
    nameKey(marks(32_000))
    expect(normalize.mock.contexts).toHaveLength(2)
    for (const text of normalize.mock.contexts) expect(String(text)).not.toMatch(/[\u0334\u0345]{31}/)
  })

  it.each(['Straße', 'ÄPFEL', 'क्षत्रिय', 'Việt Nam', 'ÅΣς', `a${'\u0301'.repeat(30)}`])(
    'does not change for the ordinary name %s',
    (name) => {
      const plain = name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
      expect(nameKey(name)).toBe(plain)
    },
  )

  it('is the same in upper and in lower case, for every character', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const char = String.fromCodePoint(point)
      const key = nameKey(char)
      const differs = [char.toUpperCase(), char.toLowerCase(), key].some((other) => nameKey(other) !== key)
      if (differs) expect.fail(`U+${point.toString(16)} ${char}`)
    }
  })

  it('is the same in upper and in lower case and in every normal form, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const others = [name.toUpperCase(), name.toLowerCase(), name.normalize('NFD'), name.normalize('NFC')]
        expect(others.map(nameKey)).toEqual(others.map(() => nameKey(name)))
      }),
    )
  })

  it('distinguishes white space, and letters that look the same', () => {
    expect(nameKey('a ')).not.toBe(nameKey('a'))
    expect(nameKey('a')).not.toBe(nameKey('а'))
    expect(nameKey('ä')).not.toBe(nameKey('a'))
  })

  it('does not depend on the locale: the Turkish i has no special rule', () => {
    expect(nameKey('TITLE')).toBe('title')
  })
})

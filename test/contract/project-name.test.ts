import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { nameKey } from '../../src/contract/project-name.js'

describe('the key of a project name', () => {
  /** Marks of two combining classes in descending order: normalization has to move each of them. */
  const marks = (count: number) => `a${'\u0345'.repeat(count / 2)}${'\u0334'.repeat(count / 2)}`

  it('is made without the normalization of a long run of marks, which takes quadratic time', () => {
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

  it('is the same for composed and decomposed letters', () => {
    expect(nameKey('e\u0301')).toBe(nameKey('\u00c9'))
  })
})

import fc from 'fast-check'

const surrogates = 0x800

/**
 * Any character except surrogates, as fast-check's unit "binary", which lists a million characters to recognize dangerous
 * texts such as `__proto__`: that takes three seconds in each process.
 */
export const anyCharacter = fc.nat(0x10ffff - surrogates).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + surrogates),
  (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined
    if (point === undefined || character !== String.fromCodePoint(point)) throw new Error('not one character')
    return point < 0xd800 ? point : point - surrogates
  },
)

/** Any text that is well-formed. */
export const anyText = (lengths: { minLength?: number; maxLength?: number } = {}) =>
  fc.string({ unit: anyCharacter, ...lengths })

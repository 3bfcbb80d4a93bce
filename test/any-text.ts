import fc from 'fast-check'

const surrogates = 0x800

/**
 * Any character but a surrogate, like fast-check's unit "binary". That one lists a million characters to recognize the
 * texts that are worth a try, such as `__proto__`, which takes three seconds of each process.
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

import { nameKey } from '../../contract/project-name.js'

/**
 * How freely characters are replaced:
 * 0: letters, digits and symbols such as emoji, each by one of its script, its kind and its length; ASCII letters alternate
 *    between consonants and vowels;
 * 1: the same without alternating;
 * 2: punctuation and combining marks too;
 * 3: each by any character of its length.
 */
export type Freedom = 0 | 1 | 2 | 3

/** Returns a number from 0 to below `size`: always the same for a position of a text. */
export type Pick = (position: number, size: number) => number

/** A character with its combining marks. */
export const clustersOf = (text: string): string[] => text.match(/\P{M}\p{M}*|\p{M}+/gsu) ?? []

/**
 * Replaces a character and its combining marks. What is equal but for case, or for the composition of its marks, stays so.
 * White space stays. The result has the length of the original, in UTF-16, in code points, and as JSON in UTF-8.
 * @param isJoined whether it is part of a sequence of emoji
 */
export function replaceCluster(
  cluster: string,
  position: number,
  pick: Pick,
  freedom: Freedom,
  isJoined = false,
): string {
  if (freedom === 3) return eachCharacter(cluster, position, pick, replacementsOf)
  const [base = ''] = cluster
  if (isJoined) return replacePerson(cluster, base, pick(position, 2))
  if (!isReplaced.test(base)) {
    return freedom === 2 ? eachCharacter(cluster, position, pick, alphabetOf) : cluster
  }
  const decomposed = cluster.length === 1 && cluster < '\x80' ? cluster : cluster.normalize('NFD')
  const isComposed = cluster === decomposed || cluster === cluster.normalize('NFC')
  // Marks of which some are composed and some are not stay with their character.
  const [letter = ''] = isComposed ? decomposed : cluster
  const marks = isComposed ? decomposed.slice(letter.length) : cluster.slice(letter.length)
  if (isHangul(base)) return pickFrom(alphabetOf(base), position, pick, base) + cluster.slice(base.length)
  const { alphabet, isUpper } = replacingLetters(letter)
  const others = marks
    ? composingAlike(letter, marks.slice(0, maxMarks))
    : pronounceable(alphabet, position, freedom)
  const picked = others[pick(position, others.length)]
  if (picked === undefined) return cluster
  const replaced = isUpper ? picked.toUpperCase() : picked
  return cluster === decomposed || !isComposed ? replaced + marks : (replaced + marks).normalize('NFC')
}

/** Whether a text has nothing but white space, which is not replaced. */
export const isBlank = (text: string): boolean => !/\S/u.test(text)

/** Whether a character is an emoji, which may be joined to others. */
export const isPictograph = (character: string): boolean => /^\p{Extended_Pictographic}/u.test(character)

/** The marks that are normalized together, as in `nameKey`. */
const maxMarks = 30

/** What a text is recognised by: letters, numbers, emoji and other symbols, private and unassigned characters. */
const isReplaced = /[\p{L}\p{N}\p{So}\p{Co}\p{Cn}]/u

const pickFrom = (alphabet: readonly string[], position: number, pick: Pick, otherwise: string): string =>
  alphabet[pick(position, alphabet.length)] ?? otherwise

const eachCharacter = (
  text: string,
  position: number,
  pick: Pick,
  alphabet: (character: string) => readonly string[],
): string =>
  [...text]
    .map((character, i) => {
      if (isBlank(character)) return character
      const picked = pickFrom(alphabet(character), position + i, pick, character)
      return /[A-Z]/.test(character) ? picked.toUpperCase() : picked
    })
    .join('')

/** Of joined emoji the people alone are replaced: others would fall apart. */
function replacePerson(cluster: string, base: string, choice: number): string {
  const people = ['👨👩', '👦👧'].map((pair) => [...pair]).find((pair) => pair.includes(base))
  return people ? (people[choice] ?? base) + cluster.slice(base.length) : cluster
}

const vowels = /[aeiou]/

/** Consonants at even positions, vowels at odd ones, of the Latin letters without marks. */
function pronounceable(alphabet: readonly string[], position: number, freedom: Freedom): readonly string[] {
  if (freedom > 0 || alphabet.length !== 26 || alphabet[0] !== 'a') return alphabet
  return position % 2 === 0 ? consonantLetters : vowelLetters
}
const latin = [...'abcdefghijklmnopqrstuvwxyz']
const vowelLetters = latin.filter((letter) => vowels.test(letter))
const consonantLetters = latin.filter((letter) => !vowels.test(letter))

/** A cache of what is computed of a text. */
function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = compute(text)
    known.set(text, result)
    return result
  }
}

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/** Whether a character is one lower-case letter (or has no case), and one upper-case letter, in each normal form. */
const isSimple = (character: string): boolean =>
  nameKey(character) === character &&
  [...character.toUpperCase()].length === 1 &&
  (character.normalize('NFD') === character || isHangul(character))

/** Whether case leads from a character to another one and back. */
const isRegular = memoize((character) => {
  const key = nameKey(character)
  return isSimple(key) && (character === key || character === key.toUpperCase())
})

const isHangul = (character: string): boolean => /^[\uac00-\ud7a3]/.test(character)

const test = (names: string) => names.split(' ').map((name) => new RegExp(`^\\p{${name}}$`, 'u'))
const categories = test(
  'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn',
)
const scripts = test(
  [
    'Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Tamil Thai Georgian',
    'Hiragana Katakana Han Hangul',
  ]
    .join(' ')
    .replace(/(?<=^| )/g, 'Script='),
)
const emoji = test('Emoji_Presentation Extended_Pictographic Emoji_Modifier_Base Regional_Indicator')

const sizesOf = (character: string): string => {
  const upper = character.toUpperCase()
  return [...[character, upper].map((each) => bytesOf(JSON.stringify(each))), upper === character].join()
}

/** The characters around one among which its replacement is found. */
function rangeOf(point: number): [from: number, to: number] {
  if (point >= 0x4e00 && point <= 0x9fff) return [0x4e00, 0x9fff]
  if (point >= 0xac00 && point <= 0xd7a3) return [0xac00, 0xd7a3]
  const from = point & ~0x7f
  return [from, from + 0x7f]
}

/** The characters of a range. */
function* charactersOf([from, to]: [from: number, to: number]): Generator<string> {
  for (let point = Math.max(from, 1); point <= to; point += 1) {
    if (point < 0xd800 || point > 0xdfff) yield String.fromCodePoint(point)
  }
}

/** The simple characters near one that have its category, its script and its sizes. */
function similarTo(character: string): readonly string[] {
  const range = rangeOf(character.codePointAt(0) ?? 0)
  const common = [...categories, ...scripts].filter((property) => property.test(character))
  const isEmoji = emoji.map((property) => property.test(character))
  const sizes = sizesOf(character)
  const key = [range, common, isEmoji, sizes].join()
  const known = similar.get(key)
  if (known) return known
  const found = [...charactersOf(range)].filter(
    (each) =>
      common.every((property) => property.test(each)) &&
      emoji.every((property, i) => property.test(each) === isEmoji[i]) &&
      isSimple(each) &&
      !isBlank(each) &&
      // Its form depends on where it is.
      each !== 'σ' &&
      sizesOf(each) === sizes,
  )
  similar.set(key, found)
  return found
}
const similar = new Map<string, readonly string[]>()

/** What replaces a character without marks, in lower case: of its script, its kind and its length. */
const alphabetOf = memoize((character): readonly string[] => {
  const key = nameKey(character)
  if (isRegular(character) || (isRegular(key) && bytesOf(key) === bytesOf(character))) return similarTo(key)
  // A letter such as ß, whose upper case is longer, or the Kelvin sign.
  const range = rangeOf(character.codePointAt(0) ?? 0)
  return [...charactersOf(range)].filter(
    (each) => /\p{L}/u.test(each) && isSimple(each) && bytesOf(each) === bytesOf(character),
  )
})

const replacingLetters = memoize((letter) => ({
  alphabet: alphabetOf(letter),
  isUpper: isRegular(letter) && letter !== nameKey(letter),
}))

/** Of the replacements of a letter those that compose with the marks as it does: é, but not e̋, is one character. */
const composingAlike = (letter: string, marks: string): readonly string[] => composing(`${letter} ${marks}`)
const composing = memoize((text): readonly string[] => {
  const [letter = '', , ...marks] = text
  const shapeOf = (each: string) =>
    [each, each.toUpperCase()]
      .map((cased) => (cased + marks.join('')).normalize('NFC'))
      .map((composed) => `${composed.length} ${bytesOf(composed)} ${bytesOf(composed.toLowerCase())}`)
      .join()
  const shape = shapeOf(isRegular(letter) ? nameKey(letter) : letter)
  return alphabetOf(letter).filter((each) => shapeOf(each) === shape)
})

const between = (from: string, to: string): string[] => {
  const [start = 0, end = 0] = [from.codePointAt(0), to.codePointAt(0)]
  return Array.from({ length: end - start + 1 }, (_, i) => String.fromCodePoint(start + i))
}

/** Characters by the bytes that they take in JSON. */
const replacements: Record<string, string[]> = {
  ascii: [...latin, ...between('0', '9')],
  escaped: ['"', '\\'],
  control: between('\x01', '\x07'),
  2: between('а', 'я'),
  3: between('一', '丿'),
  4: between('😀', '😿'),
}

/** Any characters of the length of this one, in every unit. */
function replacementsOf(character: string): readonly string[] {
  const inJson = bytesOf(JSON.stringify(character)) - 2
  if (character < '\x80') {
    const kind = inJson === 1 ? 'ascii' : inJson === 2 ? 'escaped' : 'control'
    return replacements[kind] ?? []
  }
  return replacements[inJson] ?? []
}

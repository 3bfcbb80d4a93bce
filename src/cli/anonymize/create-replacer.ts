import { createHmac } from 'node:crypto'
import { en, Faker } from '@faker-js/faker'
import { nameKey } from '../../contract/project-name.js'

/** Words that could identify a person or customer: shorter ones may be made by chance. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]{4,}/gu) ?? []

/** Text of a length in characters. Its words come from a function of faker, and none of them is an original word. */
export type Phrase = (word: () => string, length: number) => string
/** Makes a value of about the length of the original one, from nothing else of it. */
export type Make = (faker: Faker, phrase: Phrase, length: number, original: string) => string

/**
 * Replaces values by made ones, which depend on the secret, the kind and the value alone. Two made values have one `nameKey`
 * exactly if the original ones have.
 * @param originals no made value is one of them, and no made word is one of theirs
 */
export function createReplacer(secret: string | Buffer, originals: string[]) {
  const values = new Set(originals.filter((text) => text.length > 3))
  const words = new Set(originals.flatMap(wordsOf))
  const faker = new Faker({ locale: en })

  const wordWithin = (word: () => string, room: number): string => {
    for (let attempt = 0; attempt < 20 && room > 3; attempt += 1) {
      const text = word()
      if (text.length <= room && !wordsOf(text).some((each) => words.has(each))) return text
    }
    return faker.string.alpha({ length: Math.min(room, 3), casing: 'lower' })
  }
  const phrase: Phrase = (word, length) => {
    let text = wordWithin(word, length)
    while (text.length < length - 1) text += ` ${wordWithin(word, length - text.length - 1)}`
    return text
  }

  return (kind: string, make: Make, originals: string[]): ((original: string) => string) => {
    const made = new Map([['', '']])
    const used = new Set<string>()
    const groups = new Map<string, string[]>()
    for (const text of new Set(originals.filter(Boolean))) {
      groups.set(nameKey(text), [...(groups.get(nameKey(text)) ?? []), text])
    }
    for (const [key, spellings] of groups) {
      const [original = ''] = spellings
      const digest = createHmac('sha256', secret).update(`${kind}\0${key}`).digest()
      for (let attempt = 0; !made.has(original); attempt += 1) {
        faker.seed([digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8), attempt])
        // Longer if there are hardly others of the length.
        const text = make(faker, phrase, [...original].length + Math.floor(attempt / 8), original)
        const respelled = spellings.map((_, i) => respell(text, i))
        const isTaken = used.has(nameKey(text)) || new Set(respelled).size < spellings.length
        if (isTaken || respelled.some((each) => values.has(each))) continue
        used.add(nameKey(text))
        for (const [i, spelling] of spellings.entries()) made.set(spelling, respelled[i] ?? '')
      }
    }
    return (original) => made.get(original) ?? ''
  }
}

/** The same letters, some of them in the other case: those whose bits are set in the number. */
function respell(text: string, number: number): string {
  let bit = 1
  return text.replace(/[a-z]/gi, (letter) => {
    const isOther = Math.floor(number / bit) % 2 === 1
    bit *= 2
    const upper = letter.toUpperCase()
    return isOther === (letter === upper) ? letter.toLowerCase() : upper
  })
}

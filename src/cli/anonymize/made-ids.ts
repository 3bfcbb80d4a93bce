import { type Anonymizer, createPick, maxUnguarded, seedOf } from './made-texts.js'
import type { Pick } from './replace-cluster.js'

/** Makes an id for each of some ids: of the same length and form, and the same one for the same secret, kind and id. */
export function makeIds(
  { secret, isOriginal }: Anonymizer,
  kind: string,
  ids: Iterable<string>,
): Map<string, string> {
  const made = new Map<string, string>()
  const used = new Set<string>()
  for (const id of ids) {
    const seed = seedOf(secret, `${kind}\0${id}`)
    for (let attempt = 0; !made.has(id); attempt += 1) {
      const candidate = makeId(id, createPick(seed, attempt), attempt)
      if (used.has(candidate) || (candidate.length > maxUnguarded && isOriginal(candidate))) continue
      used.add(candidate)
      made.set(id, candidate)
    }
  }
  return made
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const letters = 'abcdefghijklmnopqrstuvwxyz'
const alphabets: [RegExp, string][] = [
  [/[a-z]/, letters],
  [/[A-Z]/, letters.toUpperCase()],
  [/\d/, '0123456789'],
]

function makeId(id: string, pick: Pick, attempt: number): string {
  const isUuid = uuid.test(id)
  const alphabetOf = (character: string, i: number): string => {
    // The version and the variant of a UUID stay.
    if (isUuid) return character === '-' || i === 14 || i === 19 ? character : '0123456789abcdef'
    const alphabet = alphabets.find(([pattern]) => pattern.test(character))?.[1]
    // An id such as `----`, or one of many short ones, needs other characters.
    return attempt < 8 ? (alphabet ?? character) : `${letters}0123456789`
  }
  return [...id]
    .map((character, i) => {
      const alphabet = alphabetOf(character, i)
      return alphabet[pick(i, alphabet.length)]
    })
    .join('')
}

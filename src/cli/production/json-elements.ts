import { UserError } from '../user-error.js'

/** The most characters of an entry. */
export const maxEntryLength = 1_000_000

export const tooLong = () =>
  new UserError(
    `An entry is longer than ${maxEntryLength.toLocaleString('en')} characters.`,
    'Check the format of the file, and that each quote in it is closed.',
  )

/**
 * Splits the text of a JSON array into the texts of its elements, which need not be valid themselves. Only one of them is
 * in memory at a time.
 * @throws UserError for what is not an array, or not a whole one, or for an element that is too long to be an entry
 */
export async function* jsonElements(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let depth = 0
  let isString = false
  let isEscaped = false
  let hasEnded = false
  let count = 0
  let element = ''
  for await (const chunk of chunks) {
    let start = 0
    for (let i = 0; i < chunk.length; i += 1) {
      const character = chunk[i]
      if (isString) {
        if (isEscaped) isEscaped = false
        else if (character === '\\') isEscaped = true
        else if (character === '"') isString = false
      } else if (character === '"') isString = true
      else if (character === '[' || character === '{') {
        depth += 1
        if (depth > 1) continue
        const before = element + chunk.slice(start, i)
        if (hasEnded || character === '{' || /[^\s\uFEFF]/.test(before)) throw notAnArray()
        element = ''
        start = i + 1
      } else if (depth === 1 && (character === ',' || character === ']')) {
        const text = element + chunk.slice(start, i)
        // Nothing between the brackets is no element.
        if (character === ',' || count > 0 || text.trim() !== '') yield text
        count += 1
        element = ''
        start = i + 1
        if (character === ',') continue
        depth = 0
        hasEnded = true
      } else if (character === ']' || character === '}') {
        depth -= 1
        if (depth < 1) throw notAnArray()
      }
    }
    element += chunk.slice(start)
    if (element.length > maxEntryLength) throw tooLong()
  }
  if (!hasEnded || element.trim() !== '') throw notAnArray()
}

const notAnArray = () =>
  new UserError(
    'The JSON is not an array.',
    'Give a whole array of addresses, or of objects with an "email".',
  )

import { UserError } from '../user-error.js'

const encodings = { utf8: 'UTF-8', utf16le: 'UTF-16', utf16be: 'UTF-16' } as const

/**
 * The text of a file. Spreadsheets and shells of Windows write UTF-16, which begins with a byte order mark or, without one,
 * with a character of ASCII. Invalid bytes are read as U+FFFD.
 * @throws UserError for UTF-32
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: string } {
  const [first, second, third, fourth] = bytes
  const isUtf32 = (third === 0 && fourth === 0) || (first === 0 && second === 0)
  if (bytes.length > 3 && isUtf32) throw new UserError('The file is in UTF-32.', 'Save it as UTF-8.')
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
  const isLittleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
  const name = isBigEndian ? 'utf16be' : isLittleEndian ? 'utf16le' : 'utf8'
  // A byte order mark is removed.
  return { text: new TextDecoder(name.replace('utf', 'utf-')).decode(bytes), encoding: encodings[name] }
}

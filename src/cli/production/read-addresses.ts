import { parseJson } from '../../contract/parse-json.js'
import { JoinWaitlistBody } from '../../contract/schemas.js'
import type { WaitlistEntry } from '../../store/state-file.js'
import { printable } from '../output/printable.js'
import { UserError } from '../user-error.js'
import { decodeText } from './decode-text.js'
import { type FormatName, unescapeFormula } from './export-formats.js'
import { parseTime } from './parse-time.js'
import { readCsv } from './read-csv.js'

/** How far the clocks of two machines may differ, in milliseconds. */
const anHour = 3_600_000

/** A line or an entry that is invalid; `place` is e.g. `line 3`. */
type Refused = { place: string; reason: string }
type Row = { place: string; value: unknown } | Refused

/**
 * Reads the addresses of a file, and its invalid lines; the current time is that of entries without one.
 * `multiline` has the places of valid records with several lines: a quote may have swallowed the others.
 * @param maxRefused it stops after the first line beyond them
 * @throws UserError if the text has not the format
 */
export function readAddresses(bytes: Uint8Array, format: FormatName, maxRefused: number) {
  const { text, encoding } = decodeText(bytes)
  const now = new Date().toISOString()
  const valid: WaitlistEntry[] = []
  const refused: Refused[] = []
  const multiline: string[] = []
  for (const row of readRows(text, format)) {
    const entry = 'reason' in row ? row : parseEntry(row, now, encoding)
    if (!('reason' in entry)) {
      valid.push(entry)
      if (row.place.startsWith('lines ')) multiline.push(row.place)
    } else if (refused.push(entry) > maxRefused) break
  }
  return { valid, refused, multiline }
}

/** The rows as they are in the file. */
export const readRows = (text: string, format: FormatName): Iterable<Row> => readers[format](text)

function parseEntry(
  { place, value }: { place: string; value: unknown },
  now: string,
  encoding: string,
): WaitlistEntry | Refused {
  const address = JoinWaitlistBody.safeParse(value)
  if (!address.success) return { place, reason: 'no email address' }
  // The decoder put this character where the bytes are invalid.
  if (address.data.email.includes('\uFFFD')) return { place, reason: `not in ${encoding}` }
  const { createdAt } = value as { createdAt?: unknown }
  const time = createdAt === undefined ? now : typeof createdAt === 'string' && parseTime(createdAt)
  if (!time) return { place, reason: 'createdAt is not a time such as 2026-01-31T12:00:00.000Z' }
  // The newest record of a file tells whether the clock is right.
  if (Date.parse(time) > Date.now() + anHour) return { place, reason: 'createdAt is in the future' }
  return { email: address.data.email, createdAt: time }
}

const readers = { csv: readCsvRows, json: readJson, ndjson: readNdjson }

/** The names of the columns, without case, spaces and punctuation: "E-mail Address", "created_at". */
const emailNames = ['email', 'emailaddress']
const timeName = 'createdat'

const simplify = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
// Not if the name contains the delimiter of cells.
const isEmailName = (name: string): boolean => !/[,;\t|]/.test(name) && emailNames.includes(simplify(name))

/** The first line has the column names; one for addresses is required, `createdAt` is optional. */
function* readCsvRows(text: string): Generator<Row> {
  const [header, ...records] = readCsv(text, (cells) => cells.some(isEmailName))
  if (header === undefined) return
  const { cells: names } = header
  const columns = findColumns(names)
  for (const { firstLine, lastLine, cells } of records) {
    const isOne = firstLine === lastLine
    const place = isOne ? `line ${lastLine}` : `lines ${firstLine} to ${lastLine}`
    const reason = findFault(cells, names)
    if (reason !== undefined) yield { place, reason }
    else {
      const [email, createdAt] = [cells[columns.email] ?? '', cells[columns.time]?.trim()]
      yield { place, value: { email: unescapeFormula(email), ...(createdAt && { createdAt }) } }
    }
  }
}

/** Why a record may have another address than the one in its column, which would be lost. */
function findFault(cells: string[], names: string[]): string | undefined {
  if (cells.slice(names.length).some((cell) => cell.trim())) {
    return `${cells.length} cells, where the first line has ${names.length}`
  }
  if (cells.length === 1 && names.length > 1 && /[,;\t|]/.test(cells[0] ?? '')) {
    return `1 cell, where the first line has ${names.length}`
  }
  if (cells.some((cell) => /^".+"$/.test(cell.trim())))
    return 'a quote is not followed by the end of its cell'
  const isSwallowing = cells.some((cell) => cell.includes('\n') && cell.includes('@'))
  return isSwallowing ? 'a quoted cell has an address and goes over several lines' : undefined
}

/** The indexes of the columns. @throws UserError unless one has the addresses */
function findColumns(names: string[]): { email: number; time: number } {
  const found = names.filter(isEmailName)
  if (found.length === 1) {
    return {
      email: names.findIndex(isEmailName),
      time: names.findIndex((name) => simplify(name) === timeName),
    }
  }
  const all = names.map((name) => JSON.stringify(name.trim())).join(', ')
  if (found.length > 1) {
    throw new UserError(
      `The first line of the CSV has several columns of addresses: ${printable(all)}.`,
      'Rename all but one.',
    )
  }
  throw new UserError(
    `The first line of the CSV has no column "email": ${printable(all.slice(0, 200))}.`,
    names.some((name) => name.includes('@'))
      ? 'Begin the file with a line of column names, e.g. email'
      : 'Rename the column with the addresses to email.',
  )
}

function* readJson(text: string): Generator<Row> {
  const array = parseJson(text)
  if (!Array.isArray(array)) {
    throw new UserError(
      'The JSON is not an array.',
      'Give a whole array of addresses, or of objects with an "email".',
    )
  }
  for (const [i, value] of array.entries()) yield { place: `entry ${i + 1}`, value: entryOf(value) }
}

function* readNdjson(text: string): Generator<Row> {
  for (const [i, line] of text.split(/\r\n?|\n/).entries()) {
    const [place, value] = [`line ${i + 1}`, parseJson(line)]
    if (line.trim() !== '')
      yield value === undefined ? { place, reason: 'not JSON' } : { place, value: entryOf(value) }
  }
}

/** An entry is an address, or an object that has one. */
const entryOf = (value: unknown) => (typeof value === 'string' ? { email: value } : value)

import { type Options, parse } from 'csv-parse/sync'
import { parseJson } from '../../contract/parse-json.js'
import { JoinWaitlistBody } from '../../contract/schemas.js'
import type { WaitlistEntry } from '../../store/state-file.js'
import { UserError } from '../user-error.js'
import { type FormatName, unescapeFormula } from './export-formats.js'
import { parseTime } from './parse-time.js'

/** How far the clocks of two machines may differ, in milliseconds. */
const anHour = 3_600_000

/** A line or an entry that is invalid; `place` is e.g. `line 3`. */
type Refused = { place: string; reason: string }
type Row = { place: string; value: unknown } | Refused

/**
 * Reads the addresses of a file, and what is invalid in it; the current time is that of entries without one.
 * @param maxRefused it stops after the first line beyond them
 * @throws UserError if the text has not the format
 */
export function readAddresses(text: string, format: FormatName, maxRefused: number) {
  const now = new Date().toISOString()
  const valid: WaitlistEntry[] = []
  const refused: Refused[] = []
  for (const row of readRows(text, format)) {
    const entry = 'reason' in row ? row : parseEntry(row, now)
    if (!('reason' in entry)) valid.push(entry)
    else if (refused.push(entry) > maxRefused) break
  }
  return { valid, refused }
}

/** The rows as they are in the file. */
export const readRows = (text: string, format: FormatName): Iterable<Row> =>
  readers[format](text.replace(/^\uFEFF/, ''))

function parseEntry(
  { place, value }: { place: string; value: unknown },
  now: string,
): WaitlistEntry | Refused {
  const address = JoinWaitlistBody.safeParse(value)
  if (!address.success) return { place, reason: 'no email address' }
  // What is not UTF-8 was read as this character.
  if (address.data.email.includes('\uFFFD')) return { place, reason: 'not in UTF-8' }
  const { createdAt } = value as { createdAt?: unknown }
  const time = createdAt === undefined ? now : typeof createdAt === 'string' && parseTime(createdAt)
  if (!time) return { place, reason: 'createdAt is not a time such as 2026-01-31T12:00:00.000Z' }
  // The newest record of a file tells whether the clock is right.
  if (Date.parse(time) > Date.now() + anHour) return { place, reason: 'createdAt is in the future' }
  return { email: address.data.email, createdAt: time }
}

const readers = { csv: readCsv, json: readJson, ndjson: readNdjson }

/** The first line has the column names; `email` is required, `createdAt` is optional. */
function readCsv(text: string): Row[] {
  const rows: Row[] = []
  let columns: string[] | undefined
  const options: Options<string[]> = {
    relax_column_count: true,
    // A part of an address: as a fault it would hide the next line.
    relax_quotes: true,
    skip_empty_lines: true,
    on_record(cells: string[], { lines }) {
      const cell = (name: string) => cells[columns?.indexOf(name) ?? -1]
      const [email, createdAt] = [cell('email'), cell('createdat')?.trim()]
      const value = { email: email && unescapeFormula(email), ...(createdAt && { createdAt }) }
      if (columns) rows.push({ place: `line ${lines}`, value })
      columns ??= cells.map((name) => name.trim().toLowerCase())
    },
  }
  try {
    parse(text, options)
  } catch (error) {
    if (Object(error).code !== 'CSV_QUOTE_NOT_CLOSED') throw error
    // What comes after it is its text, and no line.
    const hint = `Correct it: the last line that was read is ${rows.at(-1)?.place ?? 'line 1'}.`
    throw new UserError('A quote of the CSV is not closed.', hint)
  }
  if (columns?.includes('email') ?? text.trim() === '') return rows
  throw new UserError(
    'The first line of the CSV has no column "email".',
    'Begin the file with a line of column names, e.g. email',
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
  for (const [i, line] of text.split('\n').entries()) {
    const [place, value] = [`line ${i + 1}`, parseJson(line)]
    if (line.trim() !== '')
      yield value === undefined ? { place, reason: 'not JSON' } : { place, value: entryOf(value) }
  }
}

/** An entry is an address, or an object that has one. */
const entryOf = (value: unknown) => (typeof value === 'string' ? { email: value } : value)

import { parseJson } from '../../contract/parse-json.js'
import { JoinWaitlistBody } from '../../contract/schemas.js'
import { type JsonTextError, parseJsonText } from '../../store/parse-json-text.js'
import type { WaitlistEntry } from '../../store/state-file.js'
import { printable } from '../output/printable.js'
import { UserError } from '../user-error.js'
import { decodeText } from './decode-text.js'
import { type FormatName, unescapeFormula } from './export-formats.js'
import { parseTime } from './parse-time.js'
import { readCsv } from './read-csv.js'

/** More lines within a cell than these are only counted. */
const maxNamedLines = 10

/** How far the clocks of two machines may differ, in milliseconds. */
const anHour = 3_600_000

/** A line or an entry that is invalid; `place` is e.g. `line 3`. */
type Refused = { place: string; reason: string }
type Unparsed = { place: string; unparsed: string }
type Row = { place: string; value: unknown } | Unparsed | Refused

/**
 * Reads the addresses of a file, and its invalid lines; the current time is that of entries without one.
 * @param maxRefused it stops after the first line beyond them
 * @throws UserError if the text has not the format
 */
export async function readAddresses(bytes: Uint8Array, format: FormatName, maxRefused: number) {
  const { text, encoding } = decodeText(bytes)
  const now = new Date().toISOString()
  const valid: WaitlistEntry[] = []
  const refused: Refused[] = []
  for (const row of await readRows(text, format)) {
    const entry =
      'unparsed' in row ? await locate(row) : 'reason' in row ? row : parseEntry(row, now, encoding)
    if (!('reason' in entry)) valid.push(entry)
    else if (refused.push(entry) > maxRefused) break
  }
  return { valid, refused }
}

/** The rows as they are in the file. */
export const readRows = async (text: string, format: FormatName): Promise<Iterable<Row>> =>
  readers[format](text)

function parseEntry(
  { place, value }: { place: string; value: unknown },
  now: string,
  encoding: string,
): WaitlistEntry | Refused {
  const address = JoinWaitlistBody.safeParse(value)
  if (!address.success) return { place, reason: 'no email address' }
  if (/^".*"$/.test(address.data.email)) return { place, reason: 'the address is in quotes' }
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
/** Part of the name in forms and in other languages: "What is your email?", "E-Mail-Adresse", "Adresse e-mail". */
const emailPart = 'email'
const timeName = 'createdat'

const simplify = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
// Not if the name contains the delimiter of cells.
const isOneName = (name: string): boolean => !/[,;\t|]/.test(name)
const isEmailName = (name: string): boolean => isOneName(name) && simplify(name).includes(emailPart)
const isUsualName = (name: string): boolean => isOneName(name) && emailNames.includes(simplify(name))

/** The first line has the column names; one for addresses is required, `createdAt` is optional. */
function* readCsvRows(text: string): Generator<Row> {
  const { records, readLine } = readCsv(text, (cells) => cells.some(isEmailName))
  const header = records.shift()
  if (header === undefined) return
  const { cells: names } = header
  const columns = findColumns(names)
  const isRecord = (line: string) => {
    const cells = line.includes('@') ? readLine(line) : []
    return cells.length === names.length && isAddress(cells[columns.email])
  }
  for (const { firstLine, lastLine, cells } of records) {
    const isOne = firstLine === lastLine
    const place = isOne ? `line ${lastLine}` : `lines ${firstLine} to ${lastLine}`
    const reason = findFault(cells, names) ?? findSwallowed(cells, firstLine, isRecord)
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
  return undefined
}

/** The lines within cells that are themselves records: a quote before them is not closed. */
function findSwallowed(
  cells: string[],
  firstLine: number,
  isRecord: (line: string) => boolean,
): string | undefined {
  const found: number[] = []
  let line = firstLine
  for (const cell of cells) {
    const lines = cell.split('\n')
    if (lines.length > 1) for (const [i, text] of lines.entries()) if (isRecord(text)) found.push(line + i)
    line += lines.length - 1
  }
  if (found.length === 0) return undefined
  const named = found.slice(0, maxNamedLines).join(', ')
  const others = found.length > maxNamedLines ? ` and ${found.length - maxNamedLines} more` : ''
  return `a cell contains records with an address (line ${named}${others}): look for a quote that is not closed`
}

const isAddress = (email: string | undefined): boolean => JoinWaitlistBody.safeParse({ email }).success

/** The indexes of the columns. @throws UserError unless one has the addresses */
function findColumns(names: string[]): { email: number; time: number } {
  const usual = names.filter(isUsualName)
  const found = usual.length > 0 ? usual : names.filter(isEmailName)
  const [name = ''] = found
  if (found.length === 1) {
    return {
      email: names.indexOf(name),
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

async function readJson(text: string): Promise<Row[]> {
  const array = await parseJsonText(text).catch((error: Error) => {
    throw new UserError(
      `The file cannot be read as JSON: ${error.message}.`,
      'Correct it, or choose another --format.',
    )
  })
  if (!Array.isArray(array)) {
    throw new UserError(
      'The JSON is not an array.',
      'Give a whole array of addresses, or of objects with an "email".',
    )
  }
  return array.map((value, i) => ({ place: `entry ${i + 1}`, value: entryOf(value) }))
}

function* readNdjson(text: string): Generator<Row> {
  for (const [i, line] of text.split(/\r\n?|\n/).entries()) {
    const [place, value] = [`line ${i + 1}`, parseJson(line)]
    if (line.trim() !== '')
      yield value === undefined ? { place, unparsed: line } : { place, value: entryOf(value) }
  }
}

/** Names the fault of a line that is not JSON. */
const locate = ({ place, unparsed }: Unparsed): Promise<Refused> =>
  parseJsonText(unparsed).then(
    () => ({ place, reason: 'not JSON' }),
    ({ fault: { position, reason } }: JsonTextError) => ({
      place: position ? `${place}, column ${position.column}` : place,
      reason,
    }),
  )

/** An entry is an address, or an object that has one. */
const entryOf = (value: unknown) => (typeof value === 'string' ? { email: value } : value)

import type { Readable } from 'node:stream'
import { type Parser, parse } from 'csv-parse'
import { JoinWaitlistBody } from '../../contract/schemas.js'
import type { WaitlistEntry } from '../../store/state-file.js'
import { UserError } from '../user-error.js'
import { unescapeFormula, type WaitlistFormat } from './export-formats.js'
import { jsonElements, maxEntryLength, tooLong } from './json-elements.js'
import { parseTime } from './parse-time.js'

/** A line or an entry that is invalid; `place` is e.g. `line 3`. */
export type Refused = { place: string; reason: string }
type Row = { place: string; value: unknown } | Refused

/**
 * Reads addresses row by row.
 * @param now the time of entries without one
 * @throws UserError if they have not the format
 */
export async function* readAddresses(
  input: Readable,
  format: WaitlistFormat,
  now: string,
): AsyncGenerator<WaitlistEntry | Refused> {
  for await (const row of readRows(input, format)) {
    yield 'reason' in row ? row : parseEntry(row, now)
  }
}

/** The rows as they are in the file. */
export const readRows = (input: Readable, format: WaitlistFormat): AsyncGenerator<Row> =>
  readers[format](input)

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
  return { email: address.data.email, createdAt: time }
}

const readers = { csv: readCsv, json: readJson, ndjson: readNdjson }

/** The first line has the column names; `email` is required, `createdAt` is optional. */
async function* readCsv(input: Readable): AsyncGenerator<Row> {
  let columns: string[] | undefined
  const records: Parser = input.pipe(
    parse({
      bom: true,
      max_record_size: maxEntryLength,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      // In the order of the file, and never more of them than the parser reads ahead.
      on_skip: (error) => {
        if (error?.code === 'CSV_MAX_RECORD_SIZE') records.destroy(tooLong())
        const reason = error?.message ?? 'not CSV'
        records.push({ place: `line ${error?.lines}`, reason } satisfies Refused)
      },
    }),
  )
  input.once('error', (error) => records.destroy(error))
  for await (const found of records as AsyncIterable<Refused | CsvRecord>) {
    if ('reason' in found) {
      yield found
      continue
    }
    const { info, record } = found
    if (columns) {
      const cell = (name: string) => record[columns?.indexOf(name) ?? -1]
      yield {
        place: `line ${info.lines}`,
        value: withoutEscape({ email: cell('email'), createdAt: cell('createdat') }),
      }
      continue
    }
    columns = record.map((name) => name.trim().toLowerCase())
    if (!columns.includes('email')) {
      throw new UserError(
        'The first line of the CSV has no column "email".',
        'Begin the file with a line of column names, e.g. email',
      )
    }
  }
}

type CsvRecord = { info: { lines: number }; record: string[] }

const withoutEscape = ({ email, createdAt }: { email?: string; createdAt?: string }) => ({
  email: email && unescapeFormula(email),
  ...(createdAt?.trim() && { createdAt: createdAt.trim() }),
})

async function* readJson(input: Readable): AsyncGenerator<Row> {
  let entry = 0
  for await (const json of jsonElements(input.setEncoding('utf8'))) {
    entry += 1
    yield jsonRow(`entry ${entry}`, json)
  }
}

async function* readNdjson(input: Readable): AsyncGenerator<Row> {
  let line = 0
  for await (const content of linesOf(input.setEncoding('utf8'))) {
    line += 1
    const json = line === 1 ? content.replace(/^\uFEFF/, '') : content
    if (json.trim() !== '') yield jsonRow(`line ${line}`, json)
  }
}

/** The lines of a text. One that is too long is no line of an entry, and would not fit in the memory. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > maxEntryLength) throw tooLong()
  }
  if (rest !== '') yield rest
}

/** An entry is an address, or an object that has one. */
function jsonRow(place: string, json: string): Row {
  try {
    const value: unknown = JSON.parse(json)
    return { place, value: typeof value === 'string' ? { email: value } : value }
  } catch {
    return { place, reason: 'not JSON' }
  }
}

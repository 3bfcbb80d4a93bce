import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Parser, parse } from 'csv-parse'
import { JoinWaitlistBody } from '../../contract/schemas.js'
import type { WaitlistEntry } from '../../store/state-file.js'
import { readFailure } from '../file-failure.js'
import { UserError } from '../user-error.js'
import { unescapeFormula, type WaitlistFormat } from './export-formats.js'
import { jsonElements } from './json-elements.js'
import { parseTime } from './parse-time.js'

/** Why a line is malformed. */
type Malformed = { place: string; fault: string }
/** A value to be parsed as an entry, or why the line is malformed; `place` is e.g. `line 3`. */
export type Row = { place: string; value: unknown } | Malformed

/** @returns the entry that a value stands for, or why it is invalid */
export function parseEntry(value: unknown, now: string): WaitlistEntry | string {
  const address = JoinWaitlistBody.safeParse(value)
  if (!address.success) return 'no email address'
  const { createdAt = now } = value as { createdAt?: unknown }
  const time = typeof createdAt === 'string' && parseTime(createdAt)
  if (!time) return 'createdAt is not a time such as 2026-01-31T12:00:00.000Z'
  return { email: address.data.email, createdAt: time }
}

/**
 * Reads a file of addresses row by row.
 * @param file a path, or `-` for standard input
 * @throws UserError if the file cannot be read
 */
export async function* readAddresses(file: string, format: WaitlistFormat): AsyncGenerator<Row> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  try {
    yield* readers[format](input)
  } catch (error) {
    if (error instanceof UserError || !(error as NodeJS.ErrnoException).code) throw error
    const hint = 'Give the path of a file, or - for standard input.'
    throw readFailure(file, error as NodeJS.ErrnoException, hint)
  }
}

const readers = { csv: readCsv, json: readJson, ndjson: readNdjson }

/** The first line has the column names; `email` is required, `createdAt` is optional. */
async function* readCsv(input: Readable): AsyncGenerator<Row> {
  let columns: string[] | undefined
  const records: Parser = input.pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      // In the order of the file, and never more of them than the parser reads ahead.
      on_skip: (error) => {
        records.push({
          place: `line ${error?.lines}`,
          fault: error?.message ?? 'not CSV',
        } satisfies Malformed)
      },
    }),
  )
  input.once('error', (error) => records.destroy(error))
  for await (const found of records as AsyncIterable<Malformed | CsvRecord>) {
    if ('fault' in found) {
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
    const place = `entry ${entry}`
    const value = parseJson(json)
    yield value === undefined ? { place, fault: 'not JSON' } : { place, value: toEntry(value) }
  }
}

async function* readNdjson(input: Readable): AsyncGenerator<Row> {
  let line = 0
  for await (const content of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1
    const place = `line ${line}`
    const json = line === 1 ? content.replace(/^\uFEFF/, '') : content
    if (json.trim() === '') continue
    const value = parseJson(json)
    yield value === undefined ? { place, fault: 'not JSON' } : { place, value: toEntry(value) }
  }
}

const toEntry = (value: unknown) => (typeof value === 'string' ? { email: value } : value)

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

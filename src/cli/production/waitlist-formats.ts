import { stringify } from 'csv-stringify/sync'
import type { WaitlistEntry } from '../../store/state-file.js'

const columns = ['email', 'createdAt'] as const

/** RFC 4180: CRLF, quoted if necessary. */
const csvOptions = { record_delimiter: 'windows' } as const

/**
 * A cell that a spreadsheet would run as a formula is prefixed with an apostrophe. One that begins with an apostrophe is
 * prefixed too, so that an import can tell them apart.
 */
const escapeFormula = (cell: string): string => cell.replace(/^(?=[=+\-@\t\r'])/, "'")

/** Returns the cell that `escapeFormula` was given. */
export const unescapeFormula = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r'])/, '')

/** How many entries are formatted at a time. */
const batchSize = 1000

async function* csv(entries: AsyncIterable<WaitlistEntry>): AsyncGenerator<string> {
  yield stringify([[...columns]], csvOptions)
  for await (const batch of batched(entries)) {
    yield stringify(
      batch.map((entry) => columns.map((column) => escapeFormula(entry[column]))),
      csvOptions,
    )
  }
}

/** An array, with one entry on each line. */
async function* json(entries: AsyncIterable<WaitlistEntry>): AsyncGenerator<string> {
  yield '['
  let separator = '\n  '
  for await (const batch of batched(entries)) {
    yield separator + batch.map((entry) => JSON.stringify(entry)).join(',\n  ')
    separator = ',\n  '
  }
  yield '\n]\n'
}

async function* ndjson(entries: AsyncIterable<WaitlistEntry>): AsyncGenerator<string> {
  for await (const batch of batched(entries)) {
    yield batch.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  }
}

/** Each format turns entries into text in pieces. */
export const waitlistFormats = { csv, json, ndjson }

export type WaitlistFormat = keyof typeof waitlistFormats

async function* batched<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

import { stringify } from 'csv-stringify/sync'
import type { WaitlistEntry } from '../../store/state-file.js'

const columns = ['email', 'createdAt'] as const

/** RFC 4180: CRLF, quoted where needed. What a spreadsheet would run as a formula gets an apostrophe in front. */
const csvOptions = { record_delimiter: 'windows', escape_formulas: true } as const

/** How many entries become text in one go. */
const batchSize = 1000

async function* csv(entries: AsyncIterable<WaitlistEntry>): AsyncGenerator<string> {
  yield stringify([[...columns]], csvOptions)
  for await (const batch of batched(entries)) {
    yield stringify(
      batch.map((entry) => columns.map((column) => entry[column])),
      csvOptions,
    )
  }
}

/** An array, with an entry on each line. */
async function* json(entries: AsyncIterable<WaitlistEntry>): AsyncGenerator<string> {
  yield '['
  let between = '\n  '
  for await (const batch of batched(entries)) {
    yield between + batch.map((entry) => JSON.stringify(entry)).join(',\n  ')
    between = ',\n  '
  }
  yield '\n]\n'
}

async function* ndjson(entries: AsyncIterable<WaitlistEntry>): AsyncGenerator<string> {
  for await (const batch of batched(entries)) {
    yield batch.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  }
}

/** The waitlist as text, in pieces, in each of its formats. */
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

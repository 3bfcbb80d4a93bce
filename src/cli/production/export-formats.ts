import { stringify } from 'csv-stringify/sync'
import type { AuditEntry } from '../../store/audit-log.js'
import type { WaitlistEntry } from '../../store/state-file.js'

/** RFC 4180: CRLF, quoted if necessary. */
const csvOptions = { record_delimiter: 'windows' } as const

/**
 * A cell that a spreadsheet would run as a formula is prefixed with an apostrophe. One that begins with an apostrophe is
 * prefixed too, so that an import can tell them apart.
 */
const escapeFormula = (cell: string): string => cell.replace(/^(?=[=+\-@\t\r'])/, "'")

/** Returns the cell that `escapeFormula` was given. */
export const unescapeFormula = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r'])/, '')

/** How many rows are formatted at a time. */
const batchSize = 1000

/** @param columns the properties of a row, in their order; one that is no text is JSON */
const csvOf = <Row>(columns: readonly (keyof Row & string)[]) =>
  async function* csv(rows: AsyncIterable<Row>): AsyncGenerator<string> {
    const cell = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    yield stringify([[...columns]], csvOptions)
    for await (const batch of inBatches(rows, batchSize)) {
      yield stringify(
        batch.map((row) => columns.map((column) => escapeFormula(cell(row[column])))),
        csvOptions,
      )
    }
  }

/** An array, with one row on each line. */
async function* json(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield '['
  let separator = '\n  '
  for await (const batch of inBatches(rows, batchSize)) {
    yield separator + batch.map((row) => JSON.stringify(row)).join(',\n  ')
    separator = ',\n  '
  }
  yield '\n]\n'
}

async function* ndjson(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const batch of inBatches(rows, batchSize))
    yield batch.map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** Each format turns rows into text in pieces. */
export const waitlistFormats = { csv: csvOf<WaitlistEntry>(['email', 'createdAt']), json, ndjson }
export type WaitlistFormat = keyof typeof waitlistFormats

export const auditFormats = {
  csv: csvOf<AuditEntry>([
    'at',
    'action',
    'outcome',
    'reason',
    'via',
    'operator',
    'source',
    'requestId',
    'userId',
    'sessionId',
    'target',
    'details',
    'id',
  ]),
  ndjson,
}

/** Rows in arrays of a size. */
export async function* inBatches<Row>(rows: AsyncIterable<Row>, size: number): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

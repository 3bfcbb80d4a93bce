import { stringify } from 'csv-stringify/sync'
import { formatRows } from '../output/format-rows.js'

/**
 * RFC 4180: CRLF, quoted if necessary: also where a reader would end a line, divide cells by a semicolon or a tab, or
 * trim.
 */
const csvOptions = { record_delimiter: 'windows', quoted_match: /^\s|\s$|[\r\n;\t]/ } as const

/**
 * A cell that a spreadsheet would run as a formula is prefixed with an apostrophe. One that begins with an apostrophe is
 * prefixed too, so that an import can tell them apart.
 */
const escapeFormula = (cell: string): string => cell.replace(/^(?=[=+\-@＝＋－＠\t\r\n'])/, "'")

/** Returns the cell that `escapeFormula` was given. */
export const unescapeFormula = (cell: string): string => cell.replace(/^'(?=[=+\-@＝＋－＠\t\r\n'])/, '')

type Format<Row> = (rows: AsyncIterable<Row>) => AsyncIterable<string>

/** @param columns the properties of a row, in their order; one that is no text is JSON */
function csvOf<Row>(columns: (keyof Row & string)[]): Format<Row> {
  const cell = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  const cells = (row: Row) => columns.map((column) => escapeFormula(cell(row[column])))
  const start = stringify([columns], csvOptions)
  return (rows) => formatRows(rows, (chunk) => stringify(chunk.map(cells), csvOptions), { start })
}

/** An array, with one row on each line. */
const json: Format<unknown> = (rows) =>
  formatRows(rows, (chunk) => chunk.map((row) => `\n  ${JSON.stringify(row)}`).join(','), inArray)
const inArray = { start: '[', between: ',', end: '\n]\n' }

const ndjson: Format<unknown> = (rows) =>
  formatRows(rows, (chunk) => chunk.map((row) => `${JSON.stringify(row)}\n`).join(''))

export type FormatName = 'csv' | 'json' | 'ndjson'

/** Turns rows into text in pieces. @param columns those of CSV; the other formats have all properties */
export const formatOf = <Row>(name: FormatName, columns: (keyof Row & string)[]): Format<Row> =>
  ({ csv: csvOf<Row>(columns), json, ndjson })[name]

import { stripVTControlCharacters } from 'node:util'
import { refuseDatabaseFile, writeAtomically } from '../files.js'
import type { UserError } from '../user-error.js'
import { type Columns, tabSeparated } from './columns.js'
import { formatRows } from './format-rows.js'
import {
  canShowLive,
  hasColours,
  paint,
  printJson,
  printLine,
  printMessage,
  terminalSize,
  writeAll,
  writeData,
  writeJson,
  writeRaw,
} from './output.js'
import { printable } from './printable.js'

/** What a command prints: messages, and data as lines, as the fields of an object, as a table, or as a document. */
export type Result = {
  message?: string | string[] | undefined
  /** For `--json`, on one line. Without it, a table is the property `name` of an object. */
  data?: unknown
  /** For pipes and terminals. */
  lines?: string[]
  fields?: [name: string, value: string | undefined][]
  table?: TableData
  /** Text, or what is printed as indented JSON, also with `--json` unless there are other data for it. */
  document?: unknown
  /** Where the document is written, atomically, in place of stdout. */
  file?: string | undefined
  /** Messages that come after the data. */
  hints?: string[]
  /** Thrown at the end, where data tell of a failure. */
  failure?: UserError | undefined
}

/** A list; `emptyText` is shown on a terminal if it is empty. Rows that are no array are read as they are needed. */
export type TableData = {
  name?: string
  // biome-ignore lint/suspicious/noExplicitAny: a table of any rows
  columns: Columns<any>
  rows: unknown[] | AsyncIterable<unknown>
  emptyText?: string
}

/**
 * Prints a result: as JSON if `json` is set, as a coloured table on a terminal, else as plain lines.
 * @throws its failure
 */
export async function show(result: Result, json = false): Promise<void> {
  const { message = [], data, lines, fields, table, document, hints = [], failure } = result
  for (const text of [message].flat()) printMessage(printable(text))
  if (document !== undefined && !(json && data)) await showDocument(document, result.file)
  else if (json && data === undefined && table) await writeAll(jsonChunks(table), true)
  else if (json) printJson(data)
  else if (table) await showTable(table)
  else if (fields) fieldLines(fields).forEach(printFormatted)
  else lines?.forEach(printLine)
  for (const hint of hints) printMessage(printable(hint))
  if (failure) throw failure
}

async function showDocument(document: unknown, file?: string): Promise<void> {
  const text = typeof document === 'string' ? document : `${JSON.stringify(document, null, 2)}\n`
  if (file !== undefined) {
    refuseDatabaseFile(file)
    await writeAtomically(file, [text])
    printMessage(printable(`Wrote ${file}.`))
  } else if (text === document) writeData(text)
  else writeJson(text)
}

/** A list that is read as needed and is higher than the screen of a terminal opens in a pager. */
async function showTable(table: TableData): Promise<void> {
  const { columns, rows } = table
  if (!process.stdout.isTTY) return writeAll(lineChunks(table))
  if (Array.isArray(rows)) return printFormatted(await renderTable(table, rows))
  const iterator = rows[Symbol.asyncIterator]()
  const maxRows = Math.max(terminalSize().height - 2, 1)
  const first = await take(iterator, maxRows + 1)
  if (first.length <= maxRows) return printFormatted(await renderTable(table, first))
  if (!canShowLive()) return writeAll(lineChunks({ columns, rows: concat(first, iterator) }))
  const { showPager } = await import('../terminal/pager.js')
  await showPager(columns, first, () => take(iterator, 500))
}

async function renderTable({ columns, emptyText = '' }: TableData, rows: unknown[]): Promise<string> {
  const [{ renderToString }, { Table }] = await Promise.all([import('ink'), import('./table.js')])
  const { width } = terminalSize()
  const frame = renderToString(Table({ columns, rows, emptyText, width }), { columns: width })
  return hasColours() ? frame : stripVTControlCharacters(frame)
}

const jsonChunks = ({ name, rows }: TableData) => {
  const around = { start: `{${JSON.stringify(name)}:[`, between: ',', end: ']}\n' }
  return formatRows(rows, (chunk) => chunk.map((row) => JSON.stringify(row)).join(','), around)
}

const lineChunks = ({ columns, rows }: TableData) => {
  const { header, lineOf } = tabSeparated(columns)
  const toLines = (chunk: unknown[]) => chunk.map((row) => `${lineOf(row)}\n`).join('')
  return formatRows(rows, toLines, { start: `${header}\n` })
}

async function* concat<Row>(first: Row[], rest: AsyncIterator<Row>): AsyncGenerator<Row> {
  yield* first
  yield* { [Symbol.asyncIterator]: () => rest }
}

async function take<Row>(rows: AsyncIterator<Row>, count: number): Promise<Row[]> {
  const taken: Row[] = []
  while (taken.length < count) {
    const { done, value } = await rows.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

/** One line for each field. */
function fieldLines(fields: NonNullable<Result['fields']>): string[] {
  if (!process.stdout.isTTY) return fields.map(([name, value = '']) => `${name}\t${printable(value)}`)
  const width = Math.max(...fields.map(([name]) => name.length)) + 2
  return fields.map(([name, value = '']) => paint('bold', name.padEnd(width)) + printable(value))
}

const printFormatted = (line: string) => writeRaw(`${line}\n`)

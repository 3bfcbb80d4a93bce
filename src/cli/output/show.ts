import { refuseDatabaseFile, writeAtomically } from '../files.js'
import type { UserError } from '../user-error.js'
import { type Columns, tabSeparated } from './columns.js'
import { formatRows } from './format-rows.js'
import {
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
import { formatCount } from './pluralize.js'
import { printable, printableJson } from './printable.js'

/** The output of a command: messages, and data as lines, as the fields of an object, as a table, or as a document. */
export type CommandResult = {
  message?: string | string[] | undefined
  /** Printed with `--json`, on one line. If left out, `--json` prints the rows of the table in an object. */
  data?: unknown
  /** Printed without `--json`. */
  lines?: string[]
  fields?: [name: string, value: string | undefined][]
  table?: TableData
  /** Text, or a value that is printed as indented JSON; also with `--json`, unless `data` is given. */
  document?: unknown
  /** The file that the document is written to, atomically, instead of stdout. */
  file?: string | undefined
  /** Messages after the data. */
  hints?: string[]
  /** Thrown after everything is printed. */
  failure?: UserError | undefined
}

/** A list. Rows are read while they are printed. */
export type TableData = {
  /** The name of the list in the object that `--json` prints. */
  name?: string
  // biome-ignore lint/suspicious/noExplicitAny: a table of any rows
  columns: Columns<any>
  rows: Iterable<unknown> | AsyncIterable<unknown>
  /** Other values of the object that `--json` prints. */
  beside?: object
  /** The number of rows. With it, a terminal shows the first ones and how many more there are. */
  count?(): Promise<number>
  /** Shown on a terminal if the list is empty. */
  emptyText?: string
}

/**
 * Prints a result: as JSON if `json` is set, as a coloured table on a terminal, else as plain lines.
 * @throws its failure
 */
export async function show(result: CommandResult, json = false): Promise<void> {
  const { message = [], data, lines, fields, table, document, hints = [], failure } = result
  for (const text of [message].flat()) printMessage(printable(text))
  if (document !== undefined && !(json && data)) await showDocument(document, result.file)
  else if (json && data === undefined && table) await writeAll(jsonChunks(table), printableJson)
  else if (json) printJson(data)
  else if (table && process.stdout.isTTY) await showOnTerminal(table)
  else if (table) await writeAll(lineChunks(table))
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

/** Rows of a long table on a terminal: more would scroll away. */
const rowsOnTerminal = 50

async function showOnTerminal({ rows, count, ...table }: TableData): Promise<void> {
  if (!count) return writeAll(renderedLines({ rows, ...table }), asTheyAre)
  const shown: unknown[] = []
  let isLonger = false
  for await (const row of rows) {
    isLonger = shown.length === rowsOnTerminal
    if (isLonger) break
    shown.push(row)
  }
  await writeAll(renderedLines({ rows: shown, ...table }), asTheyAre)
  if (!isLonger) return
  const more = Math.max(1, (await count()) - rowsOnTerminal)
  printMessage(`${formatCount(more)} more. A pipe gets all of them, as in "| less -S".`)
}

/** Cells of tables have visible control characters already, and the lines have styles. */
const asTheyAre = (text: string) => text

/** The lines of a table for a terminal. The first chunk of rows determines the widths of the columns. */
async function* renderedLines({ columns, rows, emptyText = '' }: TableData): AsyncGenerator<string> {
  const { joinCells, layoutTable } = await import('./layout-table.js')
  let layout: ReturnType<typeof layoutTable> | undefined
  yield* formatRows(rows, (chunk) => {
    const lines: string[] = []
    if (!layout) {
      layout = layoutTable(columns, chunk, terminalSize().width)
      lines.push(paint('underline', paint('bold', layout.header.trimEnd())))
    }
    for (const row of chunk) lines.push(joinCells(layout.cellsOf(row), paint))
    return `${lines.join('\n')}\n`
  })
  if (!layout) yield `${paint('dim', emptyText)}\n`
}

const jsonChunks = ({ name, rows, beside = {} }: TableData) => {
  const before = Object.entries(beside).map(
    (pair) => `${pair.map((each) => JSON.stringify(each)).join(':')},`,
  )
  const around = { start: `{${before.join('')}${JSON.stringify(name)}:[`, between: ',', end: ']}\n' }
  return formatRows(rows, (chunk) => chunk.map((row) => JSON.stringify(row)).join(','), around)
}

const lineChunks = ({ columns, rows }: TableData) => {
  const { header, lineOf } = tabSeparated(columns)
  const toLines = (chunk: unknown[]) => chunk.map((row) => `${lineOf(row)}\n`).join('')
  return formatRows(rows, toLines, { start: `${header}\n` })
}

/** One line for each field. */
function fieldLines(fields: NonNullable<CommandResult['fields']>): string[] {
  if (!process.stdout.isTTY) return fields.map(([name, value = '']) => `${name}\t${printable(value)}`)
  const width = Math.max(...fields.map(([name]) => name.length)) + 2
  return fields.map(([name, value = '']) => paint('bold', name.padEnd(width)) + printable(value))
}

const printFormatted = (line: string) => writeRaw(`${line}\n`)

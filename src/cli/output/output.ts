import { once } from 'node:events'
import { stripVTControlCharacters, styleText } from 'node:util'
import type { ReactElement } from 'react'
import type { LogEntry } from '../../mock/core/request-log.js'
import { type Column, cellsOf, tabSeparated, tonesOf } from './columns.js'
import { logColumns, logLine, type Paint } from './log-line.js'
import { printable } from './printable.js'

// The one module that writes: data on stdout, messages on stderr.

/** Something to print, in each of its forms. */
export type Shown = {
  /** For `--json`, on one line. */
  data: unknown
  /** For a pipe, and for a terminal where there is no view. */
  lines: string[]
  /** For a terminal; loaded only there. */
  view?: View
}

/** Makes what Ink draws, for a terminal of this width. */
export type View = (width: number) => Promise<ReactElement>

/** A reader that goes away early (`| head -1`) is no failure: what is left to say, nobody wants to hear. */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit()
    })
  }
}

export const writeData = (text: string): void => void process.stdout.write(text)
/** Messages quote what came from outside: none of it may reach the terminal as anything but text. */
export const writeMessage = (text: string): void =>
  void process.stderr.write(text.replace(/[^\n]+/g, printable))

/** A line of data. */
export const printLine = (text: string): void => writeData(`${text}\n`)
/** A line of JSON data; of the control characters JSON escapes only half, and some terminals obey the others. */
export const printJson = (data: unknown): void =>
  printLine(
    JSON.stringify(data).replace(/[\u007f-\u009f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
  )
/** A line for the reader, kept apart from the data; not written where `--quiet` is given. */
export const printMessage = (text: string): void => void (isQuiet || printError(text))
/** A line that says what went wrong. */
export const printError = (text: string): void => writeMessage(`${text}\n`)

let isQuiet = false
/** From now on nothing is written but data and what went wrong. */
export const beQuiet = (): void => {
  isQuiet = true
}

/** Small pieces are written together: a call for each would take longer than making them. */
const writtenAtOnce = 65_536

/** Data in pieces, no faster than the reader takes them. */
export async function writeAll(chunks: AsyncIterable<string>): Promise<void> {
  let held = ''
  for await (const chunk of chunks) {
    held += chunk
    if (held.length < writtenAtOnce) continue
    if (!process.stdout.write(held)) await once(process.stdout, 'drain')
    held = ''
  }
  writeData(held)
}

/** Prints in the form that fits: JSON where it was asked for, Ink on a terminal, else plain lines. */
export async function show({ data, lines, view }: Shown, json = false): Promise<void> {
  if (json) printJson(data)
  else if (process.stdout.isTTY && view) printLine(await draw(view))
  else lines.forEach(printLine)
}

/** Prints a list. `nothing` says in words that it is empty. */
export async function showTable<Row>(
  list: { data: unknown; columns: Column<Row>[]; rows: Row[]; nothing: string },
  json = false,
): Promise<void> {
  const { data, columns, rows, nothing } = list
  const [cells, tones] = [cellsOf(columns, rows), tonesOf(columns, rows)]
  const view: View = async (width) =>
    (await import('../terminal/views/table.js')).Table({ columns, cells, tones, nothing, width })
  await show({ data, lines: tabSeparated(columns, rows), view }, json)
}

/** Prints one thing: each field with its name. */
export async function showRecord(
  record: { data: unknown; fields: [name: string, value: string | undefined][] },
  json = false,
): Promise<void> {
  const fields = record.fields.map(([name, value = '']): [string, string] => [name, printable(value)])
  const view: View = async () => (await import('../terminal/views/record.js')).Record({ fields })
  await show({ data: record.data, lines: fields.map((field) => field.join('\t')), view }, json)
}

/**
 * Prints the log entry by entry: JSON lines where they were asked for, coloured lines on a terminal, else a header
 * and tabs between.
 */
export function showLog(json = false): (entry: LogEntry) => void {
  if (json) return printJson
  if (process.stdout.isTTY) return (entry) => printLine(logLine(entry, paint))
  printLine(logColumns.map(({ title }) => title).join('\t'))
  return (entry) => tabSeparated(logColumns, [entry]).slice(1).forEach(printLine)
}

const paint: Paint = (style, text) => (colourful() ? styleText(style, text) : text)

/** Progress is drawn over and over on standard error, while data may go through standard output. */
export const canShowProgress = (): boolean => Boolean(process.stderr.isTTY) && colourful() && !isQuiet

const colourful = () => !process.env.NO_COLOR && process.env.TERM !== 'dumb'

/** A live view moves the cursor and reads keys: a full terminal at both ends, that wants escape codes. */
export const canShowLive = (): boolean =>
  Boolean(process.stdout.isTTY && process.stdin.isTTY && process.stdout.columns) && colourful()

/** In columns and rows; what is usual where the terminal does not say. */
export const terminalSize = () => ({ width: process.stdout.columns || 80, height: process.stdout.rows || 24 })

async function draw(view: View): Promise<string> {
  const { renderToString } = await import('ink')
  const { width: columns } = terminalSize()
  const frame = renderToString(await view(columns), { columns })
  return colourful() ? frame : stripVTControlCharacters(frame)
}

import { once } from 'node:events'
import { styleText } from 'node:util'
import { asInstalled } from '../package.js'
import type { Style } from './columns.js'
import { printable, printableJson, printableLines } from './printable.js'

// The only module that writes: data to stdout, messages to stderr. Control characters are made visible on a terminal. In a pipe, JSON
// has them escaped, so that its value is unchanged, and other data are unchanged.

let isChangingData = false

/** A failed write to stdout no longer ends the process: half of a change would be worse than a missing report. */
export const ignoreClosedOutput = (): void => {
  isChangingData = true
}

let handleOutputError = (error: NodeJS.ErrnoException): void => {
  const isClosed = error.code === 'EPIPE'
  if (!isClosed && !process.exitCode) {
    printError(`error: Standard output cannot be written: ${error.message}.`)
    process.exitCode = 1
  }
  if (!isChangingData) process.exit()
}

/** Replaces the handling of failed writes to stdout. */
export const onOutputError = (handle: (error: Error) => void): void => {
  handleOutputError = handle
}

/**
 * Ends the process if stdout cannot be written: with 0 if the reader closes the pipe early (`| head -1`), otherwise with
 * 1, for example on a full disk. A failed write to stderr never ends the process.
 */
export function exitOnOutputErrors(): void {
  process.stdout.on('error', (error) => handleOutputError(error))
  process.stderr.on('error', () => {})
}

type Write = (text: string, done?: (error?: Error | null) => void) => boolean
let writeOut: Write = (text, done) => process.stdout.write(text, done)

/** Leads to stderr what other code writes to stdout, such as `console.log` in a file of handlers: stdout has data alone. */
export function keepStdoutForData(): void {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  writeOut = (text, done) => write(text, done)
  stdout.write = stderr.write.bind(stderr)
}

/** Writes text to stdout whose control characters are visible already. */
export const writeRaw = (text: string): void => void writeOut(text)

const shown = (text: string, toPrintable: (text: string) => string): string =>
  process.stdout.isTTY || toPrintable === printableJson ? toPrintable(text) : text

/** Writes lines of text to stdout. */
export const writeData = (text: string): void => writeRaw(shown(text, printableLines))
/** Writes JSON text to stdout. */
export const writeJson = (json: string, done?: (error?: Error | null) => void): void =>
  void writeOut(printableJson(json), done)
/** Replaces the current line on stderr, which must be a terminal. The text is cut to its width. */
export function writeStatus(text: string): void {
  const line = printable(text).slice(0, (process.stderr.columns || 80) - 1)
  process.stderr.write(`\r\x1b[2K${line.replace(/^█+/, (bar) => paint('green', bar))}`)
}

export const printLine = (text: string): void => writeData(`${text}\n`)
/** Prints JSON on one line. */
export const printJson = (data: unknown): void => writeJson(`${JSON.stringify(data)}\n`)
/** Prints a message to stderr, unless `--quiet` is given. */
export const printMessage = (text: string): void => void (isQuiet || printError(text))
/** Prints an error to stderr. Errors quote input, so control characters are visible in a pipe too. */
export const printError = (text: string): void => writeMessage(`${text}\n`)
export const writeMessage = (text: string): void =>
  void process.stderr.write(printableLines(asInstalled(text)))

let isQuiet = false
/** Hides messages and progress, for `--quiet`. Data and errors are still written. */
export const hideMessages = (): void => {
  isQuiet = true
}

/**
 * Writes data in chunks of whole lines, or of JSON text, with back-pressure.
 * @param toPrintable makes the control characters of a chunk visible on a terminal
 */
export async function writeAll(chunks: AsyncIterable<string>, toPrintable = printableLines): Promise<void> {
  for await (const chunk of chunks) {
    // exitOnOutputErrors() handles errors.
    if (!writeOut(shown(chunk, toPrintable))) {
      await once(process.stdout, 'drain').catch(() => {})
    }
  }
}

const hasColours = () => !process.env.NO_COLOR && process.env.TERM !== 'dumb'

export const paint = (style: Style | 'bold' | 'underline', text: string): string =>
  hasColours() ? styleText(style, text) : text

/** Whether stderr can show progress, also while data is written to stdout. */
export const canShowProgress = (): boolean => Boolean(process.stderr.isTTY) && hasColours() && !isQuiet

/** Whether the terminal can show a view that moves the cursor and reads keys. */
export const canShowLive = (): boolean =>
  Boolean(process.stdout.isTTY && process.stdin.isTTY && process.stdout.columns) && hasColours()

/** The size of the terminal in columns and rows; 80 by 24 if unknown. */
export const terminalSize = () => ({ width: process.stdout.columns || 80, height: process.stdout.rows || 24 })

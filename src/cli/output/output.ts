import { once } from 'node:events'
import { styleText } from 'node:util'
import { asInstalled } from '../package.js'
import type { Style } from './columns.js'
import { printable, printableJson, printableLines } from './printable.js'

// The only module that writes: data to stdout, messages to stderr. On a terminal, whatever is not a rendered view has
// its control characters made visible; a pipe gets the data as they are.

/**
 * Exits if stdout cannot be written: quietly if the reader closes the pipe early (`| head -1`), otherwise with 1, for
 * example on a full disk. A change of data goes on (`ignoreClosedOutput`), and so does a service (`serveWithoutOutput`). Messages that
 * cannot be written end nothing.
 */
export function exitOnOutputErrors(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isService) return reportLostLog(error)
    if (error.code === 'EPIPE') return isChangingData || process.exit()
    if (!process.exitCode) printError(`error: Standard output cannot be written: ${error.message}.`)
    if (!isChangingData) process.exit(1)
    process.exitCode = 1
  })
  process.stderr.on('error', () => {})
}

let isChangingData = false
let isService = false
let isLogLost = false

/** From now on output that cannot be written does not end the process: half of a change is worse than no report of it. */
export const ignoreClosedOutput = (): void => {
  isChangingData = true
}

/** From now on output that cannot be written is lost, and the process goes on: responses matter more than their log. */
export const serveWithoutOutput = (): void => {
  isService = true
}

function reportLostLog({ message }: Error): void {
  if (!isLogLost) printError(`warning: The log cannot be written, and is lost until it can be: ${message}.`)
  isLogLost = true
}

/** How much of a log waits in memory for its reader, in bytes. */
const maxUnreadLog = 16 * 1024 * 1024

/** Writes lines of a service's log, which are JSON. What a stalled reader would leave in memory is lost. */
export function writeLog(json: string): void {
  const { stdout } = process
  if (stdout.writableLength > maxUnreadLog) {
    reportLostLog(new Error('its reader has stopped'))
    return
  }
  stdout.write(onTerminal(json, printableJson), (error) => {
    if (error || !isLogLost || stdout.writableLength > 0) return
    isLogLost = false
    printError('The log can be written again.')
  })
}

/** Writes to stdout as it is: for what is rendered already. */
export const writeRaw = (text: string): void => void process.stdout.write(text)
const onTerminal = (text: string, toPrintable: (text: string) => string): string =>
  process.stdout.isTTY ? toPrintable(text) : text
/** Writes lines of text to stdout. */
export const writeData = (text: string): void => writeRaw(onTerminal(text, printableLines))
/** Writes JSON text to stdout. */
export const writeJson = (json: string): void => writeRaw(onTerminal(json, printableJson))
/** Writes to stderr. Messages quote input, so control characters are visible in a pipe too. */
export const writeMessage = (text: string): void =>
  void process.stderr.write(printableLines(asInstalled(text)))
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
export const printError = (text: string): void => writeMessage(`${text}\n`)

let isQuiet = false
/** Suppresses messages and progress. Data and errors are still written. */
export const hideMessages = (): void => {
  isQuiet = true
}

/** Writes data in chunks of whole lines, or of JSON text, with back-pressure. */
export const writeAll = (chunks: AsyncIterable<string>, isJson = false): Promise<void> =>
  writeRendered(chunks, isJson ? printableJson : printableLines)

/** Writes chunks whose control characters are visible already. */
export async function writeRendered(
  chunks: AsyncIterable<string>,
  toPrintable = (text: string) => text,
): Promise<void> {
  for await (const chunk of chunks) {
    // Errors are handled by their listener.
    if (!process.stdout.write(onTerminal(chunk, toPrintable))) {
      await once(process.stdout, 'drain').catch(() => {})
    }
  }
}

export const hasColours = () => !process.env.NO_COLOR && process.env.TERM !== 'dumb'

export const paint = (style: Style | 'bold' | 'underline', text: string): string =>
  hasColours() ? styleText(style, text) : text

/** Whether stderr can show progress. Data may go to stdout at the same time. */
export const canShowProgress = (): boolean => Boolean(process.stderr.isTTY) && hasColours() && !isQuiet

/** Whether a live view, which moves the cursor and reads keys, can be shown. */
export const canShowLive = (): boolean =>
  Boolean(process.stdout.isTTY && process.stdin.isTTY && process.stdout.columns) && hasColours()

/** In columns and rows; 80 by 24 if unknown. */
export const terminalSize = () => ({ width: process.stdout.columns || 80, height: process.stdout.rows || 24 })

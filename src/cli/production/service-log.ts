import { onOutputError, printError, writeJson } from '../output/output.js'

/** How much of the log is buffered for a slow reader, in bytes. */
const maxUnreadBytes = 16 * 1024 * 1024

/**
 * Creates the log of a service, whose lines are JSON. The lines of one event-loop turn are written at once: a write takes
 * longer than a line. The rest is written when the process exits, also after an uncaught error. Lines before `open` are
 * held back, so that "listening" is the first one. From now on a failed write to stdout no longer ends the process, and
 * lines are dropped while the buffer for a stalled reader is full: responses matter more than their log.
 */
export function createServiceLog() {
  let lines: string[] = []
  let isOpen = false
  let isLost = false

  const reportLoss = ({ message }: Error) => {
    if (!isLost) printError(`warning: The log cannot be written, and is lost until it can be: ${message}.`)
    isLost = true
  }
  const flush = () => {
    if (!isOpen || lines.length === 0) return
    const text = lines.join('')
    lines = []
    if (process.stdout.writableLength > maxUnreadBytes) {
      reportLoss(new Error(`more than ${maxUnreadBytes / 1024 / 1024} MiB wait to be written`))
      return
    }
    writeJson(text, (error) => {
      if (error || !isLost || process.stdout.writableLength > 0) return
      isLost = false
      printError('The log can be written again.')
    })
  }

  onOutputError(reportLoss)
  process.once('exit', flush)
  return {
    write(line: string): void {
      if (lines.push(line) === 1) setImmediate(flush)
    },
    open(): void {
      isOpen = true
      flush()
    },
  }
}

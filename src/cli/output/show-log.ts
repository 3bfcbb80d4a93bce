import type { LogEntry } from '../../mock/log/log-entry.js'
import { tabSeparated } from './columns.js'
import { logColumns } from './log-cells.js'
import { paint, printJson, printLine, writeRaw } from './output.js'

/** Prints log entries as they come: JSON lines, coloured lines on a terminal, else tab-separated with a header. */
export async function showLog(json = false): Promise<(entry: LogEntry) => void> {
  if (json) return printJson
  if (process.stdout.isTTY) {
    const { logLine } = await import('./log-line.js')
    return (entry) => writeRaw(`${logLine(entry, paint, process.stdout.columns)}\n`)
  }
  const { header, lineOf } = tabSeparated(logColumns)
  printLine(header)
  return (entry) => printLine(lineOf(entry))
}

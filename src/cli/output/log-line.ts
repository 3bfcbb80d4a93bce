import type { LogEntry } from '../../mock/log/log-entry.js'
import { signedOut } from '../../mock/state/limit-words.js'
import type { Columns, Style } from './columns.js'
import { joinCells, layoutTable } from './layout-table.js'
import { isForced, requestText, responseText, statusColour, timeText, whyText } from './log-cells.js'

// Each line is laid out by itself: the padding aligns most of them.
const columns: Columns<LogEntry> = {
  Id: { value: ({ id }) => String(id).padEnd(4), style: 'dim' },
  Time: { value: timeText, style: 'dim' },
  Request: { value: (entry) => requestText(entry).padEnd(20), minWidth: 12 },
  Response: {
    value: (entry) => responseText(entry).padEnd(24),
    style: ({ status }) => statusColour(status),
  },
  Session: { value: ({ session }) => (session ?? signedOut).padEnd(15), minWidth: 12 },
  Why: {
    value: (entry) => `${whyText(entry)} · ${Math.round(entry.ms)} ms`,
    style: (entry) => (isForced(entry) ? 'cyan' : 'dim'),
    minWidth: 12,
  },
}

/** An entry as a line for a terminal. If the terminal is narrow, cells are cut and the last ones are left out. */
export const logLine = (
  entry: LogEntry,
  paint: (style: Style, text: string) => string,
  width = Number.POSITIVE_INFINITY,
): string => joinCells(layoutTable(columns, [entry], width).cellsOf(entry), paint)

import type { LogEntry } from '../../mock/core/log-entry.js'
import type { Columns, Style } from './columns.js'
import { joinCells, layoutTable } from './layout-table.js'
import { isForced, requestText, responseText, statusColour, timeText } from './log-cells.js'

// Each line is laid out by itself: the padding aligns most of them.
const columns: Columns<LogEntry> = {
  Id: [({ id }) => String(id).padEnd(4), 'dim'],
  Time: [timeText, 'dim'],
  'Request*': [(entry) => requestText(entry).padEnd(20), undefined, 12],
  Response: [(entry) => responseText(entry).padEnd(24), ({ status }) => statusColour(status)],
  'Session*': [({ session }) => (session ?? '-').padEnd(15), undefined, 12],
  'Why*': [
    ({ why, ms }) => `${why} · ${Math.round(ms)} ms`,
    (entry) => (isForced(entry) ? 'cyan' : 'dim'),
    12,
  ],
}

/** An entry as a line for people. On a narrow terminal its cells are cut, and the last ones left out; it is never wrapped. */
export const logLine = (
  entry: LogEntry,
  paint: (style: Style, text: string) => string,
  width = Number.POSITIVE_INFINITY,
): string => joinCells(layoutTable(columns, [entry], width).cellsOf(entry), paint)

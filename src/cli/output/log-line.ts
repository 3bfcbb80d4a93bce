import type { LogEntry } from '../../mock/core/log-entry.js'
import type { Colour, Columns } from './columns.js'
import { columnGap, fitColumns } from './fit-columns.js'
import { printable } from './printable.js'

/** Green for success, yellow for 4xx, red for 5xx, magenta without a response. */
export const statusColour = (status: number): Colour => {
  if (status === 0) return 'magenta'
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

/** E.g. `POST /v1/projects`, `query GetUser`, or `GET /v1/projects ⚠ ignores ?_page&status`. */
export const requestText = ({ method, path, graphql, ignoredQuery }: LogEntry): string =>
  `${graphql ?? `${method} ${path}`}${ignoredQuery ? ` ⚠ ignores ?${ignoredQuery.join('&')}` : ''}`

/** E.g. `409 PROJECT_NAME_TAKEN`. */
export const responseText = ({ status, code }: LogEntry): string =>
  [status === 0 ? 'no response' : status, code].filter((part) => part !== undefined).join(' ')

/** Whether a scenario, chaos or a Prefer header decided the response. */
export const isForced = ({ forcedBy }: LogEntry): boolean => forcedBy !== undefined

/** The local time of day. */
export const timeText = ({ time }: LogEntry): string => new Date(time).toTimeString().slice(0, 8)

/** The columns of the log for programs. */
export const logColumns: Columns<LogEntry> = {
  ...{ Id: 'id', Time: 'time', Method: 'method', Path: 'path', Status: 'status', Code: 'code' },
  ...{ Session: 'session', Why: 'why', ms: ({ ms }) => Math.round(ms) },
}

/** Colours text, or returns it as it is if colours are off. */
export type Paint = (style: Colour | 'dim' | 'cyan' | 'bold', text: string) => string

const layout = [
  { title: 'id' },
  { title: 'time' },
  { title: 'request', shrinks: true, minWidth: 12 },
  { title: 'response' },
  { title: 'session', shrinks: true, minWidth: 12 },
  { title: 'why', shrinks: true, minWidth: 12 },
]

/** An entry as a line for people. On a narrow terminal its cells are cut, and the last ones left out; it is never wrapped. */
export function logLine(entry: LogEntry, paint: Paint, width = Number.POSITIVE_INFINITY): string {
  const { id, status, session, why, ms } = entry
  const cells: [text: string, atLeast: number, style?: Parameters<Paint>[0]][] = [
    [String(id), 4, 'dim'],
    [timeText(entry), 0, 'dim'],
    [requestText(entry), 20],
    [responseText(entry), 24, statusColour(status)],
    [session ?? '-', 15],
    [`${why} · ${Math.round(ms)} ms`, 0, isForced(entry) ? 'cyan' : 'dim'],
  ]
  const texts = cells.map(([text, atLeast]) => printable(text).padEnd(atLeast))
  const widths = fitColumns(layout, [texts], width)
  const painted = texts.map((text, i) => {
    const shown = cut(text, widths[i] ?? 0)
    const style = cells[i]?.[2]
    return style ? paint(style, shown) : shown
  })
  return painted.filter((_, i) => widths[i] !== 0).join(' '.repeat(columnGap))
}

const cut = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text

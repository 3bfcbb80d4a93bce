import type { LogEntry } from '../../mock/core/log-entry.js'
import type { Colour, Columns } from './columns.js'
import { printable } from './printable.js'

/** Green for success, yellow for 4xx, red for 5xx, magenta without a response. */
export const statusColour = (status: number): Colour => {
  if (status === 0) return 'magenta'
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

/** E.g. `POST /v1/projects`, or `GET /v1/projects ⚠ ignores ?_page&status`. */
export const requestText = ({ method, path, ignoredQuery }: LogEntry): string =>
  `${method} ${path}${ignoredQuery ? ` ⚠ ignores ?${ignoredQuery.join('&')}` : ''}`

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

/** An entry as a line for people. */
export function logLine(entry: LogEntry, paint: Paint): string {
  const { id, status, session, why, ms } = entry
  const cell = (text: string, width: number) => printable(text).padEnd(width)
  return [
    paint('dim', cell(String(id), 4)),
    paint('dim', timeText(entry)),
    cell(requestText(entry), 20),
    paint(statusColour(status), cell(responseText(entry), 24)),
    cell(session ?? '-', 15),
    paint(isForced(entry) ? 'cyan' : 'dim', `${printable(why)} · ${Math.round(ms)} ms`),
  ].join('  ')
}

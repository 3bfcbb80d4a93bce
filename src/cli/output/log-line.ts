import type { LogEntry } from '../../mock/core/request-log.js'
import type { Column } from './columns.js'
import { printable } from './printable.js'

export type Colour = 'green' | 'yellow' | 'red' | 'magenta'

/** The colour of an answer: of a success, the caller's mistake, the server's, and of none at all. */
export const statusColour = (status: number): Colour => {
  if (status === 0) return 'magenta'
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

/** What was asked, e.g. `POST /v1/projects`. */
export const requestOf = ({ method, path }: LogEntry): string => `${method} ${path}`

/** What came of it, e.g. `409 PROJECT_NAME_TAKEN`. */
export const answerOf = ({ status, code }: LogEntry): string =>
  [status === 0 ? 'no answer' : status, code].filter((part) => part !== undefined).join(' ')

/** Whether the mock was told to answer so. */
export const isForced = ({ why }: LogEntry): boolean => /^(scenario|Prefer)\b/.test(why)

/** The time of the day here. */
export const timeOf = ({ time }: LogEntry): string => new Date(time).toTimeString().slice(0, 8)

/** The columns of the log where it is read by a program. */
export const logColumns: Column<LogEntry>[] = [
  { title: 'Id', value: ({ id }) => String(id) },
  { title: 'Time', value: ({ time }) => time },
  { title: 'Method', value: ({ method }) => method },
  { title: 'Path', value: ({ path }) => path },
  { title: 'Status', value: ({ status }) => String(status) },
  { title: 'Code', value: ({ code }) => code },
  { title: 'Session', value: ({ session }) => session },
  { title: 'Why', value: ({ why }) => why },
  { title: 'ms', value: ({ ms }) => String(Math.round(ms)) },
]

/** Text in a colour, or as it is. */
export type Paint = (style: Colour | 'dim' | 'cyan', text: string) => string

/** An entry as a line for the reader. */
export function logLine(entry: LogEntry, paint: Paint): string {
  const { id, status, session, why, ms } = entry
  const cell = (text: string, width: number) => printable(text).padEnd(width)
  return [
    paint('dim', cell(String(id), 4)),
    paint('dim', timeOf(entry)),
    cell(requestOf(entry), 20),
    paint(statusColour(status), cell(answerOf(entry), 24)),
    cell(session ?? '-', 15),
    paint(isForced(entry) ? 'cyan' : 'dim', `${printable(why)} · ${Math.round(ms)} ms`),
  ].join('  ')
}

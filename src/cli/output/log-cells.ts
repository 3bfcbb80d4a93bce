import { effectText } from '../../mock/log/effect-text.js'
import type { LogEntry } from '../../mock/log/log-entry.js'
import { signedOut } from '../../mock/state/limit-words.js'
import type { Columns, Style } from './columns.js'

/** Green for success, yellow for 4xx, red for 5xx, magenta without a response. */
export const statusColour = (status: number): Style => {
  if (status === 0) return 'magenta'
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

/** E.g. `POST /v1/projects`, `query GetUser`, or `GET /v1/projects ⚠ ignores ?_page&status`. */
export const requestText = ({ method, path, graphql, ignoredQuery }: LogEntry): string =>
  `${graphql ?? `${method} ${path}`}${ignoredQuery ? ` ⚠ ignores ?${ignoredQuery.join('&')}` : ''}`

/** E.g. `409 PROJECT_NAME_TAKEN`, `aborted`. */
export const responseText = ({ status, code, aborted }: LogEntry): string =>
  [status === 0 && !aborted ? 'no response' : status, code, aborted && 'aborted'].filter(Boolean).join(' ')

/** Whether a scenario, chaos or a Prefer header determined the response. */
export const isForced = ({ forcedBy }: LogEntry): boolean => forcedBy !== undefined

/** The local time of day. */
export const timeText = ({ time }: LogEntry): string => new Date(time).toTimeString().slice(0, 8)

/** What decided the response, and what the request changed, or what was wrong with it: `handler · + Roadmap`. */
export const whyText = (entry: LogEntry): string => [entry.why, effectText(entry)].filter(Boolean).join(' · ')

/** The columns of the log in pipes. */
export const logColumns: Columns<LogEntry> = {
  Id: 'id',
  Time: 'time',
  Method: 'method',
  Path: ({ path, graphql }) => (graphql ? `${path} ${graphql}` : path),
  Status: ({ status, aborted }) => (aborted ? `${status} aborted` : status),
  Code: 'code',
  Session: ({ session }) => session ?? signedOut,
  Why: 'why',
  Effect: effectText,
  ms: ({ ms }) => Math.round(ms),
}

// How a request of the log is shown.

import type { LogEntry } from '../src/mock/log/log-entry.js'

/** The status of an entry, and its error code. */
export const outcomeOf = ({ status, code }: LogEntry): string =>
  `${status || 'no response'}${code ? ` ${code}` : ''}`

export const isFailed = ({ status }: LogEntry): boolean => status === 0 || status >= 400

/** Of GraphQL, all requests have one address: the operation says which it is. */
export function nameOf({ graphql, method, path }: LogEntry): { method: string; path: string } {
  if (graphql === undefined) return { method, path }
  const [type = '', name = ''] = graphql.split(' ')
  return { method: type, path: name === '*' ? path : name }
}

const tone = ({ status }: LogEntry) =>
  status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'

/** @param isOff whether the request is undone */
export const Outcome = ({ entry, isOff }: { entry: LogEntry; isOff?: boolean }) => (
  <span class={`outcome ${isOff ? 'quiet' : tone(entry)}`} title={outcomeOf(entry)}>
    <span>
      {entry.status || 'none'}
      {entry.code && <span class="code"> {entry.code}</span>}
    </span>
  </span>
)

const forcedWords = { scenario: 'forced', Prefer: 'forced', chaos: 'chaos' }
/** Says that something other than a check or a handler has decided. */
export const ForcedBadge = ({ entry: { forcedBy, why } }: { entry: LogEntry }) =>
  forcedBy ? (
    <span class="badge" title={why}>
      {forcedWords[forcedBy]}
    </span>
  ) : null

export const timeOf = ({ time }: LogEntry): string => new Date(time).toLocaleTimeString('en-GB')

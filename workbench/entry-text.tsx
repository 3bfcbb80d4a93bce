// How a request of the log is shown.

import { outcomeOf } from '../src/mock/log/entry-words.js'
import type { LogEntry } from '../src/mock/log/log-entry.js'

/** Of GraphQL, all requests have one address: the operation says which it is. */
export function nameOf({ graphql, method, path }: LogEntry): { method: string; path: string } {
  if (graphql === undefined) return { method, path }
  const [type = '', name = ''] = graphql.split(' ')
  return { method: type, path: name === '*' ? path : name }
}

export const toneOf = (status: number): string =>
  status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'

/** @param isOff whether the request is undone */
export const Outcome = ({ entry, isOff }: { entry: LogEntry; isOff?: boolean }) => (
  <span class={`outcome ${isOff ? 'quiet' : toneOf(entry.status)}`} title={outcomeOf(entry)}>
    <span>
      {entry.aborted ? 'aborted' : entry.status || 'none'}
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

/** E.g. `0.8 ms`, `342 ms`, `3.1 s`. */
export const durationText = (ms: number): string =>
  ms >= 999.5 ? `${(ms / 1000).toFixed(1)} s` : `${ms < 100 ? ms : Math.round(ms)} ms`

/** A name as it is, which turns no text beside it around. */
export const Name = ({ text }: { text: string }) => <bdi title={text}>{text}</bdi>

/** What a request has done: the records that it changed, else what was wrong with it. */
export function Effect({ entry: { changed = [], fault, about, forcedBy } }: { entry: LogEntry }) {
  const [first] = changed
  if (first) {
    const { change, name, fields = [] } = first
    const more = changed.length > 1 && ` and ${changed.length - 1} more`
    return (
      <span class={`effect ${change}`}>
        {change === 'changed' ? (
          fields.join(', ')
        ) : (
          <>
            {change === 'added' ? '+' : '−'} <Name text={name} />
          </>
        )}
        {more}
      </span>
    )
  }
  if (forcedBy) return null
  if (fault !== undefined) return <span class="effect">{fault}</span>
  return about === undefined ? null : (
    <span class="effect">
      “<Name text={about} />”
    </span>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
export const timeOf = ({ time }: { time: string }): string => clock.format(new Date(time))

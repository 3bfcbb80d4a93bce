import { isFailed } from '../../log/is-failed.js'
import type { LogEntry } from '../../log/log-entry.js'
import { signedOut } from '../../state/limit-words.js'
import { lineOf } from './command-line.js'
import { recordHint } from './found-record.js'
import { personasFor } from './persona-verbs.js'
import { type BoxContext, call, has, maxFound, type Suggestion } from './suggestion.js'

const entryText = ({ id, method, path, status, code = '', target, session = signedOut }: LogEntry) =>
  `#${id} ${method} ${path} ${status} ${code} ${target} ${session}`

const ofRequest = ({ id, method, path, status, code, session }: LogEntry): Suggestion => ({
  group: 'Requests',
  text: `#${id} ${method} ${path} ${status || 'no response'}${code ? ` ${code}` : ''}`,
  hint: session ?? signedOut,
  action: { show: 'request', id },
  command: `mock log show ${id}`,
})

/** Everything with the words: requests, personas, records and handlers. */
export function search(words: readonly string[], context: BoxContext): Suggestion[] {
  const { entries, personas, records, targets } = context
  const requests = entries.filter((entry) => has(entryText(entry), words)).toReversed()
  const failed = requests.find(isFailed)
  const other = failed && personas.find(({ id }) => id !== failed.session)
  return [
    ...requests.slice(0, maxFound).map(ofRequest),
    ...(failed && other ? [call('Requests', 'sendAgain', { id: failed.id, session: other.id })] : []),
    ...personasFor(words, context).slice(0, 3),
    ...records
      .filter(({ name, key, detail = '' }) => has(`${name} ${key} ${detail}`, words))
      .slice(0, maxFound)
      .map(
        (record): Suggestion => ({
          group: 'Records',
          text: record.name,
          hint: recordHint(record, records),
          action: { show: 'record', record },
          command: lineOf('mock', 'data', 'list', record.kind, ...searchOption(record.name)),
        }),
      ),
    ...targets
      .filter(({ target, method, path }) => has(`${target} ${method} ${path}`, words))
      .slice(0, 3)
      .map(
        ({ target, method, path }): Suggestion => ({
          group: 'Handlers',
          text: target.includes(' ') ? target : `${target} · ${method} ${path}`,
          hint: 'show',
          action: { show: 'handler', target },
        }),
      ),
  ]
}

/** A value that begins with "-" would be taken for an option. */
const searchOption = (name: string) => (name.startsWith('-') ? [`--search=${name}`] : ['--search', name])

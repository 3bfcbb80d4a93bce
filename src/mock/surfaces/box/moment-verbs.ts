import type { LogEntry } from '../../log/log-entry.js'
import { bestFirst } from './best-first.js'
import { refusePersona } from './persona-verbs.js'
import {
  call,
  type Find,
  has,
  maxFound,
  maxTargets,
  refuse,
  refuseMore,
  type Suggestion,
} from './suggestion.js'

/** Says which requests there are, in place of one that the log does not have. */
function refuseRequest(word: string, entries: readonly LogEntry[]): Suggestion[] {
  const [first, last] = [entries[0], entries.at(-1)]
  return refuse(
    `The log has no request ${word}.`,
    first && last ? `${first.id} (the oldest) to ${last.id}` : undefined,
  )
}

/** Says that the data of a request's time is not stored. @param first the oldest request of which it is */
const refuseMoment = ({ id }: LogEntry, after: boolean, first: LogEntry | undefined): Suggestion[] =>
  refuse(
    `The data just ${after ? 'after' : 'before'} request ${id} is not stored.`,
    first && `${after ? 'after' : 'before'} ${first.id}`,
  )

/** `before 17`, `after 17`, or `17 --after`. */
export const rewind: Find = ({ words: [number, ...others], verb }, { entries: all, history }) => {
  const id = number?.replace('#', '')
  const more = others.filter((word) => word !== '--after')
  if (more.length > 0) return refuseMore(more, 'before 17, after 17')
  // A request that begins with the same digits is another one.
  const named = all.find((entry) => String(entry.id) === id)
  if (id !== undefined && !named) return refuseRequest(id, all)
  const after = verb === 'after' || others.includes('--after')
  const { rewindableFrom = 0 } = history
  const older = all.filter((entry) => entry.id < rewindableFrom).length
  // The data just after the last of the older requests may be stored: the mock looks.
  const entries = all.slice(after ? Math.max(0, older - 1) : older)
  const refused = named ?? (entries.length === 0 ? all.at(-1) : undefined)
  if (refused && !entries.includes(refused)) return refuseMoment(refused, after, entries[0])
  return entries
    .filter((entry) => id === undefined || String(entry.id).startsWith(id))
    .toSorted((a, b) => Number(String(b.id) === id) - Number(String(a.id) === id) || b.id - a.id)
    .slice(0, id === undefined ? 3 : maxTargets)
    .map((entry) => {
      const hint = `${entry.method} ${entry.path} ${entry.status || 'no response'}`
      return call('Go back', 'rewind', { id: entry.id, ...(after && { after }) }, { hint })
    })
}

export const send: Find = ({ words }, { entries, selected, personas }) => {
  const [first = '', ...others] = words
  const isId = /^#?\d+$/.test(first)
  const entry = isId ? entries.find(({ id }) => id === Number(first.replace('#', ''))) : selected
  if (!entry) return isId ? refuseRequest(first.replace('#', ''), entries) : []
  const named = (isId ? others : words).filter((word) => !/^(as|again|--session)$/.test(word))
  const found = personas.filter(({ id }) => has(id, named))
  if (found.length === 0) return refusePersona(named.join(' '), personas)
  // Without a name, the words are not for this command.
  const whom = bestFirst(
    found.filter(({ id }) => named.length > 0 || id !== entry.session),
    ({ id }) => id,
    named.map((word) => word.toLowerCase()),
  ).slice(0, maxFound)
  const { id } = entry
  const hint = `${entry.method} ${entry.path}`
  return [
    ...(named.length === 0 ? [call('Send', 'sendAgain', { id }, { hint })] : []),
    ...whom.map((persona) => call('Send', 'sendAgain', { id, session: persona.id }, { hint })),
  ]
}

/** Undo and redo of a step by its id, or of the last one. */
const step =
  (control: 'undo' | 'redo'): Find =>
  ({ words: [id, ...more] }, { history }) => {
    const isId = id !== undefined && /^\d+$/.test(id)
    if (id !== undefined && (!isId || more.length > 0))
      return refuseMore([id, ...more].slice(isId ? 1 : 0), control)
    if (isId) return [call('History', control, { id: Number(id) })]
    const next = history[control]
    return next
      ? [call('History', control, {}, { title: next.title })]
      : refuse(`There is nothing to ${control}.`)
  }

export const undo = step('undo')
export const redo = step('redo')

export const reset: Find = ({ words }) =>
  words.length > 0 ? refuseMore(words, 'reset') : [call('State', 'reset')]

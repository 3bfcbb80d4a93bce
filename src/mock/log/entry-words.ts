import { signedOut } from '../state/limit-words.js'
import type { LogEntry } from './log-entry.js'

// The words of a request in the log. The page, the commands, the client and the tools search them alike.

/** The status of an entry, and its error code. */
export const outcomeOf = ({ status, code, aborted }: Pick<LogEntry, 'status' | 'code' | 'aborted'>): string =>
  [status || (aborted ? '' : 'no response'), code, aborted && 'aborted'].filter(Boolean).join(' ')

const texts = new WeakMap<LogEntry, string>()

function textOf(entry: LogEntry): string {
  let text = texts.get(entry)
  if (text === undefined) {
    const { id, method, path, target, graphql = '', session = signedOut, why, forcedBy } = entry
    const { changed = [], fault = '', about = '' } = entry
    const names = changed.map(({ name }) => name).join(' ')
    text =
      `#${id} ${method} ${path} ${graphql} ${outcomeOf(entry)} ${target} ${session} ${why} ${forcedBy ? 'forced' : ''} ${names} ${fault} ${about}`.toLowerCase()
    texts.set(entry, text)
  }
  return text
}

/** The words of a search, in lower case. */
export const wordsOf = (search: string): string[] => search.toLowerCase().split(/\s+/).filter(Boolean)

/** Whether a text has all of some words, and none of those that follow a `-`. */
export const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) =>
    word.length > 1 && word.startsWith('-') ? !text.includes(word.slice(1)) : text.includes(word),
  )

export const entryHasWords = (entry: LogEntry, words: readonly string[]): boolean =>
  hasWords(textOf(entry), words)

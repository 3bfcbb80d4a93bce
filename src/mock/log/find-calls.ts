import { shown } from '../../contract/shown.js'
import { ControlError } from '../state/control-error.js'
import { differencesOf } from './body-difference.js'
import { type StoredEntry, toEntry } from './log-entry.js'
import { isTo, isWanted, type LogFilter } from './log-filter.js'
import { jsonOrText, missedText, toCall } from './logged-call.js'
import type { Log } from './request-log.js'

/** Which calls to a target are meant. */
export type CallFilter = Pick<LogFilter, 'status' | 'session' | 'since'> & {
  /**
   * What the body is: an object has at least these fields, everything else is equal. A text that is JSON is its value.
   */
  body?: unknown
}

export type CallFinder = ReturnType<typeof createFinder>
export type FoundCalls = ReturnType<CallFinder['look']>

/** Makes what finds the calls to a target in the log, as it is then. */
export function createFinder(log: Log, target: string, { body: given, ...filter }: CallFilter) {
  const body = typeof given === 'string' ? bodyOf(given) : given
  return {
    /** Whether an entry that is new or has changed may make a difference. */
    concerns: (entry: StoredEntry): boolean => isTo(entry, target),
    /** Finds the calls. @returns them, and what makes the error if they are not as expected */
    look() {
      const all = log.read(filter.since).filter((entry) => isTo(entry, target) && !entry.aborted)
      const calls = all
        .filter((entry) => isWanted(toEntry(entry), filter))
        .map(toCall)
        .filter((call) => body === undefined || differencesOf(body, call.body).length === 0)
      const missed = (times?: number) => {
        const others = all.filter(({ id }) => !calls.some((call) => call.id === id)).map(toCall)
        const text = missedText({ target, times, body, ...filter }, calls, others, log.read(filter.since))
        return new ControlError(text, [], 412)
      }
      return { calls, missed }
    },
  }
}

/** The body of an expectation that is a text. @throws ControlError for one that begins as JSON does, and is none */
function bodyOf(text: string): unknown {
  const body = jsonOrText(text)
  if (body !== text || !/^\s*[[{"]/.test(text)) return body
  throw new ControlError(
    `The body ${text.length > 60 ? `${text.slice(0, 60)}…` : text} begins like JSON, and is none. As a text, give it as JSON: ${shown(text)}.`,
  )
}

import { ControlError } from '../state/control-error.js'
import { differencesOf } from './body-difference.js'
import { toEntry } from './log-entry.js'
import { isWanted, type LogFilter } from './log-filter.js'
import { jsonOrText, missedText, toCall } from './logged-call.js'
import type { Log } from './request-log.js'

/** Which calls of a target are meant. */
export type CallFilter = Pick<LogFilter, 'status' | 'session' | 'since'> & {
  /**
   * What the body is: an object has at least these fields, everything else is equal. A text that is JSON is its value.
   */
  body?: unknown
}

export type FoundCalls = ReturnType<typeof findCalls>

/** Finds the calls of a target. @returns them, and what makes the error if they are not as expected */
export function findCalls(log: Log, target: string, { body: given, ...filter }: CallFilter) {
  const body = typeof given === 'string' ? jsonOrText(given) : given
  const all = log.read(filter.since).filter((entry) => entry.target === target && !entry.aborted)
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
}

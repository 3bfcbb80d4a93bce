import { withoutQuery } from '../../contract/without-query.js'
import { signedOut } from '../state/limit-words.js'
import { entryHasWords, wordsOf } from './entry-words.js'
import { isFailed } from './is-failed.js'
import type { LogEntry } from './log-entry.js'

/** Whether a request was one to a target: an operation, a handler, or a method with exactly its path. */
export const isTo = (
  { method, path, ...entry }: Pick<LogEntry, 'method' | 'path' | 'target'>,
  target: string,
): boolean => entry.target === target || `${method} ${withoutQuery(path)}` === target

/** Which requests of the log are meant. Without a field, all. */
export type LogFilter = {
  /** An operation, a handler, or a method with its path. */
  target?: string | undefined
  /** `409`, or `4xx`. */
  status?: string | number | undefined
  /** The persona, or `signed out`. */
  session?: string | undefined
  /** Words that the request has, as in the page of the mock; those after a `-` it has not. */
  text?: string | undefined
  /** Only requests that failed. */
  failed?: boolean | undefined
  /** Only those with a greater id. */
  since?: number | undefined
  /** Only those with a smaller id. */
  before?: number | undefined
}

/** Whether a filter wants a request. @param target the name of the filter's target, resolved */
export function isWanted(entry: LogEntry, { target, status, session, text, ...filter }: LogFilter): boolean {
  const { since = 0, before = Number.POSITIVE_INFINITY, failed } = filter
  return (
    entry.id > since &&
    entry.id < before &&
    (target === undefined || isTo(entry, target)) &&
    (status === undefined || hasStatus(entry.status, String(status))) &&
    (session === undefined || (entry.session ?? signedOut) === session) &&
    (!failed || isFailed(entry)) &&
    (text === undefined || entryHasWords(entry, wordsOf(text)))
  )
}

/** `4xx` is each status from 400 to 499. */
const hasStatus = (status: number, wanted: string): boolean =>
  /xx$/i.test(wanted) ? String(status)[0] === wanted[0] && status >= 100 : String(status) === wanted

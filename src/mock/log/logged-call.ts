import { shown } from '../../contract/shown.js'
import { signedOut } from '../state/limit-words.js'
import { differencesOf } from './body-difference.js'
import type { LogEntry, StoredEntry } from './log-entry.js'
import { isTo } from './log-filter.js'

/** A request to a target, with its bodies. Aborted requests are no calls. */
export type LoggedCall = Pick<
  LogEntry,
  'id' | 'time' | 'method' | 'path' | 'target' | 'session' | 'status' | 'code' | 'why'
> & {
  url: string
  /** The headers of the request. A value that may be secret is `(not logged)`. */
  headers: Record<string, string>
  /** The body of the request: parsed if it is JSON, else its text. Absent without one, or if bodies are not logged. */
  body?: unknown
  /** Whether the request had a body that was not logged: bodies are not, or it was too long. */
  isBodyUnlogged?: true
  /** The body of the response, likewise. */
  response?: unknown
}

const decoder = new TextDecoder()

/** A request of the log as a call. */
export function toCall(stored: StoredEntry): LoggedCall {
  const { id, time, method, path, target, session, status, code, why, exchange } = stored
  const { url, headers, body } = exchange.request
  return {
    ...{ id, time, method, path, target },
    ...(session !== undefined && { session }),
    status,
    ...(code !== undefined && { code }),
    ...{ why, url, headers },
    ...bodyIn('body', body?.bytes && decoder.decode(body.bytes)),
    ...(isUnlogged(stored) && { isBodyUnlogged: true as const }),
    ...bodyIn('response', exchange.response?.body?.text),
  }
}

/** An empty body is absent. One that is not stored was too long, or bodies are not logged. */
const isUnlogged = ({ exchange: { request } }: StoredEntry): boolean =>
  request.body !== undefined && !request.body.bytes

const bodyIn = (name: 'body' | 'response', text: string | undefined) =>
  text ? { [name]: jsonOrText(text) } : {}

/** JSON as its value, any other text as it is. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What is expected of the calls to a target. */
export type ExpectedCalls = {
  target: string
  times?: number | undefined
  status?: unknown
  session?: unknown
  since?: unknown
  body?: unknown
}

/** The most calls that a message names. */
const maxNamed = 5

/**
 * Why the calls to a target are not as expected, with what came instead.
 * @param calls the calls that match
 * @param others other calls to the target: with another body, status or persona
 * @param log all requests of the log
 */
export function missedText(
  { target, times, body, ...expected }: ExpectedCalls,
  calls: readonly LoggedCall[],
  others: readonly LoggedCall[],
  log: readonly Pick<LogEntry, 'id' | 'method' | 'path' | 'target' | 'aborted'>[],
): string {
  const { status, session, since } = expected
  const wanted = `${times ?? 'a'} ${times === undefined || times === 1 ? 'call' : 'calls'} to ${target}`
  const conditions = [
    status !== undefined && `with status ${status}`,
    session !== undefined && (session === signedOut ? signedOut : `by ${session}`),
    since !== undefined && `after request ${since}`,
    body !== undefined && `${status === undefined ? 'with' : 'and'} the body ${shown(body)}`,
  ]
  const aborted = log.filter((entry) => entry.aborted && isTo(entry, target))
  const came = calls.length === 0 ? 'none' : `${calls.length}: ${listed(calls.map(nameOf))}`
  return [
    `Expected ${[wanted, ...conditions].filter(Boolean).join(' ')}.`,
    `There ${calls.length === 1 ? 'was' : 'were'} ${came}.`,
    others.length > 0 &&
      `Other calls to it: ${listed(nearest(others, body).map((each) => described(each, body)))}.`,
    aborted.length > 0 &&
      `Aborted requests do not count: ${listed(aborted.map(({ id }) => `request ${id}`))}.`,
    calls.length + others.length + aborted.length === 0 && elsewhere(log, since),
  ]
    .filter(Boolean)
    .join(' ')
}

const nameOf = ({ id, status, session }: LoggedCall): string =>
  `request ${id} (${[session, status || 'no response'].filter(Boolean).join(', ')})`

/** A call, and how its body differs from the expected one. */
function described(call: LoggedCall, body: unknown): string {
  const differences = body === undefined ? [] : differencesBetween(body, call)
  return [nameOf(call), differences.join(', ')].filter(Boolean).join(': ')
}

const differencesBetween = (body: unknown, call: LoggedCall): string[] =>
  call.isBodyUnlogged ? ['its body was not logged'] : differencesOf(body, call.body)

/** The calls with the fewest differences first, of as many the newest. */
const nearest = (calls: readonly LoggedCall[], body: unknown): LoggedCall[] => {
  const count = (call: LoggedCall) => (body === undefined ? 0 : differencesBetween(body, call).length)
  return calls.toSorted((a, b) => count(a) - count(b) || b.id - a.id)
}

const listed = (texts: readonly string[]): string =>
  texts.length > maxNamed
    ? `${texts.slice(0, maxNamed).join('; ')}; ${texts.length - maxNamed} more`
    : texts.join('; ')

/** The targets that were called instead, with their numbers of requests. */
function elsewhere(log: readonly Pick<LogEntry, 'target'>[], since: unknown): string {
  const counts = new Map<string, number>()
  for (const { target } of log) counts.set(target, (counts.get(target) ?? 0) + 1)
  const called = [...counts].map(([target, count]) => `${target} (${count})`)
  const after = since === undefined ? '' : ` after request ${since}`
  if (called.length > 0) return `The log has requests${after} to ${listed(called)}.`
  return after ? `There was no request${after}.` : 'The log is empty.'
}

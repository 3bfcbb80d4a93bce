import type { OperationName } from '../../contract/operations.js'
import type { Answer } from './forcing.js'
import type { History } from './history.js'
import type { StoredEntry } from './log-entry.js'
import { loggedHeaders, loggedUrl, requestBody, unloggedBody } from './logged-exchange.js'
import { beginBody, logResponse } from './logged-response.js'
import type { Caller } from './personas.js'
import type { Log } from './request-log.js'
import { noteEntry } from './sent-request.js'
import { type TargetPlace, withoutOrigin } from './target-name.js'
import type { Targets } from './targets.js'

/** A request that is being answered: what its entry needs to know of its beginning. */
type Begun = {
  startedAt: number
  generation: number
  clears: number
  before: number
  isDelayed?: boolean
}

/** A request to log. */
export type LoggedRequest = {
  request: Request | Pick<Request, 'method' | 'url' | 'headers'>
  place: TargetPlace
  /** Defaults to that of the URL with its query, without an origin that is the mock's. */
  path?: string
  /** Reads the whole body of the request. */
  body?(): Uint8Array | Promise<Uint8Array>
}

type Options = {
  log: Log
  /** The origins whose paths are logged alone. */
  origins: readonly string[]
  targets: Targets
  history: History
  space?: string
  logsBodies: boolean
  onRequest(entry: StoredEntry): void | Promise<void>
}

/** Writes the entries of the log. */
export function createLogWriter(options: Options) {
  const { log, targets, history, origins, space, logsBodies, onRequest } = options

  /** The beginnings of requests that a handler has left to the next one. */
  const left = new WeakMap<object, Begun>()
  const begin = (request: object): Begun =>
    left.get(request) ?? {
      startedAt: performance.now(),
      generation: log.generation(),
      clears: log.clears(),
      before: history.position(),
    }

  /**
   * Adds an entry. Where nothing is to be read, nothing is waited for: where Node tracks contexts, as for MSW, a promise costs
   * as much as the rest.
   * @returns the response to send, once those who are told about each request are done
   */
  async function write(
    begun: Begun,
    given: LoggedRequest,
    answer: Answer,
    caller?: Caller,
  ): Promise<Response | undefined> {
    const { request, place } = given
    const { response, positions } = answer
    const { target, kind } = place
    let entry: StoredEntry | undefined
    // As bytes: a text would lose its byte order mark, or its encoding, and get a content type.
    const begins = response && logsBodies ? beginBody(response) : undefined
    const begunBody = begins && (await begins)
    const { sent, status, logged } = logResponse(
      response,
      begunBody,
      logsBodies,
      () => entry && log.settle(entry),
    )
    const reading = logsBodies ? given.body?.() : undefined
    const body = reading instanceof Promise ? await reading : reading
    const url = loggedUrl(request.url, place)
    const isKept = !isOver(begun) && begun.clears === log.clears()
    entry = log.add(
      {
        time: new Date().toISOString(),
        space,
        method: request.method,
        path: given.path ?? withoutOrigin(url, origins),
        target,
        kind,
        operation: kind === 'operation' ? (target as OperationName) : undefined,
        session: caller?.persona,
        status,
        code: answer.code,
        why: answer.why,
        forcedBy: answer.forcedBy,
        ms: Math.round((performance.now() - begun.startedAt) * 10) / 10,
        before: positions?.before ?? begun.before,
        after: positions?.after ?? history.position(),
        forced: answer.forced,
        exchange: {
          request: {
            url,
            headers: loggedHeaders(request.headers),
            cookie: caller?.loggedCookie,
            body: logsBodies ? body && requestBody(body) : unloggedBody(request),
          },
          response: logged,
        },
      },
      isKept,
    )
    if (isKept) targets.count(place, { entry: entry.id, status, time: entry.time })
    noteEntry(request, entry)
    answer.onEntry?.(entry)
    const told = onRequest(entry)
    if (told !== undefined) await told
    return sent
  }

  /** Whether a request is from before the last reset, which it does not take part in. */
  const isOver = ({ generation }: Begun): boolean => generation !== log.generation()

  return { begin, leave: (request: object, begun: Begun) => void left.set(request, begun), isOver, write }
}

import type { OperationName } from '../../contract/operations.js'
import type { History } from './history.js'
import type { NewEntry, StoredEntry } from './log-entry.js'
import { type LoggedExchange, loggedHeaders, loggedUrl, requestBody } from './logged-exchange.js'
import { isReadWhole, logResponse } from './logged-response.js'
import type { Caller } from './personas.js'
import type { Log } from './request-log.js'
import { noteEntry } from './sent-request.js'
import { type TargetPlace, withoutOrigin } from './target-name.js'
import type { Targets } from './targets.js'

/** A request that is being answered: what its entry needs to know of its beginning. */
export type Begun = { startedAt: number; generation: number; before: number }

/**
 * A request that was answered, or not: the status is 0 then. The path defaults to that of the URL with its query, without an
 * origin that is the mock's.
 */
export type Answered = Partial<Pick<NewEntry, 'path' | 'code' | 'forcedBy' | 'forced'>> &
  Pick<NewEntry, 'status' | 'why'> & {
    request: Request | Pick<Request, 'method' | 'url' | 'headers'>
    place: TargetPlace
    caller?: Caller
    /** The whole body of the request. */
    body?: Uint8Array
    response?: LoggedExchange['response']
    /** The positions in the history, if they are not those of the beginning and the end. */
    positions?: { before: number; after: number }
    /** Called with the entry before anybody is told. */
    onEntry?(entry: StoredEntry): void
  }

/** Writes the entries of the log. */
export type LogWriter = ReturnType<typeof createLogWriter>

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

export function createLogWriter(options: Options) {
  const { log, targets, history, origins, space, logsBodies, onRequest } = options

  const begin = (): Begun => ({
    startedAt: performance.now(),
    generation: log.generation(),
    before: history.position(),
  })

  /** @returns a promise for when those who are told about each request are done, if that is not now */
  function write({ startedAt, generation, before }: Begun, answered: Answered): Promise<void> | undefined {
    const { request, place, caller, body, status, code, why, response, positions } = answered
    const { target, kind } = place
    const url = loggedUrl(request.url, place)
    const { path = withoutOrigin(url, origins) } = answered
    const entry = log.add(
      {
        time: new Date().toISOString(),
        space,
        method: request.method,
        path,
        target,
        kind,
        operation: kind === 'operation' ? (target as OperationName) : undefined,
        session: caller?.session?.id,
        status,
        code,
        why,
        forcedBy: answered.forcedBy,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        before: positions?.before ?? before,
        after: positions?.after ?? history.position(),
        forced: answered.forced,
        exchange: {
          request: {
            url,
            headers: loggedHeaders(request.headers),
            cookie: caller?.loggedCookie,
            body: logsBodies && body ? requestBody(body) : undefined,
          },
          response: response && {
            headers: response.headers,
            body: logsBodies ? response.body : undefined,
          },
        },
      },
      generation,
    )
    // A request from before the log was cleared is not in it.
    if (generation === log.generation()) {
      targets.count(place, { entry: entry.id, status, time: entry.time })
    }
    noteEntry(request, entry)
    answered.onEntry?.(entry)
    return onRequest(entry) || undefined
  }

  /**
   * Writes a response with its body. Nothing waits for what is known: where Node tracks contexts, as for MSW, a promise
   * costs as much as the rest. @returns the response to send
   */
  async function writeResponse(
    begun: Begun,
    answered: Omit<Answered, 'status' | 'response' | 'caller' | 'body'> & {
      caller: Caller | Promise<Caller>
      body: Uint8Array | Promise<Uint8Array>
    },
    response: Response,
  ): Promise<Response> {
    let entry: StoredEntry | undefined
    // As bytes: a text would lose its byte order mark, or its encoding, and get a content type.
    const bytes = isReadWhole(response) ? await response.arrayBuffer() : undefined
    const { sent, ...logged } = logResponse(response, bytes, () => entry && log.settle(entry))
    // The caller is the one of this moment.
    const { caller, body } = answered
    const done = write(begun, {
      ...answered,
      ...logged,
      caller: caller instanceof Promise ? await caller : caller,
      body: body instanceof Promise ? await body : body,
      onEntry(added) {
        entry = added
      },
    })
    if (done !== undefined) await done
    return sent
  }

  return { begin, write, writeResponse }
}

import { sessionCookie } from '../../contract/cookie.js'
import { ControlError } from './control-error.js'
import { bodyToSend, type StoredEntry } from './log-entry.js'
import { hiddenValue } from './logged-exchange.js'
import type { MockParts } from './mock-parts.js'
import type { Answered } from './mock-reply.js'
import { personaNamed } from './personas.js'
import { type SentRequest, sentBy } from './sent-request.js'

/** What is different when a request is sent again. */
export type RequestEdit = {
  method?: string
  /** A path, with its query. */
  path?: string
  body?: string
  /** Who sends it: the name of a persona, or `null` for a signed-out caller. Without it, the caller of the first request. */
  session?: string | null
}

/** What answers the requests that the mock sends. */
type Answering = {
  answer(sent: SentRequest): Promise<Answered | undefined>
  /** Logs a request that no handler answers. @param isRefused whether a server answers it with 404 or 405 */
  logUnanswered(sent: SentRequest, isRefused: boolean): Promise<unknown>
}

/**
 * Sends the request of an entry again, as it was or edited, and returns the new entry.
 * @throws ControlError if there is no such entry or persona, or the request cannot be sent
 */
export async function sendAgain(
  id: number,
  edit: RequestEdit,
  { log, personas, baseUrl, isServer }: MockParts,
  { answer, logUnanswered }: Answering,
): Promise<StoredEntry> {
  const stored = log.get(id)
  const { method = stored.method, path, session } = edit
  if (path !== undefined && !path.startsWith('/')) throw new ControlError(`"${path}" is not a path.`)
  if (typeof session === 'string' && !personas.isKnown(session)) {
    personaNamed(session, await personas.list())
  }
  const body = edit.body === undefined ? bodyToSend(stored) : new TextEncoder().encode(edit.body)
  if (!body)
    throw new ControlError(`The body of request ${id} is no longer stored: give another one.`, [], 410)

  const sent = stored.exchange.request
  const cookie = session === undefined ? sent.cookie : (session ?? undefined)
  const headers = Object.entries(sent.headers).filter(
    ([name, value]) => value !== hiddenValue && name !== 'content-length',
  )
  // Users' handlers read it. In a page it is dropped, and they read the page's.
  if (cookie !== undefined) headers.push(['cookie', `${sessionCookie}=${encodeURIComponent(cookie)}`])
  const isNewBody = edit.body !== undefined && sent.headers['content-type'] === undefined
  const isRead = /^(GET|HEAD)$/.test(method)
  const request = requestOf(path === undefined ? sent.url : urlOf(path, stored, baseUrl), {
    method,
    headers: isNewBody ? [...headers, ['content-type', 'application/json']] : headers,
    body: isRead || body.length === 0 ? undefined : body.slice(),
  })
  let entry: StoredEntry | undefined
  const again: SentRequest = {
    ...sentBy({ request, resolutionContext: { baseUrl, quiet: true } }),
    signal: request.signal,
    replay: { cookies: cookie === undefined ? [] : [cookie] },
    onEntry(written) {
      entry = written as StoredEntry
    },
  }
  const answered = await answer(again).catch((error) => {
    // What a handler throws is in the log.
    if (!entry) throw error
  })
  // As its client does: the log has what was read.
  const ends = { signal: AbortSignal.timeout(streamMs) }
  await answered?.response?.body?.pipeTo(new WritableStream(), ends).catch(() => {})
  if (!entry && !answered?.reply) {
    // A server has left the first request to another one if nothing else kept it without a response.
    await logUnanswered(again, isServer && !(stored.status === 0 && stored.why === 'no handler'))
  }
  if (entry) return entry
  throw new ControlError(`${method} ${request.url} is not a request that the log has: no handler answers it.`)
}

/** How long a response is read, in milliseconds: a stream may have no end. */
const streamMs = 1000

/** The paths of operations are below the base URL, others at the origin of the first request. */
const urlOf = (path: string, { kind, exchange }: StoredEntry, baseUrl: string): string =>
  kind === 'operation' ? baseUrl + path : new URL(path, exchange.request.url).href

function requestOf(url: string, init: RequestInit & { method: string }): Request {
  try {
    return new Request(url, init)
  } catch {
    throw new ControlError(`"${init.method}" is not a method that can be sent.`)
  }
}

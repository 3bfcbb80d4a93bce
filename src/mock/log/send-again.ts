import { sessionCookie } from '../../contract/cookie.js'
import type { Answered } from '../engine/mock-reply.js'
import { type SentRequest, sentBy } from '../engine/sent-request.js'
import { ControlError } from '../state/control-error.js'
import { signedOut } from '../state/limit-words.js'
import { personaNamed } from '../state/personas.js'
import { bodyToSend, type StoredEntry } from './log-entry.js'
import type { LoggedParts } from './log-parts.js'
import { hiddenValue } from './logged-exchange.js'

export type RequestEdit = {
  method?: string
  /** A path, with its query. */
  path?: string
  body?: string
  /** The id of a persona, or `null` for a signed-out caller. Default: the caller of the first request. */
  session?: string | null
}

/** The parts of the mock that answer the request. */
type Answering = {
  answer(sent: SentRequest): Promise<Answered | undefined>
  /** Logs a request that no handler answers. @param isRefused whether a server answers it with 404 or 405 */
  logUnanswered(sent: SentRequest, isRefused: boolean): Promise<unknown>
}

/**
 * Sends the request of an entry again, unchanged or edited, and returns the new entry.
 * @throws ControlError if there is no such entry or persona, or the request cannot be sent
 */
export async function sendAgain(
  id: number,
  edit: RequestEdit,
  { log, personas, baseUrl, isServer }: LoggedParts,
  { answer, logUnanswered }: Answering,
): Promise<StoredEntry> {
  const stored = log.get(id)
  const { method = stored.method, path, session } = edit
  if (path !== undefined && !path.startsWith('/')) throw new ControlError(`"${path}" is not a path.`)
  if (typeof session === 'string' && !personas.isKnown(session)) {
    personaNamed(session, await personas.list(), [signedOut])
  }
  const body = edit.body === undefined ? bodyToSend(stored) : new TextEncoder().encode(edit.body)
  if (!body)
    throw new ControlError(`The body of request ${id} is no longer stored: give another one.`, [], 410)

  const sent = stored.exchange.request
  const cookie = session === undefined ? sent.cookie : (session ?? undefined)
  const headers = Object.entries(sent.headers).filter(
    ([name, value]) => value !== hiddenValue && name !== 'content-length',
  )
  // Users' handlers read this header. A page drops it, and they read the page's cookie.
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
    // The log has the error of a handler.
    if (!entry) throw error
  })
  // Reads the response as a client would: the log has the part that was read.
  const ends = { signal: AbortSignal.timeout(streamMs) }
  await answered?.response?.body?.pipeTo(new WritableStream(), ends).catch(() => {})
  if (!entry && !answered?.reply) {
    // A server has left the first request to another one, unless it got no response for another reason.
    await logUnanswered(again, isServer && !(stored.status === 0 && stored.why === 'no handler'))
  }
  if (entry) return entry
  throw new ControlError(`${method} ${request.url} is not a request that the log has: no handler answers it.`)
}

/** How long a response is read, in milliseconds: a stream may not end. */
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

import { ControlError } from './control-error.js'
import { bodyToSend } from './log-details.js'
import { hiddenValue } from './logged-exchange.js'
import type { OperationRoutes } from './operation-resolvers.js'
import { type Personas, personaNamed } from './personas.js'
import type { Log, StoredEntry } from './request-log.js'

/** What is different when a request is sent again. */
export type RequestEdit = {
  method?: string
  /** A path below /v1/. */
  path?: string
  body?: string
  /** Who sends it: the name of a persona, or `null` for nobody. Without it, the caller of the first request. */
  session?: string | null
}

type Options = {
  log: Log
  personas: Personas
  answer: OperationRoutes['answer']
  baseUrl: string
}

/**
 * Sends the request of an entry again, as it was or edited, and returns the new entry.
 * @throws ControlError if there is no such entry or persona, or the request cannot be sent
 */
export async function sendAgain(
  id: number,
  edit: RequestEdit,
  { log, personas, answer, baseUrl }: Options,
): Promise<StoredEntry> {
  const stored = log.get(id)
  const sent = stored.exchange.request
  const { method = stored.method, path = stored.path + new URL(sent.url).search, session } = edit
  if (!path.startsWith('/v1/')) throw new ControlError(`"${path}" is not a path below /v1/.`)
  if (typeof session === 'string' && !personas.isKnown(session)) {
    personaNamed(session, await personas.list())
  }
  const body = edit.body === undefined ? bodyToSend(stored) : new TextEncoder().encode(edit.body)
  if (!body)
    throw new ControlError(`The body of request ${id} is no longer stored: give another one.`, [], 410)

  const headers = Object.entries(sent.headers).filter(
    ([name, value]) => value !== hiddenValue && name !== 'content-length',
  )
  const isNewBody = edit.body !== undefined && sent.headers['content-type'] === undefined
  return answer({
    request: requestOf(
      method,
      baseUrl + path,
      isNewBody ? [...headers, ['content-type', 'application/json']] : headers,
    ),
    path: path.replace(/[?#].*$/s, ''),
    body: /^(GET|HEAD)$/.test(method) ? new Uint8Array() : body,
    cookies: [session === undefined ? sent.cookie : session].filter((cookie) => typeof cookie === 'string'),
  })
}

function requestOf(method: string, url: string, headers: [string, string][]): Request {
  try {
    return new Request(url, { method, headers })
  } catch {
    throw new ControlError(`"${method}" is not a method that can be sent.`)
  }
}

import { maxBodyBytes } from '../../contract/operations.js'
import { curlLine } from '../../pages/curl-line.js'
import { fetchCall } from '../../pages/fetch-call.js'
import type { RecordChange } from '../../store/memory/record-changes.js'
import { clientTest } from './client-test.js'
import { handlerTest } from './handler-test.js'
import type { LogEntry, StoredEntry } from './request-log.js'

/** An entry of the log with everything that is stored of its request and response. */
export type LogDetails = LogEntry & {
  request: LoggedMessage & { url: string }
  /** Absent if there was no response. */
  response?: LoggedMessage
  /** The records that the request changed. Absent if they are no longer stored. */
  changes?: RecordChange[]
  /** A call of `fetch` that repeats the request. */
  fetch: string
  /**
   * A test that expects this response: of an operation with the typed client, absent if it cannot send this request;
   * elsewhere with `fetch`.
   */
  test?: string
}

export type LoggedMessage = {
  /** Without cookies but the mock's own. Of a header that may hold a secret, the value is `(not logged)`. */
  headers: Record<string, string>
  /**
   * Absent if the message has none. `length` is the whole length, in bytes of a request and in characters of a response.
   * The text is shorter if the body was too long, and absent if it is not stored.
   */
  body?: { length: number; text?: string }
}

/** The entry as listeners and `read` get it. The curl command is made when it is read. */
export function toEntry(stored: StoredEntry): LogEntry {
  const { exchange: _, before: __, after: ___, forced: ____, bytes: _____, ...entry } = stored
  return {
    ...entry,
    get curl() {
      return curlOf(stored)
    },
  }
}

export function toDetails(stored: StoredEntry, changes: RecordChange[] | undefined): LogDetails {
  const { request, response } = stored.exchange
  const cookie = request.cookie !== undefined && { cookie: `session=${encodeURIComponent(request.cookie)}` }
  const { body } = request
  return {
    ...toEntry(stored),
    request: {
      url: request.url,
      headers: { ...request.headers, ...cookie },
      ...(body && { body: { length: body.length, text: body.content && decoder.decode(body.content) } }),
    },
    ...(response && {
      response: {
        headers: response.headers,
        ...(response.body && { body: { length: response.body.length, text: response.body.content } }),
      },
    }),
    changes,
    fetch: withNote(stored, fetchCall(repeatable(stored))),
    test:
      stored.kind === 'operation'
        ? clientTest(stored)
        : handlerTest(stored, fetchCall({ ...repeatable(stored), cookie: undefined })),
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const tooLarge = new Uint8Array(maxBodyBytes + 1).fill(0x30)

/** The body of a stored request, to send it again; one that was too large for an operation as one that is too large. */
export function bodyToSend({ kind, exchange: { request } }: StoredEntry): Uint8Array | undefined {
  const { length, content } = request.body ?? { length: 0, content: new Uint8Array() }
  return content ?? (kind === 'operation' && length > maxBodyBytes ? tooLarge : undefined)
}

function repeatable(stored: StoredEntry) {
  const { method, space, code, exchange } = stored
  const { url, cookie, headers } = exchange.request
  const names = [
    'content-type',
    'prefer',
    ...(code === 'CROSS_SITE_REFUSED' ? ['origin', 'sec-fetch-site'] : []),
  ]
  return {
    method,
    url,
    cookie,
    headers: {
      ...Object.fromEntries(names.map((name) => [name, headers[name] ?? null])),
      'x-mock-space': space ?? null,
    },
    body: bodyToSend(stored) ?? new Uint8Array(),
  }
}

const curlOf = (stored: StoredEntry): string => {
  const line = curlLine(repeatable(stored))
  return bodyToSend(stored) ? line : `${line} # without its body, which is no longer stored`
}

const withNote = (stored: StoredEntry, call: string): string =>
  bodyToSend(stored) ? call : `// Without its body, which is no longer stored.\n${call}`

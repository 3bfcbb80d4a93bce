import type { RecordChange } from '../../store/memory/record-changes.js'
import { fetchCall } from './fetch-call.js'
import { bodyToSend, type LogEntry, repeatable, type StoredEntry, toEntry } from './log-entry.js'
import type { LoggedMessage } from './logged-exchange.js'
import { testOf } from './test-text.js'

/** An entry of the log with the stored parts of its request and response. */
export type LogDetails = LogEntry & {
  request: LoggedMessage & { url: string }
  /** Absent if there was no response. */
  response?: LoggedMessage
  /** The records that the request changed. Absent if they are not stored. */
  changes?: RecordChange[]
  /** Whether the state just before the request is stored, so that a rewind can return to it. */
  rewindable: boolean
  /** A call of `fetch` that repeats the request. */
  fetch: string
  /** A test that expects this response. Absent without a response, or if the sent body is no longer stored. */
  test?: string
}

export function toDetails(
  stored: StoredEntry,
  { changes, rewindable }: Pick<LogDetails, 'changes' | 'rewindable'>,
): LogDetails {
  const { request, response } = stored.exchange
  const cookie = request.cookie !== undefined && { cookie: `session=${encodeURIComponent(request.cookie)}` }
  const { body } = request
  const text = body?.bytes && decoder.decode(body.bytes)
  return {
    ...toEntry(stored),
    request: {
      url: request.url,
      headers: { ...request.headers, ...cookie },
      ...(body && { body: { length: text?.length ?? body.length, text } }),
    },
    ...(response && { response: structuredClone(response) }),
    // A request that changed no record needs no stored change to say so.
    changes: stored.changed ? changes : (changes ?? []),
    rewindable,
    fetch: withNote(stored, fetchCall(repeatable(stored))),
    test: bodyToSend(stored) && testOf(stored, fetchCall({ ...repeatable(stored), cookie: undefined })),
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const withNote = (stored: StoredEntry, call: string): string =>
  bodyToSend(stored) ? call : `// Without its body, which is no longer stored.\n${call}`

import { maxBodyBytes } from '../../contract/operations.js'
import { curlLine } from '../../pages/curl-line.js'
import type { LogEntry, StoredEntry } from './request-log.js'

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

const tooLarge = new Uint8Array(maxBodyBytes + 1).fill(0x30)

/** The body of a stored request, to send it again; one that was too large for an operation as one that is too large. */
export function bodyToSend({ kind, exchange: { request } }: StoredEntry): Uint8Array | undefined {
  const { length, content } = request.body ?? { length: 0, content: new Uint8Array() }
  return content ?? (kind === 'operation' && length > maxBodyBytes ? tooLarge : undefined)
}

/** What a request is repeated with: without headers that are those of its connection. */
export function repeatable(stored: StoredEntry) {
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

import type { CaseRequest, CookieOf, Mode, ReceivedResponse } from '../cases/case.js'
import type { TestData } from '../cases/test-data.js'
import { fillIn } from './placeholders.js'

/** A running service that cases run against. */
export type Target = {
  mode: Mode
  /** The base URL without a slash at the end; may change with a reset. */
  readonly baseUrl: string
  fetch: typeof fetch
  cookieOf: CookieOf
  /** The data that the service holds now. */
  readonly data: TestData
  /** Sends requests without rewriting them; left out where only `fetch` can send them. */
  raw?: (request: ResolvedRequest) => Promise<ReceivedResponse>
  /** Whether the service answers every path of its origin, not only its own. */
  ownsOrigin: boolean
  /** Check only what the interface says, and not what was decided where it is silent. */
  interfaceOnly?: boolean
  /** Takes a page that an error links to and its code. Returns violations; by default, of the page that it opens. */
  checkDocs?: (docsUrl: string, code: string) => Promise<string[]>
  /** Prepares the service for another case. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** A request with all values filled in; headers may repeat. */
export type ResolvedRequest = {
  method: string
  url: string
  path: string
  headers: [string, string][]
  body?: Uint8Array
  chunked: boolean
}

/** The parts of a target that are needed to send a request. */
export type Sender = Pick<Target, 'baseUrl' | 'fetch' | 'cookieOf' | 'data' | 'raw'>

/** Sends a case's request to a target. */
export async function send(target: Sender, request: CaseRequest): Promise<ReceivedResponse> {
  const resolved = resolveRequest(target, request)
  if (target.raw) return target.raw(resolved)
  if (request.raw) throw new Error('This target cannot send raw requests.')
  return sendWithFetch(target.fetch, resolved)
}

/** A request with its values filled in. */
export function resolveRequest(
  { baseUrl, cookieOf, data }: Pick<Target, 'baseUrl' | 'cookieOf' | 'data'>,
  request: CaseRequest,
): ResolvedRequest {
  const source = { baseUrl, cookieOf, data }
  const path = request.path.replace(/\{\w+\}/g, (placeholder) =>
    encodeURIComponent(fillIn(placeholder, source)),
  )
  const { method, as, json, bytes, chunked = false } = request
  const cookies = request.cookies?.(cookieOf) ?? (as ? [cookieOf(as)] : [])
  const body = json === undefined ? bytes : new TextEncoder().encode(fillIn(JSON.stringify(json), source))
  return {
    method,
    url: baseUrl + path,
    path: new URL(baseUrl).pathname.replace(/\/$/, '') + path,
    headers: [
      ...cookies.map((cookie): [string, string] => ['cookie', cookie]),
      ...(json === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
      ...Object.entries(request.headers ?? {}).map(([name, value]): [string, string] => [
        name,
        fillIn(value, source),
      ]),
    ],
    ...(body && { body }),
    chunked,
  }
}

async function sendWithFetch(fetch: Target['fetch'], request: ResolvedRequest): Promise<ReceivedResponse> {
  const { method, url, headers, body, chunked } = request
  const init = { method, headers, redirect: 'manual' as const }
  const response = await fetch(
    url,
    chunked && body
      ? ({ ...init, body: toStream(body), duplex: 'half' } as RequestInit)
      : { ...init, ...(body && { body: body as Uint8Array<ArrayBuffer> }) },
  )
  const received = Object.fromEntries(response.headers)
  // The only header whose values are not joined already.
  if (received['set-cookie']) received['set-cookie'] = response.headers.getSetCookie().join(', ')
  return toResponse(response.status, received, await response.text())
}

/** A stream has no known length, so the transport uses chunked encoding. */
function toStream(body: Uint8Array): ReadableStream<Uint8Array> {
  const chunkBytes = 16 * 1024
  let offset = 0
  return new ReadableStream({
    pull(controller) {
      if (offset >= body.length) return controller.close()
      controller.enqueue(body.slice(offset, offset + chunkBytes))
      offset += chunkBytes
    },
  })
}

/** A response from its received parts; the body is parsed where its content type is JSON. */
export function toResponse(status: number, headers: Record<string, string>, text: string): ReceivedResponse {
  const isJson = headers['content-type']?.startsWith('application/json') && text !== ''
  return { status, headers, text, json: isJson ? parseJson(text) : undefined }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

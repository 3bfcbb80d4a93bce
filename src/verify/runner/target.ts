import type { Answer, CookieOf, Mode, Request } from '../cases/case.js'
import type { World } from '../cases/world.js'

/** A running service that cases are played against. */
export type Target = {
  mode: Mode
  /** Where the service answers, without a slash at the end; may change with a reset. */
  readonly baseUrl: string
  fetch: typeof fetch
  cookieOf: CookieOf
  /** What it holds now. */
  readonly world: World
  /** Writes a request as it stands; left out where the transport cannot. */
  raw?: (request: PlainRequest) => Promise<Answer>
  /** Whether it answers every path of its origin, and not those of the service alone. */
  ownsOrigin: boolean
  /** Judge by what the interface says alone, and not by what was decided where it is silent. */
  interfaceOnly?: boolean
  /** Makes it ready for another case. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** A request with everything filled in; headers may repeat. */
export type PlainRequest = {
  method: string
  url: string
  path: string
  headers: [string, string][]
  body?: Uint8Array
  chunked: boolean
}

/** What it takes to send a request. */
export type Sender = Pick<Target, 'baseUrl' | 'fetch' | 'cookieOf' | 'world' | 'raw'>

/** Sends a case's request to a target. */
export async function send(target: Sender, request: Request): Promise<Answer> {
  const plain = plainRequest(target, request)
  if (!request.raw) return sendWithFetch(target.fetch, plain)
  if (!target.raw) throw new Error('This target has no way to send a request as it stands.')
  return target.raw(plain)
}

function plainRequest({ baseUrl, cookieOf, world }: Sender, request: Request): PlainRequest {
  const path = request.path.replace(/\{(mine|foreign)\}/, (_, whose: 'mine' | 'foreign') =>
    encodeURIComponent(world[whose].id),
  )
  const { method, as, json, bytes, chunked = false } = request
  const cookies = request.cookies?.(cookieOf) ?? (as ? [cookieOf(as)] : [])
  const body = json === undefined ? bytes : new TextEncoder().encode(JSON.stringify(json))
  return {
    method,
    url: baseUrl + path,
    path: new URL(baseUrl).pathname.replace(/\/$/, '') + path,
    headers: [
      ...cookies.map((cookie): [string, string] => ['cookie', cookie]),
      ...(json === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
      ...Object.entries(request.headers ?? {}),
    ],
    ...(body && { body }),
    chunked,
  }
}

async function sendWithFetch(fetch: Target['fetch'], request: PlainRequest): Promise<Answer> {
  const { method, url, headers, body, chunked } = request
  const init = { method, headers, redirect: 'manual' as const }
  const response = await fetch(
    url,
    chunked && body
      ? ({ ...init, body: inChunks(body), duplex: 'half' } as RequestInit)
      : { ...init, ...(body && { body: body as Uint8Array<ArrayBuffer> }) },
  )
  return toAnswer(response.status, Object.fromEntries(response.headers), await response.text())
}

/** A stream has no length to announce, so that the transport sends chunks. */
function inChunks(body: Uint8Array): ReadableStream<Uint8Array> {
  const size = 16 * 1024
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent >= body.length) return controller.close()
      controller.enqueue(body.slice(sent, sent + size))
      sent += size
    },
  })
}

/** An answer from what came over the wire; the body is parsed where it is said to be JSON. */
export function toAnswer(status: number, headers: Record<string, string>, text: string): Answer {
  const isJson = headers['content-type']?.startsWith('application/json') && text !== ''
  return { status, headers, text, json: isJson ? parsed(text) : undefined }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

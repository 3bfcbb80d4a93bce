import type { RequestHandler } from 'msw'
import { cookieSentOnce, cookieValues } from '../../contract/cookie.js'
import { markerCookie } from '../state/sign-in-cookies.js'

/** Decides whether the cookies of a page or a process go with a request. */
export type Credentials = Pick<Request, 'credentials' | 'url'>

/** Stores the session cookie, in place of MSW's own cookie store. */
export type CookieJar = {
  /** The session cookies to send with a request that has no Cookie header. */
  read(request: Credentials): string[]
  /** Applies the Set-Cookie header of the response to a request. */
  write(setCookie: string, request: Credentials): void
  get(): string | undefined
  /** Sets the session cookie; undefined deletes it. */
  set(value: string | undefined): void
}

export type SentCookies = { cookies: string[]; marker?: string }

/** A request as plain values. A Fetch Request is made only for a user's handler. */
export type SentRequest = {
  readonly method: string
  /** The absolute URL, as sent. */
  readonly url: string
  /** By lower-case names, as sent. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly credentials: RequestCredentials
  /** Aborts when the client gives up. */
  readonly signal: AbortSignal
  /**
   * Waits until the signal has noticed a client that aborts its request at once, as React does to the first effect in
   * StrictMode. Absent if the signal is aborted in the same turn.
   */
  noticeAbort?(): Promise<unknown>
  /** Reads the body of a request that the mock answers. @returns undefined if it is longer than the limit in bytes */
  bytes(limit: number): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /**
   * Reads the body for the log, and leaves it to others.
   * @param copy a copy of the request that has no other reader: another one costs as much as reading it
   * @returns undefined if the body cannot be read, or was read before
   */
  peek(copy?: Request): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** The arguments of `run` and `test` of MSW's handlers. */
  toFetch(): FetchArguments
  /** On a server: the calls of the user's handlers, whose own requests may come back to the mock. */
  calls?: {
    /** Whether the request comes from a handler, and does not reach it. */
    skips(handler: RequestHandler): boolean
    call<Result>(handler: RequestHandler, run: () => Result): Result
  }
  /** Why the body could not be read, after an attempt. */
  fault?(): { status: number; message: string } | undefined
  /**
   * The cookies of a request that the mock itself sends. A page cannot set their header. No client waits for the response.
   */
  readonly replay?: SentCookies
  /** Called with the entry of the request in the log. */
  onEntry?(entry: object): void
}

export type FetchArguments = {
  request: Request
  requestId: string
  resolutionContext?: { baseUrl?: string; quiet?: boolean }
}

export const noBytes = new Uint8Array()

/** Whether the method has no body. Firefox has no `body` of a Request. */
export const isBodiless = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The session cookies of a request, and the marker of the sign-in page. */
export function sentCookies(sent: SentRequest, jar: CookieJar): SentCookies {
  const { cookie } = sent.headers
  if (sent.replay) return sent.replay
  if (cookie === undefined) return { cookies: jar.read(sent) }
  return { cookies: cookieValues(cookie), marker: cookieSentOnce(cookie, markerCookie) }
}

let lastId = 0

/** In jsdom, each handler of MSW 2 that precedes the mock adds the cookies of the page again. */
const cookiesOnce = (header: string): string =>
  globalThis.document === undefined ? header : [...new Set(header.split(/;\s*/))].join('; ')

/**
 * Converts a Fetch Request.
 * @param given the arguments of MSW's handlers. The headers are read at once: MSW's handlers add cookies to them
 */
export function sentBy(
  { request, ...given }: Partial<FetchArguments> & { request: Request },
  client: Partial<Pick<SentRequest, 'signal' | 'noticeAbort'>> = {},
): SentRequest {
  const { method, url, credentials } = request
  const headers: Record<string, string> = {}
  request.headers.forEach((value, name) => {
    headers[name] = name === 'cookie' ? cookiesOnce(value) : value
  })
  let forHandlers: Request | undefined
  let reading: Promise<Uint8Array> | undefined
  let read: Uint8Array | undefined
  const readFrom = async (source: Request): Promise<Uint8Array> => {
    read = new Uint8Array(await source.arrayBuffer())
    return read
  }
  return {
    method,
    url,
    headers,
    credentials,
    get signal() {
      return client.signal ?? request.signal
    },
    noticeAbort: client.noticeAbort,
    async bytes(limit) {
      if (isBodiless(method)) return noBytes
      reading ??= readFrom(request)
      const bytes = await reading
      return bytes.length > limit ? undefined : bytes
    },
    peek(copy) {
      if (isBodiless(method)) return noBytes
      const unread = copy?.bodyUsed === false ? copy : undefined
      if (!reading && !unread && request.bodyUsed) return undefined
      reading ??= readFrom(unread ?? request.clone())
      return read ?? reading.catch(() => undefined)
    },
    toFetch() {
      // Handlers get a copy of the body: one may read it, and leave the request to others.
      if (forHandlers === undefined || forHandlers.bodyUsed) {
        forHandlers = isBodiless(method) || request.bodyUsed ? request : request.clone()
      }
      lastId += 1
      return { requestId: `mock-${lastId}`, ...given, request: forHandlers }
    },
  }
}

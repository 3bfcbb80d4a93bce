import { RequestHandler } from 'msw'
import { cookieSentOnce, cookieValues } from '../../contract/cookie.js'
import { markerCookie } from './sign-in-cookies.js'

// MSW's own handlers add the cookies of the page and of MSW's store to the headers of a request, each of them again, and
// read its body. The clone that the first of them makes has the request as it was sent.

/** Stores the session cookie, in place of MSW's own cookie store. */
export type CookieJar = {
  /** The session cookies to send with a request that has no Cookie header. */
  read(request: Request): string[]
  /** Applies the Set-Cookie header of the response to a request. */
  write(setCookie: string, request: Request): void
  /** The session cookie that is stored. */
  get(): string | undefined
  /** Sets the session cookie; undefined deletes it. */
  set(value: string | undefined): void
}

export type SentCookies = { cookies: string[]; marker?: string }

/** A request as it was sent. */
export const asSent = (request: Request): Request => RequestHandler.cache.get(request) ?? request

/** The Cookie header of requests as it was sent, for those that are not cloned. */
const sentHeaders = new WeakMap<Request, string | null>()

/**
 * Makes the clone before any handler does. A request without a body needs none but for its cookies: to clone it costs more
 * than everything else that the mock does with it.
 */
export function keepAsSent(request: Request): void {
  // One whose body was read by the mock itself can have no clone.
  if (RequestHandler.cache.has(request) || request.bodyUsed) return
  const isRead = /^(GET|HEAD)$/.test(request.method)
  if (isRead) sentHeaders.set(request, request.headers.get('cookie'))
  RequestHandler.cache.set(request, isRead ? request : request.clone())
}

/** The session cookies of a request, and the marker of a browser that used the sign-in page. */
export function sentCookies(request: Request, jar: CookieJar): SentCookies {
  const sender = sentByMock.get(request)
  if (sender) return { cookies: sender.cookies }
  const kept = sentHeaders.get(request)
  const cookie = kept === undefined ? asSent(request).headers.get('cookie') : kept
  if (cookie === null) return { cookies: jar.read(request) }
  return { cookies: cookieValues(cookie), marker: cookieSentOnce(cookie, markerCookie) }
}

/** The requests that the mock itself sends: a page cannot set the header of their cookies. */
const sentByMock = new WeakMap<object, { cookies: string[]; onEntry(entry: object): void }>()

/** Sends a request with this session cookie, or without one. @param onEntry called with its entry in the log */
export const sendAs = (
  request: Request,
  cookie: string | undefined,
  onEntry: (entry: object) => void,
): void => {
  sentByMock.set(request, { cookies: cookie === undefined ? [] : [cookie], onEntry })
}

export const noteEntry = (request: object, entry: object): void => sentByMock.get(request)?.onEntry(entry)

/** Whether the mock itself sent a request, so that nobody waits for it. */
export const isSentByMock = (request: Request): boolean => sentByMock.has(request)

const noBytes = new Uint8Array()

/** The body of a request for the log. */
export function bodyOf(request: Request): Uint8Array | Promise<Uint8Array> {
  const sent = asSent(request)
  if (/^(GET|HEAD)$/.test(request.method) || sent.bodyUsed) return noBytes
  // What the handler has read has been sent.
  return request.bodyUsed ? bytesOf(sent) : bytesInTime(sent)
}

const bytesOf = (request: Request): Promise<Uint8Array> =>
  request.arrayBuffer().then(
    (bytes) => new Uint8Array(bytes),
    () => noBytes,
  )

/** How long a response waits for the body of its request: one that is still being sent is not in the log. */
const bodyMs = 50

async function bytesInTime(sent: Request): Promise<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Uint8Array>((resolve) => {
    timer = setTimeout(resolve, bodyMs, noBytes)
  })
  const body = await Promise.race([bytesOf(sent), late])
  clearTimeout(timer)
  return body
}

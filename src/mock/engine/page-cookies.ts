import { cookieValues, sessionCookie } from '../../contract/cookie.js'
import { setSessionCookie } from '../state/sign-in-cookies.js'
import type { CookieJar, Credentials } from './sent-request.js'

const storageKey = 'dashboard-api:session-cookie'

/**
 * The page's own cookies, sent and set by the `credentials` of a request. A browser silently ignores a write to an HttpOnly
 * or Secure cookie, or any write of a page without cookies. So each write is read back, and a failed value is kept for this
 * tab.
 */
export function pageCookies(): CookieJar {
  const tab = tabStorage()
  /** The value that the mock wrote last. Cookies of another path or domain may stand beside it. */
  let last: string | undefined
  let hasWarned = false

  const warn = (problem: string) => {
    if (!hasWarned) console.warn(`${problem} ${advice()}`.trim())
    hasWarned = true
  }

  const set = (value: string | undefined) => {
    setCookieOfPage(setSessionCookie(value))
    if (value === undefined) deleteBelowRoot()
    last = value
    const beside = cookieValues(document.cookie)
    if (value === undefined ? beside.length === 0 : beside.includes(value)) return tab.write(undefined)
    tab.write({ value, beside })
    warn(
      value === undefined
        ? 'The mock cannot delete a session cookie of this page, which counts as none in this tab.'
        : 'The browser did not accept the session cookie of the mock, which keeps it for this tab.',
    )
  }

  const read = (): string[] => {
    const found = cookieValues(document.cookie)
    const kept = tab.read()
    // It counts until the cookies of the page change.
    if (kept && String(kept.beside) === String(found)) return kept.value === undefined ? [] : [kept.value]
    return last !== undefined && found.includes(last) ? [last] : found
  }

  return {
    read: (request) => (carriesCookies(request) ? read() : []),
    write(setCookie, request) {
      if (!carriesCookies(request)) return
      if (!setCookie.startsWith(`${sessionCookie}=`)) return setCookieOfPage(setCookie)
      set(cookieValues(setCookie.split(';', 1)[0])[0] || undefined)
    },
    get() {
      const values = read()
      return values.length === 1 ? values[0] : undefined
    },
    set,
  }
}

/** A page at `about:blank` has no name, and a sandboxed one no cookies. */
const advice = () =>
  location.hostname &&
  `Look at the cookie "session" of ${location.hostname} in the developer tools, or open the page at another name of this ` +
    'machine: cookies belong to all ports of a name.'

/** The session of this tab, and the page's session cookies when it was set. */
type Kept = { value?: string; beside: string[] }

/** The session cookie that the mock remembers for this tab, over reloads if the page has a storage. */
function tabStorage() {
  let kept: Kept | undefined
  try {
    kept = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') ?? undefined
  } catch {}
  return {
    read: () => kept,
    write(next: Kept | undefined) {
      if (next === undefined && kept === undefined) return
      kept = next
      try {
        if (next) sessionStorage.setItem(storageKey, JSON.stringify(next))
        else sessionStorage.removeItem(storageKey)
      } catch {}
    },
  }
}

/** Deletes the session cookies of the page's folders, which the page has beside that of the root. */
function deleteBelowRoot(): void {
  for (const [i, char] of [...location.pathname].entries()) {
    if (i === 0 || cookieValues(document.cookie).length === 0) continue
    const path = location.pathname.slice(0, i)
    if (char === '/')
      for (const each of [path, `${path}/`]) setCookieOfPage(deleted.replace('Path=/;', `Path=${each};`))
  }
}

const deleted = setSessionCookie(undefined)

/** Sets the session cookie of the page. @returns false if the browser has not taken it */
export function setsSession(value: string): boolean {
  setCookieOfPage(setSessionCookie(value))
  return cookieValues(document.cookie).includes(value)
}

function setCookieOfPage(cookie: string): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
    document.cookie = cookie
  } catch {
    // A sandboxed frame may have no cookies.
  }
}

const carriesCookies = ({ credentials, url }: Credentials): boolean =>
  credentials === 'include' || (credentials === 'same-origin' && new URL(url).origin === location.origin)

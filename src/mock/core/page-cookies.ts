import { cookieSentOnce, cookieValues } from '../../contract/cookie.js'
import type { CookieJar } from './sent-request.js'
import { setSessionCookie } from './sign-in-cookies.js'

/** The page's own cookies. The `credentials` of a request decide whether they are sent and set. */
export const pageCookies = (): CookieJar => ({
  read: (request) => (carriesCookies(request) ? cookieValues(document.cookie) : []),
  write(setCookie, request) {
    if (carriesCookies(request)) setCookieOfPage(setCookie)
  },
  get: () => cookieSentOnce(document.cookie),
  set: (value) => setCookieOfPage(setSessionCookie(value)),
})

function setCookieOfPage(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = cookie
}

const carriesCookies = ({ credentials, url }: Request): boolean =>
  credentials === 'include' || (credentials === 'same-origin' && new URL(url).origin === location.origin)

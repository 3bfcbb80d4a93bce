import type { CookieJar } from './sent-request.js'

/** For a server, whose clients keep their own cookies. */
export const noCookies: CookieJar = {
  read: () => [],
  write() {},
  get: () => undefined,
  set() {},
}

/**
 * For clients with cookies of their own: responses set none. The session that a test has chosen is that of the requests
 * without a Cookie header.
 */
export const cookiesAsSent = (): CookieJar => ({ ...createJar(), write() {} })

/**
 * Stores the session cookie as a browser does: it goes with each request that does not omit credentials, and the
 * responses to those requests set it.
 */
export function createJar(initial?: string): CookieJar {
  let value = initial
  return {
    get: () => value,
    set(next) {
      value = next
    },
    read: ({ credentials }) => (credentials === 'omit' || value === undefined ? [] : [value]),
    write(setCookie, { credentials }) {
      if (credentials !== 'omit') value = /^session=([^;]+)/.exec(setCookie)?.[1]
    },
  }
}

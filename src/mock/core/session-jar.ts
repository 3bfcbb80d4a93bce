import type { CookieJar } from './sent-request.js'

/** For a server, whose clients keep their own cookies. */
export const noCookies: CookieJar = {
  read: () => [],
  write() {},
  get: () => undefined,
  set() {},
}

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

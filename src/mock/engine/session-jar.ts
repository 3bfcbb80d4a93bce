import type { CookieJar } from './sent-request.js'

/** For a server, whose clients keep their own cookies. */
export const noCookies: CookieJar = {
  read: () => [],
  write() {},
  get: () => undefined,
  set() {},
}

/**
 * For clients that send their own cookies: responses set none. The session that a test has chosen applies to requests without
 * a Cookie header.
 */
export const cookiesAsSent = (): CookieJar => ({ ...createJar(), write() {} })

/** Stores the session cookie as a browser does: requests send it unless they omit credentials, and their responses set it. */
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

import type { CookieJar } from './mock-handler.js'

/**
 * Stands in for a browser's cookies: the session goes with each request that does not omit credentials, and is
 * set by its answer.
 * @param first the cookie to begin with
 */
export function createJar(first?: string): CookieJar & { set(value: string | undefined): void } {
  let value = first
  return {
    set(next) {
      value = next
    },
    read: ({ credentials }) => (credentials === 'omit' ? undefined : value),
    write(setCookie, { credentials }) {
      if (credentials !== 'omit') value = /^session=([^;]+)/.exec(setCookie)?.[1]
    },
  }
}

import type { CookieJar } from './mock-handler.js'

/**
 * Stands in for a browser's cookies: the session goes with each request that does not omit credentials.
 * @param first the cookie to begin with
 */
export function createJar(first?: string): CookieJar & { set(value: string | undefined): void } {
  let value = first
  return {
    set(next) {
      value = next
    },
    read: (request) => (request.credentials === 'omit' ? undefined : value),
    write(setCookie) {
      value = /^session=([^;]+)/.exec(setCookie)?.[1]
    },
  }
}

/** The name of the cookie that carries the session, section 5.1. */
export const sessionCookie = 'session'

/** In the answer to a script that signed out: where to lead the page to sign out at the identity provider too. */
export const signOutUrlHeader = 'x-sign-out-url'

/**
 * The value of a cookie that was sent exactly once, percent-decoded.
 * @param header the Cookie header as it was sent
 * @returns undefined where the cookie is absent, sent twice (nobody can tell which one is meant), or garbled
 */
export function cookieSentOnce(header: string | undefined, name = sessionCookie): string | undefined {
  const values = (header ?? '')
    .split(';')
    // Space and tab alone: a browser counts any other as a part of the name, and for a name that begins with one it
    // would not keep the promise of `__Host-`.
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  if (values.length !== 1) return undefined
  try {
    return decodeURIComponent((values[0] ?? '').replace(/^"(.*)"$/, '$1'))
  } catch {
    return undefined
  }
}

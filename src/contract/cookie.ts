/** The name of the cookie that carries the session, section 5.1. */
export const sessionCookie = 'session'

/** In the response to a script that signed out: the URL that signs the page out at the identity provider too. */
export const signOutUrlHeader = 'x-sign-out-url'

/**
 * The value of a cookie that was sent exactly once, percent-decoded.
 * @param header the Cookie header as it was sent
 * @returns undefined where the cookie is absent, malformed, or sent twice (which one is valid is unknown)
 */
export function cookieSentOnce(header: string | undefined, name = sessionCookie): string | undefined {
  const values = (header ?? '')
    .split(';')
    // Only space and tab: a browser treats any other white space as a part of the name, and does not enforce the
    // rules of `__Host-` for a name that begins with it.
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

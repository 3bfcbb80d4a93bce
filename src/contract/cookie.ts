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
  const prefix = `${name}=`
  let value: string | undefined
  for (const pair of (header ?? '').split(';')) {
    const trimmed = trimBlanks(pair)
    if (!trimmed.startsWith(prefix)) continue
    if (value !== undefined) return undefined
    value = trimmed.slice(prefix.length)
  }
  if (value === undefined) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/**
 * Without the space and tab around it. A browser treats any other white space as a part of the name, and does not
 * enforce the rules of `__Host-` for a name that begins with it.
 */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

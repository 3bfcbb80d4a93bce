/** The name of the session cookie, section 5.1. */
export const sessionCookie = 'session'

/** In the response to a sign-out by a script: the URL that also signs out at the identity provider. */
export const signOutUrlHeader = 'x-sign-out-url'

/**
 * The values of the cookies with a name, percent-decoded. Values that cannot be decoded are left out.
 * @param header the Cookie header as sent
 */
export function cookieValues(header = '', name = sessionCookie): string[] {
  const prefix = `${name}=`
  const values: string[] = []
  for (const pair of header.split(';')) {
    // Not `trimStart`: for a browser other white space is part of the name, and a name that begins with it escapes the rules
    // of `__Host-`.
    const trimmed = pair.replace(/^[ \t]+/, '').trimEnd()
    const value = trimmed.startsWith(prefix) ? decode(trimmed.slice(prefix.length)) : undefined
    if (value !== undefined) values.push(value)
  }
  return values
}

/**
 * The only valid value of a cookie that was sent several times. A page of another subdomain can add a cookie, and could
 * otherwise sign users out.
 * @returns undefined unless exactly one value is valid
 */
export function onlyValid(values: string[], isValid: (value: string) => boolean): string | undefined {
  // Each check may take microseconds. Browsers do not send as many.
  const [first, ...others] = values.length > 1 ? values.slice(0, 20).filter(isValid) : values
  return others.length === 0 ? first : undefined
}

/** The value of a cookie that was sent exactly once. */
export const cookieSentOnce = (header: string | undefined, name = sessionCookie): string | undefined =>
  onlyValid(cookieValues(header, name), () => true)

function decode(value: string): string | undefined {
  try {
    return value.indexOf('%') >= 0 ? decodeURIComponent(value) : value
  } catch {
    return undefined
  }
}

/** The name of the cookie that carries the session, section 5.1. */
export const sessionCookie = 'session'

/** In the response to a script that signed out: the URL that signs the page out at the identity provider too. */
export const signOutUrlHeader = 'x-sign-out-url'

/**
 * The values of the cookies of one name, percent-decoded, without those that cannot be decoded.
 * @param header the Cookie header as it was sent
 */
export function cookieValues(header = '', name = sessionCookie): string[] {
  const prefix = `${name}=`
  const values: string[] = []
  for (const pair of header.split(';')) {
    // Not `trimStart`: a browser takes any other white space for a part of the name, and does not enforce the rules of
    // `__Host-` for a name that begins with it.
    const trimmed = pair.replace(/^[ \t]+/, '').trimEnd()
    const value = trimmed.startsWith(prefix) ? decode(trimmed.slice(prefix.length)) : undefined
    if (value !== undefined) values.push(value)
  }
  return values
}

/**
 * The value that counts where a cookie was sent several times: the only one that is valid. A page of another subdomain
 * can add a cookie, and so could sign users out if two were none.
 * @returns undefined where no value is valid, or more than one is
 */
export function onlyValid(values: string[], isValid: (value: string) => boolean): string | undefined {
  // Each check may take microseconds. Browsers do not send so many.
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

// Without zod: the command line loads this to show the help of a command.

/** The origin of an http or https URL without further parts; undefined for any other text, and for a wildcard. */
export function httpOrigin(text: string): string | undefined {
  const url = httpUrl(text)
  return url && url.href === `${url.origin}/` && !url.host.includes('*') ? url.origin : undefined
}

/** An http or https URL without user, query and fragment; undefined for any other text. */
export function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash
  return isPlain && /^https?:/.test(url.protocol) ? url : undefined
}

/**
 * Where to go after signing in or out: a path of this site, or a URL of an allowed origin, and nothing else.
 * @param value the `returnTo` parameter as it came
 * @param site the origin of this site, e.g. `http://127.0.0.1:4010`
 * @param isAllowed whether a further origin may be returned to
 * @returns a path (`/…`) of this site or a URL of an allowed origin; `/` in place of anything else
 */
export function safeReturnTo(
  value: string | null | undefined,
  site: string,
  isAllowed: (origin: string) => boolean = () => false,
): string {
  // A browser reads `\` as `/` and skips tabs and line ends, so that `/\evil.example` would leave the site.
  if (!value || [...value].some((char) => char <= ' ' || char === '\\')) return '/'
  if (!value.startsWith('/') && !/^https?:\/\//i.test(value)) return '/'
  const url = URL.canParse(value, site) ? new URL(value, site) : undefined
  if (!url || url.username || url.password) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  if (url.origin === new URL(site).origin) return path.startsWith('//') ? '/' : path
  return isAllowed(url.origin) ? url.href : '/'
}

/**
 * The redirect target after signing in or out.
 * @param value the `returnTo` parameter as received
 * @param site the origin of this site, e.g. `http://127.0.0.1:4010`
 * @param isAllowed whether a redirect to another origin is allowed
 * @returns a path (`/…`) of this site or a URL of an allowed origin; `/` for anything else
 */
export function safeReturnTo(
  value: string | null | undefined,
  site: string,
  isAllowed: (origin: string) => boolean = () => false,
): string {
  // A browser treats `\` as `/` and skips tabs and line breaks: `/\evil.example` would leave the site.
  if (!value || [...value].some((char) => char <= ' ' || char === '\\')) return '/'
  if (!value.startsWith('/') && !/^https?:\/\//i.test(value)) return '/'
  const url = URL.canParse(value, site) ? new URL(value, site) : undefined
  if (!url || url.username || url.password) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  if (url.origin === new URL(site).origin) return path.startsWith('//') ? '/' : path
  return isAllowed(url.origin) ? url.href : '/'
}

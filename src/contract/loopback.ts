/** Whether a host name is this machine's own. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(\.\d{1,3}){3}$/.test(hostname)

/** Whether an origin is a web page of this machine, whatever its port. `null`, an opaque origin, is not. */
export const isLoopbackOrigin = (origin: string): boolean =>
  URL.canParse(origin) &&
  /^https?:$/.test(new URL(origin).protocol) &&
  isLoopbackHost(new URL(origin).hostname)

/** Whether a URL is plain http to this machine. A name such as `app.localhost` need not resolve to it in Node. */
export function isLoopbackHttpUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && isLoopbackHost(hostname) && !hostname.endsWith('.localhost')
}

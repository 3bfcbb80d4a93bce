/** Whether a host name is a loopback name or address. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(\.\d{1,3}){3}$/.test(hostname)

/** The schemes of pages: those of applications with a web view are Tauri's, Capacitor's and Ionic's. */
const pageSchemes = /^(https?|tauri|capacitor|ionic):$/

/** Whether an origin is on a loopback host, on any port. The opaque origin `null` is not. */
export const isLoopbackOrigin = (origin: string): boolean =>
  URL.canParse(origin) &&
  pageSchemes.test(new URL(origin).protocol) &&
  isLoopbackHost(new URL(origin).hostname)

/** Whether a URL is plain http to a loopback host. Node may not resolve a name such as `app.localhost`. */
export function isLoopbackHttpUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && isLoopbackHost(hostname) && !hostname.endsWith('.localhost')
}

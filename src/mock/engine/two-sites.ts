import { cookieValues } from '../../contract/cookie.js'
import { isLoopbackHost } from '../../contract/loopback.js'

type Headers = Readonly<Record<string, string | undefined>>

/**
 * Advice for a page and a mock that the browser calls two sites, as `localhost` and `127.0.0.1`: it sends no session cookie from one
 * to the other. A proxy may have changed the Host header, so that names alone do not tell.
 * @param headers the headers of a request @param scheme that of the mock
 * @returns undefined if the browser does not say so, or has sent the cookie
 */
export function twoSites(headers: Headers, scheme: string): string | undefined {
  const { origin, host, 'sec-fetch-site': relation } = headers
  if (relation !== 'cross-site' || cookieValues(headers.cookie).length > 0) return undefined
  if (!origin || !host || !URL.canParse(origin) || !URL.canParse(`${scheme}://${host}`)) return undefined
  const page = new URL(origin)
  const mock = new URL(`${scheme}://${host}`)
  // A redirect may have led through another site.
  if (page.protocol === mock.protocol && page.hostname === mock.hostname) return undefined
  const sites = `the page at ${origin} and the mock at ${mock.origin} are two sites: the browser sends no session cookie`
  // The origin of a web view has no other name.
  if (!/^https?:$/.test(page.protocol)) return sites
  return `${sites}. ${adviceFor(page, mock)}`
}

function adviceFor(page: URL, mock: URL): string {
  const pageAt = (hostname: string) => `${mock.protocol}//${hostname}${page.port && `:${page.port}`}`
  if (page.hostname === mock.hostname) {
    const orServe =
      mock.protocol === 'http:' ? ', or serve the mock over https: dev --cert FILE --key FILE' : ''
    return `Open the page at ${pageAt(page.hostname)}${orServe}`
  }
  if (![page, mock].every(({ hostname }) => isLoopbackHost(hostname))) return 'Use one name for both'
  const called = `${mock.protocol}//${page.hostname}${mock.port && `:${mock.port}`}`
  return `Call the mock at ${called}, or open the page at ${pageAt(mock.hostname)}`
}

import { isLoopbackHost } from '../../contract/loopback.js'

/**
 * Advice for a page and a mock with different names of this machine. For browsers `localhost` and `127.0.0.1` are two sites,
 * and no session cookie is sent from one to the other.
 * @param origin the Origin header of a request @param host its Host header
 * @returns undefined if both have the same name, or one is of another machine
 */
export function twoSites(origin: string | undefined, host: string | undefined): string | undefined {
  if (!origin || !host || !URL.canParse(origin) || !URL.canParse(`http://${host}`)) return undefined
  const page = new URL(origin)
  const mock = new URL(`http://${host}`)
  const isWeb = /^https?:$/.test(page.protocol)
  if (isWeb && page.hostname === mock.hostname) return undefined
  if (![page, mock].every(({ hostname }) => isLoopbackHost(hostname))) return undefined
  const called = `http://${page.hostname}${mock.port && `:${mock.port}`}`
  const sites = `the page at ${origin} and the mock at ${mock.origin} are two sites: the browser sends no session cookie`
  // Its origin has no other name.
  if (!isWeb) return sites
  return (
    `${sites}. ` +
    `Call the mock at ${called}, or open the page at ${page.protocol}//${mock.hostname}${page.port && `:${page.port}`}`
  )
}

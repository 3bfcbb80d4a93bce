/** The headers by which a browser identifies the sender of a request. */
export type Sender = { origin?: string; secFetchSite?: string; host?: string }

/** The origins that belong to a service. */
export type Origins = {
  /** Whether pages of another origin may use the service. */
  isAllowed(origin: string): boolean
  /** Whether an origin is the service's own. @param host the Host header of the request */
  isOwn(origin: string, host: string | undefined): boolean
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request is a change that a page of another site may have sent with the user's cookie (CSRF). */
export const isCrossSiteChange = (method: string, sender: Sender, origins: Origins): boolean =>
  !safeMethods.has(method) && isCrossSite(sender, origins)

/**
 * Whether a request comes from a page of another site. Current browsers send Sec-Fetch-Site, older ones only Origin. A
 * request with neither comes from another kind of client, or from a page of this site in a very old browser.
 */
export function isCrossSite({ origin, secFetchSite, host }: Sender, { isAllowed, isOwn }: Origins): boolean {
  if (origin !== undefined && isAllowed(origin)) return false
  if (secFetchSite !== undefined) return secFetchSite !== 'same-origin' && secFetchSite !== 'none'
  return origin !== undefined && !isOwn(origin, host)
}

/** Whether an origin has the name by which a client called the service. */
export const hasHost = (origin: string, host: string | undefined): boolean =>
  origin.replace(/^https?:\/\//, '') === host

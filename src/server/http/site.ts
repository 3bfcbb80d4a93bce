import { safeReturnTo } from '../../contract/return-to.js'

/** Where a service is, and what belongs to it. */
export type Site = {
  /** Where browsers reach the service, e.g. `https://api.example.com`. */
  origin(): string
  /** The name of the session cookie. */
  cookieName: string
  hasAllowedOrigins: boolean
  /** Whether pages of another origin belong to the service. */
  isAllowed(origin: string): boolean
  /** Whether an origin is the service's own. @param host the Host header that came with it */
  isOwn(origin: string, host: string | undefined): boolean
  /** Where a `returnTo` leads that came with a request: to this site or an allowed origin, nowhere else. */
  returnTo(value: unknown): string
}

/** It travels in a cookie, and browsers take none above 4096 bytes. */
const longestReturnTo = 2000

export type SiteOptions = {
  publicUrl: string | undefined
  /** Where the server listens; asked for each time, for one that does not listen yet has no address. */
  listeningOrigin(): string
  cookieName: string
  allowedOrigins: readonly string[]
}

export function createSite({ publicUrl, listeningOrigin, cookieName, allowedOrigins }: SiteOptions): Site {
  const origin = () => publicUrl ?? listeningOrigin()
  const isAllowed = (other: string) => allowedOrigins.includes(other)
  return {
    origin,
    cookieName,
    hasAllowedOrigins: allowedOrigins.length > 0,
    isAllowed,
    // Without a public URL the service has the name by which it was called.
    isOwn: (other, host) =>
      other === origin() || (publicUrl === undefined && other.replace(/^https?:\/\//, '') === host),
    returnTo: (value) => {
      const isFit = typeof value === 'string' && value.length <= longestReturnTo
      return safeReturnTo(isFit ? value : undefined, origin(), isAllowed)
    },
  }
}

import { safeReturnTo } from '../contract/return-to.js'

/** Where a service is, and what belongs to it. */
export type Site = {
  /** Where browsers reach the service, e.g. `https://api.example.com`. */
  origin(): string
  /** The name of the session cookie. */
  cookieName: string
  /** Whether pages of another origin belong to the service. */
  isAllowed(origin: string): boolean
  /** Where a `returnTo` leads that came with a request: to this site or an allowed origin, nowhere else. */
  returnTo(value: unknown): string
}

/** @param origin asked for each time, for a server that does not listen yet has no address */
export function createSite(
  origin: () => string,
  cookieName: string,
  allowedOrigins: readonly string[],
): Site {
  const isAllowed = (other: string) => allowedOrigins.includes(other)
  return {
    origin,
    cookieName,
    isAllowed,
    returnTo: (value) => safeReturnTo(typeof value === 'string' ? value : undefined, origin(), isAllowed),
  }
}

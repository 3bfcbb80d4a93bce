import { hasHost, type Origins } from '../../contract/page-origin.js'
import { safeReturnTo } from '../../contract/return-to.js'

/** The origin of the service, and the origins that belong to it. */
export type Site = Origins & {
  /** Where browsers reach the service, e.g. `https://api.example.com`. */
  origin(): string
  /** The name of the session cookie. */
  cookieName: string
  hasAllowedOrigins: boolean
  /** The checked `returnTo` of a request: it leads to this site or to an allowed origin. */
  returnTo(value: unknown): string
}

/** It is stored in a cookie, and browsers accept at most 4096 bytes. */
const maxReturnTo = 2000

export type SiteOptions = {
  publicUrl: string | undefined
  /** The address of the server; empty until it listens. */
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
    // Without a public URL the service has the name by which the client called it.
    isOwn: (other, host) => other === origin() || (publicUrl === undefined && hasHost(other, host)),
    returnTo: (value) => {
      const isUsable = typeof value === 'string' && value.length <= maxReturnTo
      return safeReturnTo(isUsable ? value : undefined, origin(), isAllowed)
    },
  }
}

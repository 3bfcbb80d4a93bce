import { type ErrorCode, errorDocsPath } from '../../contract/errors.js'
import { openableOrigin, requestedOrigin } from '../../contract/host.js'
import { hasHost } from '../../contract/page-origin.js'
import { safeReturnTo } from '../../contract/return-to.js'
import type { Settings } from '../settings/settings.js'

/** The origin of the service, and the origins that belong to it. */
export type Site = ReturnType<typeof createSite>

/** The address that a request was sent to. */
type Requested = { protocol: string; host: string }

/** It is stored in a cookie, and browsers accept at most 4096 bytes. */
const maxReturnTo = 2000

/**
 * @param listeningOrigin the address of the server; empty until it listens
 * @param prefix what comes before the paths of the service
 */
export function createSite(
  {
    publicUrl,
    docsUrl: docsBase,
    sessionCookie: cookieName,
    allowedOrigins,
  }: Pick<Settings, 'publicUrl' | 'docsUrl' | 'sessionCookie' | 'allowedOrigins'>,
  listeningOrigin: () => string,
  prefix = '',
) {
  const origin = () => publicUrl ?? listeningOrigin()
  const isAllowed = (other: string) => allowedOrigins.includes(other)
  return {
    /** Where browsers reach the service, e.g. `https://api.example.com`. */
    origin,
    pathOf: (path: string): string => prefix + path,
    /** The address of a path of the service, as browsers reach it. */
    urlOf: (path: string): string => origin() + prefix + path,
    cookieName,
    isAllowed,
    // Without a public URL the service has the name by which the client called it.
    isOwn: (other: string, host: string | undefined): boolean =>
      other === origin() || (publicUrl === undefined && hasHost(other, host)),
    /** The URL of the page about an error code, as the client of a request can open it. */
    docsUrl(code: ErrorCode, request?: Requested): string {
      // Not the address that the server is bound to: that may be 0.0.0.0.
      const at =
        publicUrl ??
        (request && requestedOrigin(request.protocol, request.host)) ??
        openableOrigin(listeningOrigin() || 'http://localhost')
      return `${docsBase ?? at + prefix}${errorDocsPath(code)}`
    },
    /** The checked `returnTo` of a request: it leads to this site or to an allowed origin. */
    returnTo(value: unknown): string {
      // Measured as it is stored: percent-encoded, a text may be nine times as long.
      const target = safeReturnTo(typeof value === 'string' ? value : undefined, origin(), isAllowed)
      return target.length <= maxReturnTo ? target : '/'
    },
  }
}

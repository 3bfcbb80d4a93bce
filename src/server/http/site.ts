import { type ErrorCode, errorDocsPath } from '../../contract/errors.js'
import { openableOrigin, requestedOrigin } from '../../contract/host.js'
import { hasHost } from '../../contract/page-origin.js'
import { safeReturnTo } from '../../contract/return-to.js'
import type { Settings } from '../settings/settings.js'

const isHttpUrl = (text = '') => /^https?:/.test(text)

/** The origin of the service, and the origins that belong to it. */
export type Site = ReturnType<typeof createSite>

/** The address that a request was sent to. */
type Requested = { protocol: string; host: string }

/** Stored in a cookie beside the URL of the provider: the headers of a response have 4 KiB at most behind some proxies. */
const maxReturnTo = 1000

/**
 * @param listeningOrigin the address of the server; empty until it listens, a path on a Unix socket
 * @param prefix the prefix of the service's paths
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
  /** Without a public URL, and on a Unix socket, the address by which the client called. */
  const origin = (request?: Requested): string =>
    publicUrl ??
    [listeningOrigin(), request && requestedOrigin(request.protocol, request.host)].find(isHttpUrl) ??
    'http://localhost'
  const isAllowed = (other: string) => allowedOrigins.includes(other)
  return {
    /** The origin of the service for browsers, e.g. `https://api.example.com`. */
    origin,
    pathOf: (path: string): string => prefix + path,
    /** The URL of a path of the service for browsers. */
    urlOf: (path: string, request: Requested): string => origin(request) + prefix + path,
    cookieName,
    isAllowed,
    // Without a public URL the service has the name by which the client called it.
    isOwn: (other: string, host: string | undefined): boolean =>
      other === origin() || (publicUrl === undefined && hasHost(other, host)),
    /** The URL of the page about an error code, for the client of a request. */
    docsUrl(code: ErrorCode, request?: Requested): string {
      // The bound address cannot be used: it may be 0.0.0.0.
      const at =
        publicUrl ?? (request && requestedOrigin(request.protocol, request.host)) ?? openableOrigin(origin())
      return `${docsBase ?? at + prefix}${errorDocsPath(code)}`
    },
    /** The validated `returnTo` of a request, a URL of this site or an allowed origin. */
    returnTo(value: unknown, request: Requested): string {
      // Measured percent-encoded, as it is stored: up to nine times as long.
      const target = safeReturnTo(typeof value === 'string' ? value : undefined, origin(request), isAllowed)
      return target.length <= maxReturnTo ? target : '/'
    },
  }
}

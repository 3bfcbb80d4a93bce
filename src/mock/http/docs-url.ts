import { type ErrorCode, errorDocsPath } from '../../contract/errors.js'
import { requestedOrigin } from '../../contract/host.js'

/**
 * Creates the function that returns the address of the page about an error code, as the client of a request can open it.
 * @param serverUrl the address of the server; used for a request whose Host header is not one
 */
export function createDocsUrl(serverUrl: string): (code: ErrorCode, host: string | undefined) => string {
  const scheme = new URL(serverUrl).protocol.replace(':', '')
  return (code, host) => `${requestedOrigin(scheme, host) ?? serverUrl}${errorDocsPath(code)}`
}

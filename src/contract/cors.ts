import { signOutUrlHeader } from './cookie.js'
import { operationMethods } from './route.js'

/** The headers that let pages of an allowed origin read a response, with cookies. */
export const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': `allow, retry-after, x-request-id, ${signOutUrlHeader}`,
})

/**
 * The response headers for a preflight request; undefined for any other request.
 * @param takesAny also allow methods that the interface does not have
 */
export function preflightHeaders(
  method: string | undefined,
  headers: Record<string, string | string[] | undefined>,
  takesAny = false,
): Record<string, string> | undefined {
  const requested = headers['access-control-request-method']
  if (method !== 'OPTIONS' || requested === undefined) return undefined
  const methods = takesAny ? [...new Set([...operationMethods, requested])] : operationMethods
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': String(headers['access-control-request-headers'] ?? 'content-type'),
    'access-control-max-age': '600',
  }
}

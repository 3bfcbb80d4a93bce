import { signOutUrlHeader } from './cookie.js'
import { operationMethods } from './route.js'

/** The headers that let pages of an allowed origin read a response, with cookies. */
export const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': `allow, retry-after, x-request-id, ${signOutUrlHeader}`,
})

/** The headers of the response to a preflight request; undefined for any other request. */
export const preflightHeaders = (
  method: string | undefined,
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> | undefined =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
    ? {
        'access-control-allow-methods': operationMethods.join(', '),
        'access-control-allow-headers': String(headers['access-control-request-headers'] ?? 'content-type'),
        'access-control-max-age': '600',
      }
    : undefined

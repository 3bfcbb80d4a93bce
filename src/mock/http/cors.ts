import { signOutUrlHeader } from '../../contract/cookie.js'
import { operationMethods } from '../../contract/route.js'

/**
 * Lets pages of allowed origins call the mock, with cookies. A page from any other origin gets no CORS headers, so
 * that its browser withholds the response from it.
 * @returns the response
 */
export function addCorsHeaders(
  response: Response,
  origin: string | undefined,
  isAllowed: (origin: string) => boolean,
): Response {
  if (response.type === 'error' || origin === undefined || !isAllowed(origin)) return response
  response.headers.set('access-control-allow-origin', origin)
  response.headers.set('access-control-allow-credentials', 'true')
  response.headers.set(
    'access-control-expose-headers',
    `allow, retry-after, x-request-id, ${signOutUrlHeader}`,
  )
  return response
}

/** The response to a preflight request of an allowed origin; undefined for any other request, as in production. */
export function preflight(
  { method, headers }: Request,
  isAllowed: (origin: string) => boolean,
): Response | undefined {
  const origin = headers.get('origin')
  if (method !== 'OPTIONS' || !headers.has('access-control-request-method')) return undefined
  if (!origin || !isAllowed(origin)) return undefined
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': operationMethods.join(', '),
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? 'content-type',
      'access-control-max-age': '600',
    },
  })
}

import { operationMethods } from '../../contract/operations.js'

/**
 * Lets pages of allowed origins call the mock, with cookies. A page from any other origin gets no CORS headers, so
 * that its browser withholds the response from it.
 */
export function addCorsHeaders(
  response: Response,
  origin: string | null,
  isAllowed: (origin: string) => boolean,
): void {
  const { headers } = response
  headers.set('vary', 'Origin')
  if (!origin || !isAllowed(origin)) return
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-allow-credentials', 'true')
  headers.set('access-control-expose-headers', 'allow, retry-after')
}

/** The response to a preflight request. The browser refuses it for an origin that is not allowed. */
export function preflight({ headers }: Request, isAllowed: (origin: string) => boolean): Response {
  const response = new Response(null, { status: 204 })
  addCorsHeaders(response, headers.get('origin'), isAllowed)
  if (response.headers.has('access-control-allow-origin')) {
    response.headers.set('access-control-allow-methods', operationMethods.join(', '))
    response.headers.set(
      'access-control-allow-headers',
      headers.get('access-control-request-headers') ?? 'content-type',
    )
    response.headers.set('access-control-max-age', '600')
  }
  return response
}

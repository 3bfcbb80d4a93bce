import { isLoopbackOrigin } from '../../contract/loopback.js'
import type { MockReply } from '../core/mock-handler.js'

/**
 * The headers that let a page of this machine call the mock from another port, with its cookies.
 * A page from anywhere else gets none, and its browser keeps the answer from it.
 */
export function corsHeaders(origin: string | null): Record<string, string> {
  if (!origin || !isLoopbackOrigin(origin)) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'allow, retry-after',
  }
}

/** The answer to a preflight. What is not answered for (another origin) is refused by the browser. */
export function preflight(headers: Headers): MockReply {
  const cors = corsHeaders(headers.get('origin'))
  const allowed = 'access-control-allow-origin' in cors
  return {
    status: 204,
    headers: {
      ...cors,
      ...(allowed && {
        'access-control-allow-methods': 'GET, HEAD, POST, PATCH, PUT, DELETE',
        'access-control-allow-headers': headers.get('access-control-request-headers') ?? 'content-type',
        'access-control-max-age': '600',
      }),
    },
    body: null,
  }
}

import { securityHeaders } from '../../http/security-headers.js'

/** The headers of every response, as in production over http with allowed origins. */
export const commonHeaders: Record<string, string> = { ...securityHeaders(false), vary: 'Origin' }

/** Adds the headers of every response that a response does not set itself. */
export function withCommonHeaders(response: Response): Response {
  if (response.type === 'error') return response
  for (const [name, value] of Object.entries(commonHeaders)) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}

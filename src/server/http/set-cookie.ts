import { fastifyCookie } from '@fastify/cookie'
import { isLoopbackHttpUrl } from '../../contract/loopback.js'

/** Makes the Set-Cookie headers of one cookie. */
export type CookieHeaders = {
  /** @param seconds how long the browser keeps it */
  set(value: string, seconds: number): string
  /** Takes it away again. */
  clear(): string
}

/**
 * A cookie that no script reads, and that comes along from another site only where somebody follows a link.
 * Over plain http on loopback a Secure cookie would get lost in some browsers; anywhere else it is Secure, and
 * always where its name says so.
 * @param site where browsers reach the service
 */
export function cookieHeaders(name: string, site: string): CookieHeaders {
  const secure = name.startsWith('__Host-') || !isLoopbackHttpUrl(site)
  const set = (value: string, maxAge: number) =>
    fastifyCookie.serialize(name, value, { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge })
  return { set, clear: () => set('', 0) }
}

import type { CookieSerializeOptions } from '@fastify/cookie'
import { isLoopbackHttpUrl } from '../../contract/loopback.js'

/**
 * The attributes of this service's cookies. Scripts cannot read them, and requests of other sites carry them only if a user
 * follows a link. They are not Secure over plain http on loopback, where some browsers would lose them, unless the name
 * requires it.
 * @param site the origin of the service for browsers
 * @param maxAge the lifetime of the cookie, in seconds; 0 removes it
 */
export const cookieAttributes = (name: string, site: string, maxAge: number): CookieSerializeOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  path: '/',
  secure: name.startsWith('__Host-') || !isLoopbackHttpUrl(site),
  maxAge,
})

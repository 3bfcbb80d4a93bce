import type { CookieSerializeOptions } from '@fastify/cookie'
import { isLoopbackHttpUrl } from '../../contract/loopback.js'

/**
 * The attributes of the cookies of this service: scripts cannot read them, and a browser sends them with a request of
 * another site only where a user follows a link. Some browsers lose a Secure cookie over plain http on loopback;
 * anywhere else it is Secure, and always where its name requires it.
 * @param site where browsers reach the service
 * @param maxAge how long the browser keeps the cookie, in seconds; 0 removes it
 */
export const cookieAttributes = (name: string, site: string, maxAge: number): CookieSerializeOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  path: '/',
  secure: name.startsWith('__Host-') || !isLoopbackHttpUrl(site),
  maxAge,
})

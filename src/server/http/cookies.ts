import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { isLoopbackHttpUrl } from '../../contract/loopback.js'
import type { Site } from './site.js'

/**
 * Adds a cookie of this service to a response. Scripts cannot read it, and requests of other sites carry it only if a user
 * follows a link. It is not Secure over plain http on loopback, where some browsers would lose it, unless the name requires
 * it. Not by a decorator of the reply, which has the options of an application.
 * @param maxAge the lifetime in seconds; 0 removes the cookie
 */
export function setCookie(
  reply: FastifyReply,
  site: Site,
  name: string,
  value: string,
  maxAge: number,
  path = '/',
): void {
  const secure = name.startsWith('__Host-') || !isLoopbackHttpUrl(site.origin(reply.request))
  const attributes = { httpOnly: true, sameSite: 'lax', path, secure, maxAge } as const
  reply.header('set-cookie', fastifyCookie.serialize(name, value, attributes))
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { corsHeaders, preflightHeaders } from '../contract/cors.js'
import { isCrossSite, isCrossSiteChange } from '../contract/page-origin.js'
import { operationalReply, type Reply } from '../handlers/reply.js'
import { requestHost } from './request-target.js'
import { sendReply } from './send-reply.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is for other servers, with a proof in the body. It ignores cookies, so that pages cannot misuse it. */
    skipCsrfCheck?: boolean
  }
}

export type CrossSiteOptions = {
  /** Whether pages of another origin may send changes and read responses. */
  isAllowed(origin: string, request: FastifyRequest): boolean
  /** Whether an origin is the service's own. @param host the Host header of the request */
  isOwn(origin: string, host: string | undefined): boolean
  isExempt?(request: FastifyRequest): boolean
  /** Whether reads are refused too. */
  coversReads?(request: FastifyRequest): boolean
  /** Whether pages of allowed origins may use methods that the interface does not have. */
  takesAnyMethod?(request: FastifyRequest): boolean
  /** The reply to a refused request. Default: CROSS_SITE_REFUSED. */
  refusal?(request: FastifyRequest): Reply
}

/**
 * CSRF and CORS: refuses changes that a page of another site may send with the user's cookie, and lets pages of allowed
 * origins read responses. Not @fastify/cors: the mock in a page sends the same headers, which derive from the operations
 * table, and a refusal has the error body.
 */
export function guardCrossSite(app: FastifyInstance, options: CrossSiteOptions): void {
  const { isAllowed, isOwn, isExempt, coversReads, takesAnyMethod, refusal } = options

  const allow = (origin: string, request: FastifyRequest, reply: FastifyReply): boolean => {
    reply.headers(corsHeaders(origin))
    const preflight = preflightHeaders(request.method, request.headers, takesAnyMethod?.(request))
    if (preflight) reply.code(204).headers(preflight).send()
    return preflight === undefined
  }
  const isRefused = (request: FastifyRequest): boolean => {
    const { method, headers } = request
    if (request.routeOptions.config?.skipCsrfCheck || isExempt?.(request)) return false
    const { origin } = headers
    const host = requestHost(request.raw)
    const sender = { origin, secFetchSite: headers['sec-fetch-site']?.toString(), host }
    const origins = { isAllowed: (other: string) => isAllowed(other, request), isOwn }
    return coversReads?.(request) ? isCrossSite(sender, origins) : isCrossSiteChange(method, sender, origins)
  }

  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin !== undefined && isAllowed(origin, request)) {
      if (allow(origin, request, reply)) done()
    } else if ((request.method !== 'GET' || coversReads) && isRefused(request)) {
      sendReply(reply, refusal?.(request) ?? operationalReply('CROSS_SITE_REFUSED'))
    } else done()
  })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { corsHeaders, preflightHeaders } from '../contract/cors.js'
import { isCrossSite, isCrossSiteChange } from '../contract/page-origin.js'
import { operationalReply, type Reply } from '../handlers/reply.js'
import { requestHost } from './request-target.js'
import { sendReply } from './send-reply.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Called by other servers, with proof in the body. Cookies change nothing, so that no page can misuse them. */
    skipCsrfCheck?: boolean
  }
}

export type CrossSiteOptions = {
  /** Whether pages of another origin may send changes and read responses. */
  isAllowed(origin: string, request: FastifyRequest): boolean
  /** Whether an origin is the service's own. @param host the Host header of the request */
  isOwn(origin: string, host: string | undefined): boolean
  /** Whether a request is not judged; none, if left out. */
  isExempt?(request: FastifyRequest): boolean
  /** Whether requests that change nothing are refused too; no request, if left out. */
  coversReads?(request: FastifyRequest): boolean
  /** Whether pages of allowed origins may use methods that the interface does not have; none, if left out. */
  takesAnyMethod?(request: FastifyRequest): boolean
  /** What a refused request is told, if not CROSS_SITE_REFUSED. */
  refusal?(request: FastifyRequest): Reply
}

/**
 * CSRF and CORS: refuses changes that the page of another site makes a browser send with the user's cookie, and lets
 * pages of the allowed origins read responses. Not @fastify/cors: the mock in a page sends the same headers, which are
 * made from the operations table, and a refusal has the error body.
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

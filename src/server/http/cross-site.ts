import type { FastifyInstance, FastifyRequest } from 'fastify'
import { corsHeaders, preflightHeaders } from '../../contract/cors.js'
import { isCrossSiteChange, type Sender } from '../../contract/page-origin.js'
import { operationalReply } from '../../handlers/reply.js'
import { sendReply } from './send-reply.js'
import type { Site } from './site.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Called by other servers, with proof in the body. Cookies change nothing, so that no page can misuse them. */
    skipCsrfCheck?: boolean
  }
}

/**
 * CSRF and CORS: refuses changes that the page of another site makes a browser send with somebody's cookie, and lets
 * pages of the allowed origins read responses. It comes before everything else, the session included.
 */
export function guardCrossSite(app: FastifyInstance, site: Site): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request
    const { origin } = headers
    if (origin !== undefined && site.isAllowed(origin)) {
      reply.headers(corsHeaders(origin))
      const preflight = preflightHeaders(method, headers)
      if (preflight) return void reply.code(204).headers(preflight).send()
    } else if (
      isCrossSiteChange(method, senderOf(request), site) &&
      !request.routeOptions.config.skipCsrfCheck
    ) {
      return void sendReply(reply, operationalReply('CROSS_SITE_REFUSED'))
    }
    done()
  })
}

const senderOf = ({ headers }: FastifyRequest): Sender => ({
  origin: headers.origin,
  secFetchSite: headers['sec-fetch-site'],
  host: headers.host,
})

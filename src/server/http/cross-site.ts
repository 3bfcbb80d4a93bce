import type { FastifyInstance, FastifyRequest } from 'fastify'
import { signOutUrlHeader } from '../../contract/cookie.js'
import { type DocsUrl, operationalReply } from '../../handlers/reply.js'
import { jsonAnswer, send } from './http-response.js'
import type { Site } from './site.js'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what the page of another site makes a browser send with somebody's cookie, and lets the pages of the
 * allowed origins read answers. It goes before everything else, the session included.
 */
export function guardFromOtherSites(app: FastifyInstance, site: Site, docsUrl: DocsUrl): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request
    const { origin } = headers
    const { raw } = reply
    if (origin !== undefined && site.isAllowed(origin)) {
      for (const [name, value] of readableBy(origin)) raw.setHeader(name, value)
      if (isPreflight(request)) return send(request, reply, { status: 204, headers: preflight(request) })
    } else if (!safeMethods.has(method) && isFromElsewhere(request, site)) {
      return send(request, reply, jsonAnswer(operationalReply('CROSS_SITE_REFUSED', docsUrl)))
    }
    done()
  })
}

/**
 * Browsers say how the page that asks is related to us, older ones only where it is. What says neither is no
 * browser, or a page of ours in a very old one.
 */
function isFromElsewhere({ headers }: FastifyRequest, site: Site): boolean {
  const relation = headers['sec-fetch-site']
  if (relation !== undefined) return relation !== 'same-origin' && relation !== 'none'
  return headers.origin !== undefined && !site.isOwn(headers.origin, headers.host)
}

const readableBy = (origin: string): [name: string, value: string][] => [
  ['access-control-allow-origin', origin],
  ['access-control-allow-credentials', 'true'],
  ['access-control-expose-headers', `allow, retry-after, x-request-id, ${signOutUrlHeader}`],
]

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

const preflight = ({ headers }: FastifyRequest) => ({
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH',
  'access-control-allow-headers': headers['access-control-request-headers'] ?? 'content-type',
  'access-control-max-age': '600',
})

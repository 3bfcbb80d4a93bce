import type { FastifyInstance } from 'fastify'
import { documents } from '../pages/documents.js'
import { errorPage } from '../pages/error-page.js'
import { pageHeaders } from '../pages/page.js'

/**
 * Registers the pages that docsUrl opens (section 2.4).
 * @param hasDocuments also register the description of the interface
 */
export function registerPages(app: FastifyInstance, hasDocuments = true): void {
  for (const [path, { headers, text }] of hasDocuments ? documents : []) {
    app.get(path, { config: { operation: 'docs' } }, async (_request, reply) =>
      reply.headers(headers).send(text()),
    )
  }
  app.get<{ Params: { slug: string } }>(
    '/docs/errors/:slug',
    { config: { operation: 'errorPage' } },
    async (request, reply) => {
      const page = errorPage(request.params.slug)
      if (!page) return reply.callNotFound()
      reply.headers(pageHeaders())
      return page
    },
  )
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the route in the log and the metrics. */
    operation?: string
  }
}

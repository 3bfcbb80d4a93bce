import type { FastifyInstance } from 'fastify'
import { operationalReply } from '../handlers/reply.js'
import { documents } from '../pages/documents.js'
import { errorPage, unknownErrorPage } from '../pages/error-page.js'
import { pageHeaders } from '../pages/page.js'
import { prepareReply } from './send-reply.js'

/**
 * Registers the pages that docsUrl opens (section 2.4).
 * @param prefix the prefix of the interface's paths
 * @param hasDocuments also register the description of the interface
 */
export function registerPages(app: FastifyInstance, prefix = '', hasDocuments = true): void {
  for (const [path, { headers, text }] of hasDocuments ? documents : []) {
    app.get(path, { config: { operation: 'docs' } }, async (_request, reply) =>
      reply.headers(headers).send(text({ prefix })),
    )
  }
  app.get<{ Params: { slug: string } }>(
    '/docs/errors/:slug',
    { config: { operation: 'errorPage' } },
    async (request, reply) => {
      const page = errorPage(request.params.slug, undefined, prefix)
      // A browser gets a page, a program the error.
      if (!page && !request.headers.accept?.includes('text/html'))
        return prepareReply(reply, operationalReply('NOT_FOUND'))
      reply.code(page ? 200 : 404).headers(pageHeaders())
      return page ?? unknownErrorPage(false, prefix)
    },
  )
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the route in the log and the metrics. */
    operation?: string
  }
}

import type { FastifyInstance } from 'fastify'
import { documents } from '../../pages/documents.js'
import { send } from './http-response.js'

/** Registers the description of the interface, for people and for programs. */
export function mountDocs(app: FastifyInstance): void {
  for (const [path, make] of documents) {
    app.get(path, async (request, reply) => send(request, reply, { status: 200, ...make() }, 'docs'))
  }
}

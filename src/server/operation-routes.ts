import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type OperationName, operationNames, operations } from '../contract/operations.js'
import { createApi, type Services } from '../handlers/api.js'
import { jsonAnswer, send } from './answer.js'
import { ClientGoneError, readBytes } from './request-body.js'
import type { Sessions } from './sessions.js'

type Params = Record<string, string>

/** Registers the operations of section 4, and what answers to all that is none of them. */
export function mountOperations(
  app: FastifyInstance,
  services: Omit<Services, 'onError'>,
  sessions: Sessions,
): void {
  const run = async (name: OperationName, params: Params, request: FastifyRequest, reply: FastifyReply) => {
    const { raw, headers, log } = request
    // One for each request, so that a fault is logged with the request's id.
    const api = createApi({ ...services, onError: (error) => logFault(log, error, name) })
    const answered = await api.call(name, {
      params,
      session: () => sessions.resolve(headers.cookie),
      contentType: headers['content-type'],
      bytes: (limit) => readBytes(raw, limit),
    })
    return send(request, reply, jsonAnswer(answered), name)
  }

  for (const name of operationNames) {
    const { method, path } = operations[name]
    app.route<{ Params: Params }>({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) => run(name, request.params, request, reply),
    })
  }

  const { unknown } = createApi({ ...services, onError: () => {} })
  app.setNotFoundHandler((request, reply) =>
    send(request, reply, jsonAnswer(unknown(request.method, pathOf(request)))),
  )
}

function logFault(log: FastifyRequest['log'], error: unknown, operation: OperationName): void {
  if (error instanceof ClientGoneError) log.debug({ operation }, 'the client went away')
  else log.error({ err: error, operation }, 'fault')
}

/** The path that was asked for, as it was sent; a proxy's client sends a whole URL. */
const pathOf = ({ raw }: FastifyRequest): string =>
  (raw.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')

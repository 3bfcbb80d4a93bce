import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type OperationName, operationNames, operations } from '../contract/operations.js'
import { createApi, type Services } from '../handlers/api.js'
import { jsonAnswer, send } from './answer.js'
import type { KeptAnswers, Made } from './kept-answers.js'
import { ClientGoneError, readBytes } from './request-body.js'
import type { Sessions } from './sessions.js'

type Params = Record<string, string>

/**
 * Registers the operations of section 4, and what answers to all that is none of them.
 * @param kept answers reads from what was answered before; each is made anew, if left out
 */
export function mountOperations(
  app: FastifyInstance,
  services: Omit<Services, 'onError'>,
  sessions: Sessions,
  kept?: KeptAnswers,
): void {
  const make = async (name: OperationName, request: FastifyRequest<{ Params: Params }>): Promise<Made> => {
    const { raw, headers, log, params } = request
    let until: number | undefined
    // One for each request, so that a fault is logged with the request's id.
    const api = createApi({ ...services, onError: (error) => logFault(log, error, name) })
    const answered = await api.call(name, {
      params,
      async session() {
        const admitted = await sessions.admit(headers.cookie)
        until = admitted?.until
        return admitted?.session
      },
      contentType: headers['content-type'],
      bytes: (limit) => readBytes(raw, limit),
    })
    return { answer: jsonAnswer(answered), until: answered.code ? undefined : until }
  }

  const run = async (
    name: OperationName,
    request: FastifyRequest<{ Params: Params }>,
    reply: FastifyReply,
  ) => {
    // A read depends on nothing but the cookie and the store: no operation reads by path or by query.
    const { cookie } = request.headers
    const answer =
      kept && cookie !== undefined && operations[name].method === 'GET'
        ? await kept(`${name} ${cookie}`, () => make(name, request))
        : (await make(name, request)).answer
    return send(request, reply, answer, name)
  }

  for (const name of operationNames) {
    const { method, path } = operations[name]
    app.route<{ Params: Params }>({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) => run(name, request, reply),
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

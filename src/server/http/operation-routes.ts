import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type OperationName, operationNames, operations } from '../../contract/operations.js'
import { createApi, type Services } from '../../handlers/api.js'
import type { ChangeFeed } from '../../store/change-feed.js'
import { createKeeping, type Keeping, type Made } from '../cache/response-cache.js'
import { logOf } from '../observability/logger.js'
import type { ResolvedSession, Sessions } from '../sessions/sessions.js'
import { type Answer, jsonAnswer, send } from './http-response.js'
import { ClientGoneError, readBytes } from './request-body.js'

type Params = Record<string, string>

/**
 * Registers the operations of section 4, and what answers to all that is none of them.
 * @param changes what tells how the store changes: reads are answered from memory while what they say does not. Each
 *   is made anew, if left out.
 */
export function mountOperations(
  app: FastifyInstance,
  services: Omit<Services, 'onError'>,
  sessions: Sessions,
  changes?: ChangeFeed,
): void {
  const keeping = changes && createKeeping({ changes, now: services.now })
  const admit = keeping ? keptAdmission(sessions, keeping) : sessions.admit

  const make = async (
    name: OperationName,
    request: FastifyRequest<{ Params: Params }>,
  ): Promise<Made<Answer>> => {
    const { raw, headers, params } = request
    let admitted: ResolvedSession | undefined
    // One for each request, so that a fault is logged with the request's id.
    const api = createApi({ ...services, onError: (error) => logFault(request, error, name) })
    const answered = await api.call(name, {
      params,
      async session() {
        admitted = await admit(headers.cookie)
        return admitted?.session
      },
      contentType: headers['content-type'],
      bytes: (limit) => readBytes(raw, limit),
    })
    return {
      value: jsonAnswer(answered),
      until: answered.code ? undefined : admitted?.until,
      team: admitted?.session.team?.id,
    }
  }

  for (const name of operationNames) {
    const { method, path } = operations[name]
    // A read depends on nothing but the cookie and the store: no operation reads by path or by query.
    const answers = method === 'GET' ? keeping?.ofKind<Answer>(({ text = '' }) => 3 * text.length) : undefined
    if (answers) app.keptReads.set(path, { operation: name, answers })
    app.route<{ Params: Params }>({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      async handler(request, reply) {
        const { cookie } = request.headers
        const answer =
          answers && cookie !== undefined
            ? await answers.get(cookie, () => make(name, request))
            : (await make(name, request)).value
        return send(request, reply, answer, name)
      },
    })
  }

  const { unknown } = createApi({ ...services, onError: () => {} })
  app.setNotFoundHandler((request, reply) =>
    send(request, reply, jsonAnswer(unknown(request.method, pathOf(request)))),
  )
}

/** Who a cookie speaks for is found out once, and again where something of it changed. */
function keptAdmission({ admit }: Sessions, keeping: Keeping): Sessions['admit'] {
  const admitted = keeping.ofKind<ResolvedSession | undefined>(
    (value) => 3 * JSON.stringify(value?.session ?? '').length,
  )
  return async (cookie) =>
    cookie === undefined
      ? undefined
      : admitted.get(cookie, async () => {
          const value = await admit(cookie)
          return { value, until: value?.until }
        })
}

function logFault(request: FastifyRequest, error: unknown, operation: OperationName): void {
  const log = logOf(request)
  if (error instanceof ClientGoneError) log.debug({ operation }, 'the client went away')
  else log.error({ err: error, operation }, 'fault')
}

/** The path that was asked for, as it was sent; a proxy's client sends a whole URL. */
const pathOf = ({ raw }: FastifyRequest): string =>
  (raw.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')

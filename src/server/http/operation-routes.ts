import { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TeamLimits } from '../../contract/limits.js'
import { type OperationName, operationNames, operations } from '../../contract/operations.js'
import { queryOf } from '../../contract/route.js'
import type { Project } from '../../contract/schemas.js'
import { type Call, createApi, type Services } from '../../handlers/api.js'
import { operationalReply, type Reply } from '../../handlers/reply.js'
import { prepareReply } from '../../http/send-reply.js'
import type { Store } from '../../store/store.js'
import { createResponseCache } from '../cache/response-cache.js'
import { logFault } from '../observability/log-fault.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Settings } from '../settings/settings.js'
import type { BodyParts } from './encode-body.js'
import { createPendingLimit } from './pending-limit.js'
import { readBytes } from './request-body.js'
import { originOf } from './request-origin.js'
import { createSendBudget } from './send-budget.js'

type Params = Record<string, string>
type Request = FastifyRequest<{ Params: Params }>
type OperationCall = Call & { request: FastifyRequest }

type OperationOptions = Pick<Settings, 'maxPendingPerSession' | 'maxProjectsPerTeam' | 'maxTeamBytes'> &
  Pick<Services, 'now' | 'newId'> & {
    store: Store
  }

/** How much is cached of responses, in bytes. Less is cached where Node has less memory. */
const cacheBytes = Math.min(128 * 1024 * 1024, getHeapStatistics().heap_size_limit / 16)

/** The list of a team at its limits. A project takes some 200 bytes beside its text. */
const largestList = ({ bytes, projects }: TeamLimits): number => bytes + 300 * projects

/** Registers the operations of section 4. */
export function registerOperations(
  app: FastifyInstance,
  { store, now, newId, ...options }: OperationOptions,
  sessions: Sessions,
): void {
  const limits = { projects: options.maxProjectsPerTeam, bytes: options.maxTeamBytes }
  const sending = createSendBudget(4 * limits.bytes)
  const api = createApi<OperationCall>({
    now,
    newId,
    limits,
    cache: createResponseCache(Math.max(cacheBytes, largestList(limits))),
    turns: createPendingLimit(options.maxPendingPerSession),
    onError: (error, operation, { request }) => logFault(request.log, error, { operation }),
  })

  const call = (name: OperationName, request: Request): Promise<Reply> => {
    const { raw, headers, params } = request
    return api.call(name, {
      request,
      store,
      params,
      query: queryOf(raw.url),
      async session() {
        const cookie = sessions.cookieIn(headers.cookie)
        request.caller = cookie === undefined ? undefined : await sessions.resolve(cookie)
        return request.caller
      },
      by: originOf(request),
      contentType: headers['content-type'],
      bytes: (limit) => readBytes(raw, limit),
    })
  }

  const send = (request: Request, reply: FastifyReply, contents: Reply) => {
    if (contents.code !== undefined || contents.body === undefined) return prepareReply(reply, contents)
    const { body } = contents
    if (isEncoded(body)) {
      const isWhole = Buffer.isBuffer(body)
      const team = request.caller?.team?.id
      if (team !== undefined && !sending.admit(isWhole ? body : body[1], team, reply.raw)) {
        return prepareReply(reply, operationalReply('SERVICE_UNAVAILABLE'))
      }
      if (isWhole) return prepareReply(reply, contents)
      reply.header('content-length', body[0].length + body[1].length + body[2].length)
      return prepareReply(reply, { ...contents, body: Readable.from(body) })
    }
    request.projectId = (body as { project?: Project }).project?.id
    return prepareReply(reply, { ...contents, body: JSON.stringify(body) })
  }

  for (const name of operationNames) {
    const { method, path } = operations[name]
    app.route<{ Params: Params }>({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: name },
      async handler(request, reply) {
        return send(request, reply, await call(name, request))
      },
    })
  }
}

/** Whether the cache has made the bytes of a body. */
const isEncoded = (body: unknown): body is Buffer | BodyParts => Buffer.isBuffer(body) || Array.isArray(body)

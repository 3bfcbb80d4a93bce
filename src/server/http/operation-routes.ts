import { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defaultTeamLimits, type TeamLimits } from '../../contract/limits.js'
import { operationNames, operations } from '../../contract/operations.js'
import { queryOf } from '../../contract/route.js'
import type { Project } from '../../contract/schemas.js'
import { type ApiOptions, type Call, createApi } from '../../handlers/api.js'
import type { Session } from '../../handlers/handler.js'
import { operationalReply, type Reply } from '../../handlers/reply.js'
import { prepareReply, sendReply } from '../../http/send-reply.js'
import type { Store } from '../../store/store.js'
import type { BodyParts } from '../cache/encode-body.js'
import { createResponseCache } from '../cache/response-cache.js'
import type { Settings } from '../settings/settings.js'
import { createPendingLimit } from './pending-limit.js'
import { bodyOf, withAnyBody } from './request-body.js'
import { originOf } from './request-origin.js'
import { createSendBudget } from './send-budget.js'

type Params = Record<string, string>

/** Limits without a setting. Each has a default. */
export type FixedLimits = { maxPendingPerSession?: number; maxTeamBytes?: number }

type OperationOptions = Pick<Settings, 'maxProjectsPerTeam'> &
  FixedLimits &
  Pick<ApiOptions, 'now' | 'newId'> & {
    store: Store
  }

/** The size of the response cache, in bytes. It is smaller if Node has little memory. */
const cacheBytes = Math.min(128 * 1024 * 1024, getHeapStatistics().heap_size_limit / 16)

/** An upper bound of a list, in bytes: ids, times and the names of fields take at most 300 bytes for each project. */
const largestList = ({ bytes, projects }: TeamLimits): number => bytes + 300 * projects

/**
 * Registers the operations of section 4.
 * @param sessionOf finds the session of the caller
 */
export function registerOperations(
  app: FastifyInstance,
  { store, now, newId, maxProjectsPerTeam, maxTeamBytes, maxPendingPerSession }: OperationOptions,
  sessionOf: (request: FastifyRequest) => Promise<Session | undefined>,
): void {
  const limits = { projects: maxProjectsPerTeam, bytes: maxTeamBytes ?? defaultTeamLimits.bytes }
  const sending = createSendBudget(4 * limits.bytes)
  const api = createApi({
    now,
    newId,
    limits,
    cache: createResponseCache(Math.max(cacheBytes, largestList(limits))),
    slots: createPendingLimit(maxPendingPerSession),
  })

  const callOf = (request: FastifyRequest): Call => ({
    store,
    params: request.params as Params,
    query: () => queryOf(request.raw.url),
    by: (session) => originOf(request, session),
    contentType: request.headers['content-type'],
    body: bodyOf(request),
  })

  /** Prepares a reply. @returns the body to send */
  const prepare = (request: FastifyRequest, reply: FastifyReply, contents: Reply): unknown => {
    if (contents.code !== undefined || contents.body === undefined) return prepareReply(reply, contents)
    const { body } = contents
    const parts = Array.isArray(body) ? (body as unknown as BodyParts) : undefined
    const encoded = parts?.[1] ?? (Buffer.isBuffer(body) ? body : undefined)
    if (!encoded) {
      request.dashboardProjectId = (body as { project?: Project }).project?.id
      return prepareReply(reply, { ...contents, body: JSON.stringify(body) })
    }
    const team = request.dashboardSession?.team?.id
    if (team !== undefined && !sending.admit(encoded, team, reply.raw)) {
      return prepareReply(reply, operationalReply('SERVICE_UNAVAILABLE'))
    }
    if (!parts) return prepareReply(reply, contents)
    reply.header('content-length', parts[0].length + parts[1].length + parts[2].length)
    return prepareReply(reply, { ...contents, body: Readable.from(parts) })
  }

  app.decorateRequest('dashboardSession', undefined)
  app.decorateRequest('dashboardProjectId', undefined)
  app.addHook('onRoute', (route) => {
    const name = operationNames.find((operation) => operation === route.config?.operation)
    if (!name || operations[name].access === 'public') return
    const decideCaller = async (request: FastifyRequest, reply: FastifyReply) => {
      request.dashboardSession = await sessionOf(request)
      const refusal = api.refuse(name, request.dashboardSession)
      return refusal && sendReply(reply, refusal)
    }
    // After the hooks that an application adds to each route, such as its rate limit.
    route.onRequest = [route.onRequest ?? [], decideCaller].flat()
  })
  for (const name of operationNames) {
    const { method, path } = operations[name]
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    const route = withAnyBody({ operation: name }, async (request, reply) =>
      prepare(request, reply, await api.answer(name, callOf(request), request.dashboardSession)),
    )
    app.route(Object.assign(route, { method, url, exposeHeadRoute: true }))
  }
}

import { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { defaultTeamLimits, type TeamLimits } from '../../contract/limits.js'
import { type Operation, type OperationName, operationNames, operations } from '../../contract/operations.js'
import { queryOf } from '../../contract/route.js'
import type { Project } from '../../contract/schemas.js'
import { type Call, createApi, type Services } from '../../handlers/api.js'
import { operationalReply, type Reply } from '../../handlers/reply.js'
import { targetPath } from '../../node-server/request-target.js'
import type { ChangeFeed } from '../../store/change-feed.js'
import type { Store } from '../../store/store.js'
import { type ChangeTracker, createChangeTracker } from '../cache/change-tracker.js'
import { createCache } from '../cache/response-cache.js'
import { type BodyParts, shareNames } from '../cache/shared-names.js'
import { logFault } from '../observability/log-fault.js'
import type { ResolvedSession, Sessions } from '../sessions/sessions.js'
import { ClientGoneError, readBytes } from './request-body.js'
import { createSendBudget } from './send-budget.js'
import { prepareReply } from './send-reply.js'
import { createWaitLimit } from './wait-limit.js'

type Params = Record<string, string>
type OperationCall = Call & { request: FastifyRequest }
/** A body is JSON; that of a read as bytes: a cached response is neither serialized nor encoded again. */
type OperationReply = Reply<string | Buffer | BodyParts | undefined> & { team?: string }

export type OperationRoutes = {
  services: Omit<Services, 'onError'> & { store: Store }
  sessions: Sessions
  /** The changes of the store. Responses to reads are cached while nothing changed that they show; never, if left out. */
  changes?: ChangeFeed
  /** How long a request waits for what it reads, in milliseconds: all of a read, the session of a write. Default: no limit. */
  waitMs?: number
}

/** Without a change feed nothing is valid for longer than its request. */
const noTracker: ChangeTracker = { generation: async () => undefined, isValid: () => false }

/** How much is cached of responses, in bytes. Less is cached where Node has less memory. */
const cacheBytes = Math.min(128 * 1024 * 1024, getHeapStatistics().heap_size_limit / 16)

/** The list of a team at its limits. A project takes some 200 bytes beside its text. */
const largestList = ({ bytes, projects }: TeamLimits): number => bytes + 300 * projects

/** Registers the operations of section 4, and the reply to every other path and method. */
export function registerOperations(
  app: FastifyInstance,
  { services, sessions, changes, waitMs }: OperationRoutes,
): void {
  const { now, limits = defaultTeamLimits } = services
  const inTime = createWaitLimit(waitMs)
  const tracker = changes ? createChangeTracker(changes) : noTracker
  const responses = createCache<OperationReply>({
    tracker,
    now,
    maxBytes: Math.max(cacheBytes, largestList(limits)),
    sizeOf: (reply) => (reply.code === undefined ? (reply.body?.length ?? 0) : 0),
  })
  const lists = createCache<Buffer>({
    tracker,
    now,
    maxBytes: Math.max(cacheBytes / 4, largestList(limits)),
    sizeOf: ({ length }) => length,
  })
  const names = shareNames(services.store, async (team, load) => {
    const loadForTeam = async () => ({ value: await load(), team, until: Number.POSITIVE_INFINITY })
    return lists.get(await tracker.generation(), team, loadForTeam, team)
  })
  const resolvedSessions = createCache<ResolvedSession | undefined>({
    tracker,
    now,
    maxBytes: cacheBytes / 4,
    sizeOf: (resolved) => 2 * JSON.stringify(resolved?.session ?? '').length,
  })
  const sending = createSendBudget(4 * limits.bytes)
  const api = createApi<OperationCall>({
    ...services,
    onError: (error, operation, { request }) => logError(request, error, operation),
  })

  /** Resolves the session of the one cookie that carries it. The other cookies of a request change nothing. */
  const resolveSession = async (cookie: string | undefined, generation: number | undefined) => {
    if (cookie === undefined) return undefined
    return resolvedSessions.get(generation, cookie, async () => {
      const value = await sessions.resolve(cookie)
      return { value, until: value?.until }
    })
  }

  const findSession = async (cookie: string | undefined) =>
    (await resolveSession(cookie, await tracker.generation()))?.session

  const call = async (
    name: OperationName,
    request: FastifyRequest<{ Params: Params }>,
    session: Call['session'],
  ): Promise<OperationReply> => {
    const { raw, headers, params } = request
    const reply = await api.call(name, {
      request,
      store: names.store,
      params,
      query: queryOf(raw.url),
      async session() {
        request.caller = await session()
        return request.caller
      },
      contentType: headers['content-type'],
      bytes: (limit) => readBytes(raw, limit),
    })
    if (reply.code !== undefined) return reply
    const isRead = operations[name].method === 'GET'
    if (!isRead) request.projectId = (reply.body as { project?: Project } | undefined)?.project?.id
    return { ...reply, body: isRead ? names.encode(reply.body as object) : JSON.stringify(reply.body) }
  }

  const read = async (
    name: OperationName,
    request: FastifyRequest<{ Params: Params }>,
    cookie: string,
  ): Promise<OperationReply> => {
    const generation = await tracker.generation()
    const resolving = resolveSession(cookie, generation)
    const load = () => call(name, request, async () => (await resolving)?.session)
    // The pipeline replies to a session that is not valid, and to one that cannot be read.
    const resolved = await resolving.catch(() => undefined)
    if (!resolved) return load()
    request.caller = resolved.session

    const { path, query, sameForTeam, permission }: Operation = operations[name]
    const team = resolved.session.team?.id
    const isShared = sameForTeam && permission === undefined && team !== undefined
    // All that the reply depends on: a handler sees no other headers, and the query string only if its operation has one.
    const scope = isShared ? `team ${team}` : `cookie ${cookie}`
    const values = [hasParams(path) && request.params, query && queryOf(request.raw.url)]
    const key = `${name} ${hasParams(path) || query ? JSON.stringify(values) : ''} ${scope}`
    return responses.get(
      generation,
      key,
      async () => {
        const value = await load()
        const until = isShared ? Number.POSITIVE_INFINITY : resolved.until
        // The parts are not cached: each would hold its version of a large list, which `lists` caches once.
        const isCached = value.code === undefined && Buffer.isBuffer(value.body)
        return { value: { ...value, team }, team, until: isCached ? until : undefined }
      },
      team,
    )
  }

  for (const name of operationNames) {
    const { method, path } = operations[name]
    app.route<{ Params: Params }>({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: name },
      async handler(request, reply) {
        const cookie = sessions.cookieIn(request.headers.cookie)
        const contents =
          method === 'GET' && cookie !== undefined
            ? await inTime(read(name, request, cookie))
            : await call(name, request, () => inTime(findSession(cookie)))
        if (contents.code !== undefined || contents.body === undefined || typeof contents.body === 'string')
          return prepareReply(reply, contents)
        const { body, team } = contents
        const isWhole = Buffer.isBuffer(body)
        if (team !== undefined && !sending.admit(isWhole ? body : body[1], team, reply.raw)) {
          return prepareReply(reply, operationalReply('SERVICE_UNAVAILABLE'))
        }
        if (isWhole) return prepareReply(reply, contents)
        const length = body.reduce((sum, part) => sum + part.length, 0)
        return prepareReply(reply.header('content-length', length), {
          ...contents,
          body: Readable.from(body),
        })
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) =>
    prepareReply(reply, api.unknown(request.method, targetPath(request.raw.url))),
  )
}

const hasParams = (path: string): boolean => path.includes('{')

function logError({ log }: FastifyRequest, error: unknown, operation: OperationName): void {
  if (error instanceof ClientGoneError) log.debug({ operation }, 'the client went away')
  else logFault(log, error, { operation })
}

import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type OperationName, operationNames, operations } from '../../contract/operations.js'
import { type Call, createApi, type Services } from '../../handlers/api.js'
import type { Reply } from '../../handlers/reply.js'
import type { ChangeFeed } from '../../store/change-feed.js'
import { type ChangeTracker, createChangeTracker } from '../cache/change-tracker.js'
import { createCache, type Loaded } from '../cache/response-cache.js'
import type { ResolvedSession, Sessions } from '../sessions/sessions.js'
import { readCookie } from './cookies.js'
import { ClientGoneError, readBytes } from './request-body.js'
import { prepareReply } from './send-reply.js'

type Params = Record<string, string>
type OperationCall = Call & { request: FastifyRequest }
/** The body is JSON as bytes: a cached response is neither serialized nor encoded again. */
type OperationReply = Reply & { body: Buffer }

export type OperationRoutes = {
  services: Omit<Services, 'onError'>
  sessions: Sessions
  cookieName: string
  /** The changes of the store. Responses to reads are cached while nothing changed that they show; never, if left out. */
  changes?: ChangeFeed
}

/** Without a change feed nothing is valid for longer than its request. */
const noTracker: ChangeTracker = { generation: async () => undefined, isValid: () => false }

/** Up to 128 MiB of responses, and less where Node has less memory. */
const cacheBytes = Math.min(128 * 1024 * 1024, getHeapStatistics().heap_size_limit / 16)

/** Registers the operations of section 4, and the reply to every other path and method. */
export function registerOperations(
  app: FastifyInstance,
  { services, sessions, cookieName, changes }: OperationRoutes,
): void {
  const { now } = services
  const tracker = changes ? createChangeTracker(changes) : noTracker
  const responses = createCache<OperationReply>({
    tracker,
    now,
    maxBytes: cacheBytes,
    sizeOf: ({ body }) => body.length,
  })
  const resolvedSessions = createCache<ResolvedSession | undefined>({
    tracker,
    now,
    maxBytes: cacheBytes / 4,
    sizeOf: (resolved) => 2 * JSON.stringify(resolved?.session ?? '').length,
  })
  const api = createApi<OperationCall>({
    ...services,
    onError: (error, operation, { request }) => logError(request, error, operation),
  })

  const resolveSession = async (request: FastifyRequest, generation: number | undefined) => {
    const cookie = readCookie(request, cookieName)
    if (cookie === undefined) return undefined
    return resolvedSessions.get(generation, cookie, async () => {
      const value = await sessions.resolve(cookie)
      return { value, until: value?.until }
    })
  }

  const call = async (
    name: OperationName,
    request: FastifyRequest<{ Params: Params }>,
    known?: number,
  ): Promise<Loaded<OperationReply>> => {
    const { raw, headers, params } = request
    let resolved: ResolvedSession | undefined
    const reply = await api.call(name, {
      request,
      params,
      async session() {
        resolved = await resolveSession(request, known ?? (await tracker.generation()))
        return resolved?.session
      },
      contentType: headers['content-type'],
      bytes: (limit) => readBytes(raw, limit),
    })
    return {
      value: { ...reply, body: Buffer.from(JSON.stringify(reply.body)) },
      until: reply.code ? undefined : resolved?.until,
      team: resolved?.session.team?.id,
    }
  }

  for (const name of operationNames) {
    const { method, path } = operations[name]
    app.route<{ Params: Params }>({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: name },
      async handler(request, reply) {
        const { cookie } = request.headers
        if (method !== 'GET' || cookie === undefined) {
          return prepareReply(reply, (await call(name, request)).value)
        }
        const generation = await tracker.generation()
        const key = `${request.method} ${request.raw.url}\n${cookie}`
        const load = () => call(name, request, generation)
        return prepareReply(reply, await responses.get(generation, key, load))
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) =>
    prepareReply(reply, api.unknown(request.method, pathOf(request))),
  )
}

function logError({ log }: FastifyRequest, error: unknown, operation: OperationName): void {
  if (error instanceof ClientGoneError) log.debug({ operation }, 'the client went away')
  else log.error({ err: error, operation }, 'fault')
}

/** The path of a request as it was sent. The client of a proxy sends a whole URL. */
const pathOf = ({ raw }: FastifyRequest): string =>
  (raw.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')

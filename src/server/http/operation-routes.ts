import { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TeamLimits } from '../../contract/limits.js'
import { type Operation, type OperationName, operationNames, operations } from '../../contract/operations.js'
import { queryOf } from '../../contract/route.js'
import type { Project } from '../../contract/schemas.js'
import { type Call, createApi, type Services } from '../../handlers/api.js'
import { operationalReply, type Reply } from '../../handlers/reply.js'
import { targetPath } from '../../node-server/request-target.js'
import type { Store } from '../../store/store.js'
import { createResponseCache, type Scope } from '../cache/response-cache.js'
import { logFault } from '../observability/log-fault.js'
import type { ResolvedSession, Sessions } from '../sessions/sessions.js'
import type { Settings } from '../settings/settings.js'
import { type BodyParts, createBodyEncoder } from './encode-body.js'
import { createPendingLimit } from './pending-limit.js'
import { readBytes } from './request-body.js'
import { originOf } from './request-origin.js'
import { createSendBudget } from './send-budget.js'
import { prepareReply } from './send-reply.js'
import { createWaitLimit } from './wait-limit.js'

type Params = Record<string, string>
type Request = FastifyRequest<{ Params: Params }>
type OperationCall = Call & { request: FastifyRequest }
/** A body is JSON as bytes: a cached response is neither serialized nor encoded again. */
type OperationReply = Reply<Buffer | BodyParts | undefined>

type OperationOptions = Pick<Settings, 'maxPendingPerSession' | 'maxProjectsPerTeam' | 'maxTeamBytes'> &
  Pick<Services, 'now' | 'newId'> & {
    store: Store
    /** How long a request waits for what it reads, in milliseconds: all of a read, the session of a write. Default: no limit. */
    waitMs?: number
  }

/** How much is cached of responses, in bytes. Less is cached where Node has less memory. */
const cacheBytes = Math.min(128 * 1024 * 1024, getHeapStatistics().heap_size_limit / 16)

/** The list of a team at its limits. A project takes some 200 bytes beside its text. */
const largestList = ({ bytes, projects }: TeamLimits): number => bytes + 300 * projects

/** Registers the operations of section 4, and the reply to every other path and method. */
export function registerOperations(
  app: FastifyInstance,
  { store, now, newId, ...options }: OperationOptions,
  sessions: Sessions,
): void {
  const limits = { projects: options.maxProjectsPerTeam, bytes: options.maxTeamBytes }
  const inTime = createWaitLimit(options.waitMs)
  const cache = createResponseCache(Math.max(cacheBytes, largestList(limits)))
  const encodeShared = createBodyEncoder()
  const sending = createSendBudget(4 * limits.bytes)
  const pending = createPendingLimit(options.maxPendingPerSession)
  const api = createApi<OperationCall>({
    now,
    newId,
    limits,
    onError: (error, operation, { request }) => logFault(request.log, error, { operation }),
  })

  const call = async (
    name: OperationName,
    request: Request,
    session: Call['session'],
  ): Promise<OperationReply> => {
    const { raw, headers, params } = request
    const reply = await api.call(name, {
      request,
      store,
      params,
      query: queryOf(raw.url),
      async session() {
        request.caller = await session()
        return request.caller
      },
      by: originOf(request),
      contentType: headers['content-type'],
      bytes: (limit) => readBytes(raw, limit),
    })
    if (reply.code !== undefined) return reply
    if (reply.body === undefined) return { ...reply, body: undefined }
    const { method, cache }: Operation = operations[name]
    if (method !== 'GET') request.projectId = (reply.body as { project?: Project }).project?.id
    const isShared = method === 'GET' && cache === 'session'
    const body = isShared ? encodeShared(reply.body as object) : Buffer.from(JSON.stringify(reply.body))
    return { ...reply, body }
  }

  /** What needs the store takes turns with the other requests of its session. */
  const inTurn = async (cookie: string, work: () => Promise<OperationReply>): Promise<OperationReply> => {
    const turn = await pending.begin(cookie)
    return turn ? work().finally(turn.end) : operationalReply('RATE_LIMITED')
  }

  /** The reply to a read: from memory, if the operation's entry allows that and its rows are unchanged. */
  const read = async (name: OperationName, request: Request, cookie: string): Promise<OperationReply> => {
    const began = performance.now()
    const resolving = inTime(sessions.resolve(cookie))
    const load = () => call(name, request, async () => (await resolving)?.session)
    let resolved: ResolvedSession | undefined
    try {
      resolved = await resolving
    } catch {}
    // The pipeline replies to a session that is not valid, or cannot be read.
    if (!resolved) return load()
    request.caller = resolved.session
    // Without the wait for its turn, which is for the session's other requests and not for the store.
    const waitedMs = performance.now() - began
    const scope = scopeOf(name, request, resolved)
    if (!scope) return inTurn(cookie, () => inTime(load(), waitedMs))
    return cache.find(scope) ?? inTurn(cookie, () => inTime(cache.load(scope, load), waitedMs))
  }

  const respond = (name: OperationName, request: Request, cookie: string | undefined) => {
    if (cookie === undefined) return call(name, request, async () => undefined)
    if (operations[name].method === 'GET') return read(name, request, cookie)
    const session = async () => (await inTime(sessions.resolve(cookie)))?.session
    return inTurn(cookie, () => call(name, request, session))
  }

  const send = (request: Request, reply: FastifyReply, contents: OperationReply) => {
    if (contents.code !== undefined || contents.body === undefined) return prepareReply(reply, contents)
    const { body } = contents
    const isWhole = Buffer.isBuffer(body)
    const team = request.caller?.team?.id
    if (team !== undefined && !sending.admit(isWhole ? body : body[1], team, reply.raw)) {
      return prepareReply(reply, operationalReply('SERVICE_UNAVAILABLE'))
    }
    if (isWhole) return prepareReply(reply, contents)
    reply.header('content-length', body[0].length + body[1].length + body[2].length)
    return prepareReply(reply, { ...contents, body: Readable.from(body) })
  }

  for (const name of operationNames) {
    const { method, path } = operations[name]
    app.route<{ Params: Params }>({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: name },
      async handler(request, reply) {
        const cookie = sessions.cookieIn(request.headers.cookie)
        return send(request, reply, await respond(name, request, cookie))
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) =>
    prepareReply(reply, api.unknown(request.method, targetPath(request.raw.url))),
  )
}

/** What a handler sees of a request: no headers, and the query only if its operation has one. */
const inputOf = ({ path, query }: Operation, { params, raw }: Request): string =>
  path.includes('{') || query ? JSON.stringify([params, query && queryOf(raw.url)]) : ''

/** What a response is cached under; undefined for one that is not. */
function scopeOf(
  name: OperationName,
  request: Request,
  { session, version }: ResolvedSession,
): Scope | undefined {
  const operation: Operation = operations[name]
  const { cache, permission } = operation
  if (!cache || version === undefined) return undefined
  const key = `${name} ${inputOf(operation, request)}`
  // Where a permission is needed, the response is for the sessions that have it.
  return cache === 'team' && permission === undefined && session.team
    ? { key: `${key} team ${session.team.id}`, version, seen: '' }
    : { key: `${key} session ${session.id}`, version, seen: JSON.stringify(session) }
}

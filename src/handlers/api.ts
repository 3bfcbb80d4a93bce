import type { InterfaceErrorCode } from '../contract/errors.js'
import { defaultTeamLimits, type TeamLimits } from '../contract/limits.js'
import { type Operation, type OperationName, operations } from '../contract/operations.js'
import { route } from '../contract/route.js'
import { isStorable } from '../contract/storable.js'
import type { Origin } from '../store/audit-log.js'
import { type OperationStore, StoreUnavailableError } from '../store/store.js'
import { type Context, type Failure, fail, type Session, type Versioned } from './handler.js'
import { handlers } from './handlers.js'
import { type IncomingBody, readBody } from './read-body.js'
import { readQuery } from './read-query.js'
import { failureReply, operationalReply, type Reply, successReply } from './reply.js'
import { type ReplyCache, scopeOf } from './reply-cache.js'

export type ApiOptions = {
  now(): Date
  newId(): string
  /** How much a team may hold. Default: `defaultTeamLimits`. */
  limits?: TeamLimits
  /** Caches the replies of operations whose entry allows it. */
  cache?: ReplyCache
  /** Limits the requests of a session that miss the cache. */
  slots?: SessionSlots
}

/** A request to an operation, as an adapter translates it, with its store. */
export type Call = IncomingBody & {
  store: OperationStore
  /** The origin of a change by the session of the caller, for the audit log. Without it nothing is recorded. */
  by?(session: Session | undefined): Origin
  params: Record<string, string>
  /** The query string as sent, without the question mark. Called only if the operation has a query. */
  query(): string
}

/** A request that is under way. */
export type Slot = { end(): void }

/** Gives the requests of a session a slot, at once or later, or refuses them (undefined). */
export type SessionSlots = { begin(sessionId: string): Slot | Promise<Slot | undefined> }

export type Api = ReturnType<typeof createApi>

/**
 * The pipeline of a request: `refuse`, then `answer`. An adapter that has the whole request calls both at once by `call`. Bugs,
 * and an unavailable store, are thrown: see `failedReply`.
 */
export function createApi({ cache, limits = defaultTeamLimits, now, newId, slots }: ApiOptions) {
  /** Checks path, query and body. Then the cache replies, or the handler once the session has a slot. */
  const answer = async <Name extends OperationName>(
    name: Name,
    call: Call,
    session: Session | undefined,
  ): Promise<Reply> => {
    const operation: Operation = operations[name]
    const input = readInput(operation, call)
    if (isFailure(input)) return failureReply(operation, input)

    const { params, store } = call
    const scope = cache && session && scopeOf(name, session, call)
    const cached = scope && cache?.find(scope)
    if (cached) return cached

    const handle = async () => {
      const by = operation.method === 'GET' ? undefined : call.by?.(session)
      const { query, body } = input
      const context = { session, team: session?.team, params, query, body, store, by, limits, now, newId }
      // `refuse` guarantees what the operation's entry requires; the compiler cannot follow it.
      return replyOf(operation, await handlers[name](context as unknown as Context<Name>))
    }
    const load = () => (scope && cache ? cache.load(scope, handle) : handle())
    if (!session || !slots) return load()
    // Wait before joining a shared load: a session at its limit must not delay others that wait for the same load.
    const slot = await slots.begin(session.id)
    return slot ? load().finally(slot.end) : operationalReply('RATE_LIMITED')
  }
  return {
    refuse,
    answer,
    call: async (name: OperationName, call: Call, session: Session | undefined): Promise<Reply> =>
      refuse(name, session) ?? answer(name, call, session),
    unknown: unknownReply,
  }
}

/** The reply to a request whose operation threw. It has no details. */
export const failedReply = (error: unknown): Reply =>
  operationalReply(error instanceof StoreUnavailableError ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR')

/** The reply for an unknown path, or an unknown method of a path: 404, or 405 with Allow. */
export function unknownReply(method: string, path: string): Reply {
  const { allow } = route(method, path)
  return allow?.length
    ? operationalReply('METHOD_NOT_ALLOWED', { allow: allow.join(', ') })
    : operationalReply('NOT_FOUND')
}

/**
 * Checks the caller of an operation: session, organisation, team, permission. The order decides which failure is replied.
 * @returns why the caller is refused, if so
 */
function refuse(name: OperationName, session: Session | undefined): Reply | undefined {
  const operation: Operation = operations[name]
  const { access, permission } = operation
  const because = (code: InterfaceErrorCode) => failureReply(operation, fail(code))
  if (access === 'public') return undefined
  if (!session) return because('AUTH_REQUIRED')
  if (!session.orgCode && access === 'team') return because('ONBOARDING_REQUIRED')
  if (!session.team && access === 'team') return because('TEAM_MEMBERSHIP_REQUIRED')
  if (permission && !session.permissions.includes(permission)) return because('INSUFFICIENT_PERMISSIONS')
  return undefined
}

/** Checks the path, the query and the body of a request, in this order. */
function readInput(
  { query: queryRule, body: bodyRule }: Operation,
  call: Call,
): Failure | { query?: unknown; body?: unknown } {
  const values = Object.values(call.params)
  if (values.some((value) => value.trim() === '')) return fail('EMPTY_QUERY_FILTER')

  const query = queryRule ? readQuery(call.query(), queryRule.schema) : { value: undefined }
  if (isFailure(query)) return query
  const body = bodyRule ? readBody(call, bodyRule) : { value: undefined }
  if (isFailure(body)) return body

  // No store holds such a text.
  if (!values.every(isStorable)) return fail('PROJECT_NOT_FOUND')
  return { query: query.value, body: body.value }
}

function replyOf(operation: Operation, result: unknown): Reply {
  if (isFailure(result)) return failureReply(operation, result)
  const { status } = operation.success
  return isVersioned(result)
    ? { ...successReply(status, result.versioned), version: result.version }
    : successReply(status, result)
}

const isFailure = (result: unknown): result is Failure => result instanceof Object && 'failed' in result

const isVersioned = (result: unknown): result is Versioned<object> =>
  result instanceof Object && 'versioned' in result

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
import { failureReply, operationalReply, type Reply, successReply, unreadableReply } from './reply.js'
import { type ReplyCache, scopeOf } from './reply-cache.js'

export type ApiOptions<RunningCall = Call> = {
  now(): Date
  newId(): string
  /** How much a team may hold. Default: `defaultTeamLimits`. */
  limits?: TeamLimits
  /** Caches the replies of operations whose entry allows it. */
  cache?: ReplyCache
  /** Limits the requests of a session that miss the cache. */
  slots?: SessionSlots
  /** Called for each bug, and when the store is unavailable. The reply has no details. */
  onError(error: unknown, operation: OperationName, call: RunningCall): void
}

/** A request to an operation, as an adapter translates it, with its store. */
export type Call = IncomingBody & {
  store: OperationStore
  /** The origin of a change by the session of the caller, for the audit log. Without it nothing is recorded. */
  by?(session: Session | undefined): Origin
  params: Record<string, string>
  /** The query string as sent, without the question mark. Called only if the operation has a query. */
  query(): string
  /** The session of the caller, or undefined if the request has no valid session. */
  session(): Promise<Session | undefined>
}

/** A request that is under way. */
export type Slot = { end(): void }

/** Gives the requests of a session a slot, at once or later, or refuses them (undefined). */
export type SessionSlots = { begin(sessionId: string): Slot | Promise<Slot | undefined> }

export type Api = ReturnType<typeof createApi>

export function createApi<AdapterCall extends Call = Call>(options: ApiOptions<AdapterCall>) {
  return {
    async call(name: OperationName, call: AdapterCall): Promise<Reply> {
      try {
        return await run(name, call, options)
      } catch (error) {
        if (error instanceof RefusedCallerError) return refusalReply(error.status, name)
        options.onError(error, name, call)
        const code = error instanceof StoreUnavailableError ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR'
        return operationalReply(code)
      }
    },
    unknown: unknownReply,
  }
}

/** Thrown by `session` of a call whose caller the adapter refuses, with a status from 400 to 499. */
export class RefusedCallerError extends Error {
  override name = 'RefusedCallerError'
  readonly status: number
  constructor(status: number) {
    super(`The caller was refused with ${status}.`)
    this.status = status
  }
}

/** The reply to a request that something around the operations refused with a status from 400 to 499. */
export function refusalReply(status: number, name?: OperationName): Reply {
  if (status === 429) return operationalReply('RATE_LIMITED')
  const message = 'The application refused the request.'
  if (status !== 401 && status !== 403) return unreadableReply(status, message)
  const code = status === 401 ? 'AUTH_REQUIRED' : 'INSUFFICIENT_PERMISSIONS'
  return name ? failureReply(operations[name], fail(code)) : { ...unreadableReply(status, message), code }
}

/** The reply for an unknown path, or an unknown method of a path: 404, or 405 with Allow. */
export function unknownReply(method: string, path: string): Reply {
  const { allow } = route(method, path)
  return allow?.length
    ? operationalReply('METHOD_NOT_ALLOWED', { allow: allow.join(', ') })
    : operationalReply('NOT_FOUND')
}

/**
 * The pipeline: session, organisation, team, permission, path, query, body. Then the cache replies, or the handler once the
 * session has a slot.
 */
async function run<Name extends OperationName>(
  name: Name,
  call: Call,
  { cache, limits = defaultTeamLimits, now, newId, slots }: Omit<ApiOptions, 'onError'>,
): Promise<Reply> {
  const operation: Operation = operations[name]
  const caller = await authorize(operation, call)
  if (isFailure(caller)) return failureReply(operation, caller)
  const input = await readInput(operation, call)
  if (isFailure(input)) return failureReply(operation, input)

  const { session, team } = caller
  const { params, store } = call
  const scope = cache && session && scopeOf(name, session, call)
  const cached = scope && cache?.find(scope)
  if (cached) return cached

  const handle = async () => {
    const by = operation.method === 'GET' ? undefined : call.by?.(session)
    // A spread of `caller` would be much slower in V8.
    const { query, body } = input
    const context = { session, team, params, query, body, store, by, limits, now, newId }
    // The checks above guarantee what the operation's entry requires; the compiler cannot follow them.
    return replyOf(operation, await handlers[name](context as unknown as Context<Name>))
  }
  const load = () => (scope && cache ? cache.load(scope, handle) : handle())
  if (!session || !slots) return load()
  // Wait before joining a shared load: a session at its limit must not delay others that wait for the same load.
  const slot = await slots.begin(session.id)
  return slot ? load().finally(slot.end) : operationalReply('RATE_LIMITED')
}

/** Checks the path, the query and the body of a request, in this order. */
async function readInput(
  { query: queryRule, body: bodyRule }: Operation,
  call: Call,
): Promise<Failure | { query?: unknown; body?: unknown }> {
  const values = Object.values(call.params)
  if (values.some((value) => value.trim() === '')) return fail('EMPTY_QUERY_FILTER')

  const query = queryRule ? readQuery(call.query(), queryRule.schema) : { value: undefined }
  if (isFailure(query)) return query
  const body = bodyRule ? await readBody(call, bodyRule) : { value: undefined }
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

/** Checks that the caller may run the operation. The order of the checks decides which failure is returned. */
async function authorize(
  { access, permission }: Operation,
  call: Call,
): Promise<Failure | { session?: Session; team?: Session['team'] }> {
  if (access === 'public') return {}
  const session = await call.session()
  if (!session) return fail('AUTH_REQUIRED')
  if (!session.orgCode && access === 'team') return fail('ONBOARDING_REQUIRED')
  const { team } = session
  if (!team && access === 'team') return fail('TEAM_MEMBERSHIP_REQUIRED')
  if (permission && !session.permissions.includes(permission)) return fail('INSUFFICIENT_PERMISSIONS')
  return { session, team }
}

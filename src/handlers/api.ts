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

/** What the service needs; given once, where a mode is composed. */
export type Services<RunningCall = Call> = {
  now(): Date
  newId(): string
  /** How much a team may hold; `defaultTeamLimits`, if left out. */
  limits?: TeamLimits
  /** Called for each bug and each time that the store was unavailable; the reply has no details of it. */
  onError(error: unknown, operation: OperationName, call: RunningCall): void
}

/** One request to an operation, as an adapter translates it, with the store that it uses. */
export type Call = IncomingBody & {
  store: OperationStore
  /** Who makes a change, for the audit log; without it nothing is recorded. */
  by?: Origin
  params: Record<string, string>
  /** The query string as it was sent, without the question mark. */
  query: string
  /** The session of the caller; undefined for a request without a valid one. */
  session(): Promise<Session | undefined>
}

/** The service as plain functions, for every adapter. */
export type Api = ReturnType<typeof createApi>

/** @template AdapterCall what an adapter adds to a call, for `onError` */
export function createApi<AdapterCall extends Call = Call>(services: Services<AdapterCall>) {
  const { now, newId, limits = defaultTeamLimits } = services
  const given = { limits, now, newId }
  return {
    async call(name: OperationName, call: AdapterCall): Promise<Reply> {
      try {
        const result = await run(name, call, given)
        if (isFailure(result)) return failureReply(operations[name], result)
        const { status } = operations[name].success
        return isVersioned(result)
          ? { ...successReply(status, result.versioned), version: result.version }
          : successReply(status, result)
      } catch (error) {
        services.onError(error, name, call)
        const code = error instanceof StoreUnavailableError ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR'
        return operationalReply(code)
      }
    },
    /** The reply for a path, or a method on it, that the interface does not have: 404, or 405 with Allow. */
    unknown(method: string, path: string): Reply {
      const { allow } = route(method, path)
      return allow?.length
        ? operationalReply('METHOD_NOT_ALLOWED', { allow: allow.join(', ') })
        : operationalReply('NOT_FOUND')
    },
  }
}

/** The one pipeline: session, organisation, team, permission, path, query, body, then the handler. */
async function run<Name extends OperationName>(
  name: Name,
  call: Call,
  { limits, now, newId }: Pick<Services, 'now' | 'newId'> & { limits: TeamLimits },
): Promise<unknown> {
  const operation: Operation = operations[name]
  const caller = await authorize(operation, call)
  if (isFailure(caller)) return caller
  const { session, team } = caller

  if (Object.values(call.params).some((value) => value.trim() === '')) return fail('EMPTY_QUERY_FILTER')

  const query = operation.query ? readQuery(call.query, operation.query.schema) : { value: undefined }
  if (isFailure(query)) return query
  const body = operation.body ? await readBody(call, operation.body) : { value: undefined }
  if (isFailure(body)) return body

  const { params, store } = call
  // No store has it: the text is checked here, once for all of them.
  if (!Object.values(params).every(isStorable)) return fail('PROJECT_NOT_FOUND')

  const by = call.by && session ? { ...call.by, userId: session.user.id, sessionId: session.id } : call.by
  // Not with `...caller`: V8 makes the object twenty times slower then.
  const context = {
    session,
    team,
    params,
    query: query.value,
    body: body.value,
    store,
    by,
    limits,
    now,
    newId,
  }
  // The checks above guarantee what the operation's entry requires; the compiler cannot follow them.
  return handlers[name](context as unknown as Context<Name>)
}

const isVersioned = (result: unknown): result is Versioned<object> =>
  result instanceof Object && 'versioned' in result

const isFailure = (result: unknown): result is Failure => result instanceof Object && 'failed' in result

/** Checks that the caller may run the operation. The order decides which failure is returned. */
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

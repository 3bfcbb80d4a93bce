import { HttpResponse } from 'msw'
import { type Operation, type OperationName, operations } from '../../contract/operations.js'
import { queryOf, route } from '../../contract/route.js'
import type { Api } from '../../handlers/api.js'
import type { Reply } from '../../handlers/reply.js'
import type { AnswerRequest } from './answer-request.js'
import { explain } from './explain.js'
import { type Answer, titleOf } from './forcing.js'
import type { FindResolver } from './mock-handler.js'
import type { MockParts } from './mock-parts.js'
import { withScenario } from './named-scenarios.js'
import type { Caller } from './personas.js'
import { sentCookies } from './sent-request.js'
import type { TargetPlace } from './target-name.js'
import { twoSites } from './two-sites.js'
import type { Unanswered } from './unanswered-handler.js'

type FoundOperation = { operation: OperationName; params: Record<string, string> }

const noBytes = new Uint8Array()

const hintFor = ({ code }: Reply, { headers }: Request): string | undefined =>
  code === 'AUTH_REQUIRED'
    ? twoSites(headers.get('origin') ?? undefined, headers.get('host') ?? undefined)
    : undefined

/** Finds what answers a path below /v1/: an operation of the contract, or that there is none. */
export function findOperation(
  { personas, scenarios, state, targets, jar, writeReply }: MockParts,
  api: Api,
  answer: AnswerRequest,
  unanswered: Unanswered,
  passesUnknown: boolean,
): FindResolver {
  /** What a check or the handler decided. */
  const decidedBy = (reply: Reply, request: Request, cookie?: string, isShared?: boolean): Answer => ({
    code: reply.code,
    why: explain(reply, cookie, hintFor(reply, request)),
    response: writeReply(reply, request, isShared),
  })

  /** Runs an operation, under a named scenario if one applies to the caller. */
  const run = async (
    { operation, params }: FoundOperation,
    request: Request,
    body: Uint8Array,
    caller: Caller,
    isOver: boolean,
  ): Promise<Answer> => {
    const { method, headers, url } = request
    const tracker = await state.track(operation, isOver)
    const store = method === 'GET' || method === 'HEAD' ? tracker.store : tracker.recordingStore()
    const scenario = isOver ? undefined : scenarios.find(operation, caller.persona)
    let applied = false
    const apply = () => {
      applied = scenario !== undefined && scenarios.consume(scenario)
      return applied
    }
    const reply = await api.call(operation, {
      contentType: headers.get('content-type') ?? undefined,
      bytes: async (limit: number) => (body.length > limit ? undefined : body),
      params,
      query: queryOf(url),
      session: () => personas.sessionOf(caller),
      store: scenario ? withScenario(store, scenario, apply) : store,
    })
    const isShared = (operations[operation] as Operation).cache === 'team'
    return {
      ...decidedBy(reply, request, caller.loggedCookie, isShared),
      ...(applied && scenario ? { why: titleOf(scenario), forcedBy: 'scenario' } : undefined),
      positions: tracker.positions(),
      onEntry: tracker.setEntry,
    }
  }

  return (method, path) => {
    const { operation, params, allow } = route(method, path)
    if (!operation && (!path.startsWith('/v1/') || (passesUnknown && allow.length === 0))) return undefined
    return async (request) => {
      const { cookies, marker } = sentCookies(request, jar)
      // Not decided by request.body, which Firefox does not have.
      const body = /^(GET|HEAD)$/.test(method) ? noBytes : new Uint8Array(await request.arrayBuffer())
      const forced = operation ? undefined : await unanswered.force(request, answer, body)
      if (forced) return forced
      const given = {
        request,
        place: operation ? (targets.find(operation) as TargetPlace) : unanswered.placeOf(request),
        path: operation && path,
        prefer: operation ? request.headers.get('prefer') : null,
        caller: () => personas.findCaller(cookies, marker),
        body: () => body,
      }
      const response = await answer(given, async (caller, isOver) =>
        operation
          ? run({ operation, params }, request, body, caller, isOver)
          : decidedBy(api.unknown(method, path), request),
      )
      return response ?? HttpResponse.error()
    }
  }
}

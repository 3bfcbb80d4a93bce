import { HttpResponse } from 'msw'
import { type Operation, type OperationName, operations } from '../../contract/operations.js'
import { queryOf, route } from '../../contract/route.js'
import type { Api } from '../../handlers/api.js'
import type { Reply } from '../../handlers/reply.js'
import type { AnswerRequest } from './answer-request.js'
import { explain } from './explain.js'
import { type Answer, titleOf } from './forcing.js'
import type { FindResolver, MockRequest } from './mock-handler.js'
import type { MockParts } from './mock-parts.js'
import { withScenario } from './named-scenarios.js'
import type { Caller } from './personas.js'
import type { TargetPlace } from './target-name.js'
import type { Unanswered } from './unanswered-handler.js'

type Resolving = { parts: MockParts; api: Api; answer: AnswerRequest }
type FoundOperation = { operation: OperationName; params: Record<string, string> }

/** Finds what answers a path below /v1/: an operation of the contract, or that there is none. */
export const findOperation =
  (resolving: Resolving, unanswered: Unanswered, passesUnknown: boolean): FindResolver =>
  (method, path) => {
    const { operation, params, allow } = route(method, path)
    const { targets } = resolving.parts
    if (operation) {
      const place = targets.find(operation) as TargetPlace
      return (request) => resolve(resolving, request, place, { operation, params })
    }
    const isLeft = !path.startsWith('/v1/') || (passesUnknown && allow.length === 0)
    return isLeft ? undefined : (request) => resolveUnknown(resolving, request, unanswered)
  }

/** Answers a request below /v1/ that reaches no operation: by what is forced for its caller, or 404. */
const resolveUnknown = async (resolving: Resolving, mockRequest: MockRequest, unanswered: Unanswered) =>
  (await unanswered.force(mockRequest.request, resolving.answer, mockRequest.body)) ??
  resolve(resolving, mockRequest, unanswered.placeOf(mockRequest.request))

/** Answers a request to an operation, or one below /v1/ that reaches none. */
async function resolve(
  { parts, api, answer }: Resolving,
  mockRequest: MockRequest,
  place: TargetPlace,
  found?: FoundOperation,
): Promise<Response> {
  const { request, path, body, cookies, marker } = mockRequest
  const { method, headers } = request
  const given = {
    ...{ request, place, prefer: found ? headers.get('prefer') : null },
    ...(found && { path }),
    caller: () => parts.personas.findCaller(cookies, marker),
    body: () => body,
  }
  const response = await answer(
    given,
    async () => true,
    async (caller, isOver) =>
      found
        ? run(parts, api, mockRequest, caller, found, isOver)
        : decidedBy(api.unknown(method, path), parts, request),
  )
  return response ?? HttpResponse.error()
}

/** What a check or the handler decided. */
const decidedBy = (
  reply: Reply,
  { writeReply }: MockParts,
  request: Request,
  cookie?: string,
  isShared?: boolean,
): Answer => ({
  ...{ code: reply.code, why: explain(reply, cookie) },
  response: writeReply(reply, request, isShared),
})

/** Runs an operation, under a named scenario if one applies to the caller. */
async function run(
  parts: MockParts,
  api: Api,
  { request, body }: MockRequest,
  caller: Caller,
  { operation, params }: FoundOperation,
  isOver: boolean,
): Promise<Answer> {
  const { method, headers, url } = request
  const { scenarios } = parts
  const tracker = await parts.state.track(operation, isOver)
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
    session: () => parts.personas.sessionOf(caller),
    store: scenario ? withScenario(store, scenario, apply) : store,
  })
  const isShared = (operations[operation] as Operation).cache === 'team'
  return {
    ...decidedBy(reply, parts, request, caller.loggedCookie, isShared),
    ...(applied && scenario ? { why: titleOf(scenario), forcedBy: 'scenario' } : undefined),
    positions: tracker.positions(),
    onEntry: tracker.setEntry,
  }
}

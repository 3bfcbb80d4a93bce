import { HttpResponse } from 'msw'
import { type Operation, type OperationName, operationNames, operations } from '../../contract/operations.js'
import { queryOf, route } from '../../contract/route.js'
import type { Api } from '../../handlers/api.js'
import type { Reply } from '../../handlers/reply.js'
import type { AnswerRequest } from './answer-request.js'
import { explain } from './explain.js'
import { type Answer, titleOf } from './forcing.js'
import type { MockRequest, MockRoute } from './mock-handler.js'
import type { MockParts } from './mock-parts.js'
import { withScenario } from './named-scenarios.js'
import type { Caller } from './personas.js'
import type { TargetPlace } from './target-name.js'
import type { Unanswered } from './unanswered-handler.js'

type Resolving = { parts: MockParts; api: Api; answer: AnswerRequest }

/** One route for each operation of the contract, and one for everything else below /v1/. */
export function operationRoutes(
  resolving: Resolving,
  unanswered: Unanswered,
  passesUnknown: boolean,
): MockRoute[] {
  const { targets } = resolving.parts
  const known = operationNames.map((name): MockRoute => {
    const { method, path } = operations[name]
    const place = targets.find(name) as TargetPlace
    return {
      method,
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      match(actualMethod, actualPath) {
        // Compared first because it is cheap: MSW tries one handler after another.
        if (actualMethod !== method && !(actualMethod === 'HEAD' && method === 'GET')) return undefined
        const found = route(actualMethod, actualPath)
        return found.operation === name ? found.params : undefined
      },
      resolve: (mockRequest) => resolve(resolving, mockRequest, place, name),
    }
  })
  const unknown: MockRoute = {
    method: 'ALL',
    path: '/v1/*',
    match(method, path) {
      if (!path.startsWith('/v1/')) return undefined
      return passesUnknown && !route(method, path).allow?.length ? undefined : {}
    },
    resolve: (mockRequest) => resolve(resolving, mockRequest, unanswered.placeOf(mockRequest.request)),
  }
  return [...known, unknown]
}

/** Answers a request to an operation, or one below /v1/ that reaches none. */
async function resolve(
  { parts, api, answer }: Resolving,
  mockRequest: MockRequest,
  place: TargetPlace,
  operation?: OperationName,
): Promise<Response> {
  const { request, path, body, cookies, marker } = mockRequest
  const { method, headers } = request
  const given = {
    ...{ request, place, prefer: operation ? headers.get('prefer') : null },
    ...(operation && { path }),
    caller: () => parts.personas.resolveCaller(cookies, marker),
    body: () => body,
  }
  const response = await answer(
    given,
    async () => true,
    async (caller) =>
      operation
        ? run(parts, api, mockRequest, await caller, operation)
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
  { request, params, body }: MockRequest,
  { session, loggedCookie }: Caller,
  operation: OperationName,
): Promise<Answer> {
  const { method, headers, url } = request
  const { scenarios } = parts
  const tracker = await parts.state.track(operation)
  const store = method === 'GET' || method === 'HEAD' ? tracker.store : tracker.recordingStore()
  const scenario = scenarios.find(operation, session?.id)
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
    session: async () => session,
    store: scenario ? withScenario(store, scenario, apply) : store,
  })
  const isShared = (operations[operation] as Operation).cache === 'team'
  return {
    ...decidedBy(reply, parts, request, loggedCookie, isShared),
    ...(applied && scenario ? { why: titleOf(scenario), forcedBy: 'scenario' } : undefined),
    positions: tracker.positions(),
    onEntry: tracker.setEntry,
  }
}

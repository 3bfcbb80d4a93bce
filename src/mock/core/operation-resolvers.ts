import { type Operation, type OperationName, operationNames, operations } from '../../contract/operations.js'
import { queryOf, route } from '../../contract/route.js'
import type { Api } from '../../handlers/api.js'
import { type DocsUrl, type Reply, replyBody } from '../../handlers/reply.js'
import type { ChaosDraw } from './chaos.js'
import { abortableDelay, hang } from './delays.js'
import { explain } from './explain.js'
import type { ScenarioResult } from './forcing.js'
import { responseBody } from './logged-exchange.js'
import type { MockReply, MockRequest, MockRoute } from './mock-handler.js'
import type { MockParts } from './mock-parts.js'
import type { ChangeTracker } from './mock-state.js'
import type { Caller } from './personas.js'
import { createScenarioRunner, type ScenarioRunner } from './scenario-runner.js'
import type { Unanswered } from './unanswered-handler.js'

/** Serializes the body of a reply, as `replyBody` makes it. */
export const toJsonReply = (reply: Reply, path: string, docsUrl: DocsUrl): MockReply => ({
  status: reply.status,
  headers: reply.headers,
  body: JSON.stringify(replyBody(reply, path, docsUrl)) ?? null,
})

/**
 * The same, but of a reply that is one for all callers of a team, the last one is kept while the team has its version: a
 * list may have tens of megabytes.
 */
function createReplyWriter(docsUrl: MockParts['docsUrl']) {
  let last: { key: string; reply: MockReply } | undefined
  return (reply: Reply, { request, path }: MockRequest, operation?: OperationName): MockReply => {
    const make = () =>
      toJsonReply(reply, path, (code) => docsUrl(code, request.headers.get('host') ?? undefined))
    const isShared = operation && (operations[operation] as Operation).cache === 'team'
    if (!isShared || reply.code !== undefined || reply.version === undefined) return make()
    const key = `${request.url} ${reply.version}`
    if (last?.key !== key) last = { key, reply: make() }
    return last.reply
  }
}

/** The reply to a request, or why it gets none. */
type Answer = { reply?: MockReply; fault?: 'drop' | 'hang' }

/** One route for each operation of the contract, and one for everything else below /v1/. */
export function operationRoutes(
  parts: MockParts,
  api: Api,
  unanswered: Unanswered,
  passesUnknown: boolean,
): MockRoute[] {
  const options = {
    ...parts,
    api,
    unanswered,
    runScenario: createScenarioRunner(parts.scenarios, parts.forcing, api),
    writeReply: createReplyWriter(parts.docsUrl),
  }
  const known = operationNames.map((name): MockRoute => {
    const { method, path } = operations[name]
    return {
      method,
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      match(actualMethod, actualPath) {
        // Compared first because it is cheap: MSW tries one handler after another.
        if (actualMethod !== method && !(actualMethod === 'HEAD' && method === 'GET')) return undefined
        const found = route(actualMethod, actualPath)
        return found.operation === name ? found.params : undefined
      },
      resolve: (request) => resolve(options, request, name),
    }
  })
  const unknown: MockRoute = {
    method: 'ALL',
    path: '/v1/*',
    match(method, path) {
      if (!path.startsWith('/v1/')) return undefined
      return passesUnknown && !route(method, path).allow?.length ? undefined : {}
    },
    resolve: (request) => resolve(options, request),
  }
  return [...known, unknown]
}

type Resolving = MockParts & {
  api: Api
  unanswered: Unanswered
  runScenario: ScenarioRunner
  writeReply: ReturnType<typeof createReplyWriter>
}

async function resolve(
  options: Resolving,
  request: MockRequest,
  operation?: OperationName,
): Promise<MockReply | undefined> {
  const { reply, fault } = await answer(options, request, operation)
  if (fault === 'hang') await hang(request.request)
  return reply
}

/** Waits for the delay that is configured or drawn, runs the operation, if there is one, and logs the outcome. */
async function answer(
  options: Resolving,
  mockRequest: MockRequest,
  operation?: OperationName,
): Promise<Answer> {
  const { personas, delays, writer, targets, unanswered, writeReply } = options
  const { request, path, body, cookies, marker } = mockRequest
  const { method } = request
  const begun = writer.begin()

  // Drawn as the request arrives: delays do not change the order.
  const drawn = options.chaos.draw(operation)
  const delay = drawn?.delay ?? delays.draw(operation)
  const isAborted = delay > 0 && (await abortableDelay(delay, request.signal))
  const caller = await personas.resolveCaller(cookies, marker)
  const recorder = await options.state.track(operation ?? method)
  const place = (operation && targets.find(operation)) ?? unanswered.placeOf(request)
  const result: ScenarioResult = isAborted
    ? { fault: 'drop', why: 'the client gave up' }
    : operation
      ? await run(options, mockRequest, caller, recorder, operation, drawn)
      : ((await options.forcing(place.target, { session: caller.session?.id, prefer: null })) ??
        refuse(options.api.unknown(method, path)))
  const { fault, why, forcedBy, forced } = result
  const reply = result.own ?? (result.reply && writeReply(result.reply, mockRequest, operation))

  await writer.write(begun, {
    request,
    ...(operation && { path }),
    place,
    caller,
    body,
    status: reply?.status ?? 0,
    code: result.reply?.code,
    why,
    forcedBy,
    forced,
    positions: recorder.positions(),
    ...(reply && { response: { headers: reply.headers, body: responseBody(reply.body) } }),
    onEntry: recorder.setEntry,
  })
  return { reply, fault }
}

const refuse = (reply: Reply): ScenarioResult => ({ reply, why: explain(reply) })

function run(
  { runScenario }: Resolving,
  { request: { method, headers, url }, params, body }: MockRequest,
  { session, loggedCookie }: Caller,
  recorder: ChangeTracker,
  operation: OperationName,
  chaos?: ChaosDraw,
): Promise<ScenarioResult> {
  const call = {
    contentType: headers.get('content-type') ?? undefined,
    bytes: async (limit: number) => (body.length > limit ? undefined : body),
    params,
    query: queryOf(url),
    session: async () => session,
    store: method === 'GET' || method === 'HEAD' ? recorder.store : recorder.recordingStore(),
  }
  return runScenario(operation, {
    call,
    session: session?.id,
    cookie: loggedCookie,
    prefer: headers.get('prefer'),
    chaos,
  })
}

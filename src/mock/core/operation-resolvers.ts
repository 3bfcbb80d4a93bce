import { type Operation, type OperationName, operationNames, operations } from '../../contract/operations.js'
import { queryOf, route } from '../../contract/route.js'
import type { Api } from '../../handlers/api.js'
import { type DocsUrl, type Reply, replyBody } from '../../handlers/reply.js'
import { abortableDelay, hang } from './delays.js'
import { explain } from './explain.js'
import { type ScenarioResult, titleOf } from './forcing.js'
import { responseBody } from './logged-exchange.js'
import type { MockReply, MockRequest, MockRoute } from './mock-handler.js'
import type { MockParts } from './mock-parts.js'
import type { ChangeTracker } from './mock-state.js'
import { withScenario } from './named-scenarios.js'
import type { Caller } from './personas.js'
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

/** One route for each operation of the contract, and one for everything else below /v1/. */
export function operationRoutes(
  parts: MockParts,
  api: Api,
  unanswered: Unanswered,
  passesUnknown: boolean,
): MockRoute[] {
  const options = { ...parts, api, unanswered, writeReply: createReplyWriter(parts.docsUrl) }
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
  writeReply: ReturnType<typeof createReplyWriter>
}

/** Waits for the delay that is configured or drawn, runs the operation, if there is one, and logs the outcome. */
async function resolve(
  options: Resolving,
  mockRequest: MockRequest,
  operation?: OperationName,
): Promise<MockReply | undefined> {
  const { personas, delays, chaos, forcing, writer, targets, unanswered, writeReply, api } = options
  const { request, path, body, cookies, marker } = mockRequest
  const { method, headers } = request
  const begun = writer.begin()

  // Drawn as the request arrives: delays do not change the order.
  const drawn = chaos.draw(operation)
  const delay = drawn?.delay ?? delays.draw(operation)
  const isAborted = delay > 0 && (await abortableDelay(delay, request.signal))
  const caller = await personas.resolveCaller(cookies, marker)
  const tracker = await options.state.track(operation ?? method)
  const place = (operation && targets.find(operation)) ?? unanswered.placeOf(request)
  const prefer = operation ? headers.get('prefer') : null
  const forced = isAborted
    ? ({ fault: 'drop', why: 'the client gave up' } as const)
    : await forcing(place.target, { session: caller.session?.id, prefer, chaos: drawn })
  const result: ScenarioResult =
    forced ??
    (operation
      ? await run(options, mockRequest, caller, tracker, operation)
      : decidedBy(api.unknown(method, path)))
  const reply = result.own ?? (result.reply && writeReply(result.reply, mockRequest, operation))

  await writer.write(begun, {
    request,
    ...(operation && { path }),
    place,
    caller,
    body,
    status: reply?.status ?? 0,
    code: result.reply?.code,
    why: result.why,
    forcedBy: result.forcedBy,
    forced: result.forced,
    positions: tracker.positions(),
    ...(reply && { response: { headers: reply.headers, body: responseBody(reply.body) } }),
    onEntry: tracker.setEntry,
  })
  if (result.fault === 'hang') await hang(request)
  return reply
}

/** What a check or the handler decided. */
const decidedBy = (reply: Reply, cookie?: string): ScenarioResult => ({ reply, why: explain(reply, cookie) })

/** Runs an operation, under a named scenario if one applies to the caller. */
async function run(
  { scenarios, api }: Resolving,
  { request: { method, headers, url }, params, body }: MockRequest,
  { session, loggedCookie }: Caller,
  tracker: ChangeTracker,
  operation: OperationName,
): Promise<ScenarioResult> {
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
  return applied && scenario
    ? { reply, why: titleOf(scenario), forcedBy: 'scenario' }
    : decidedBy(reply, loggedCookie)
}

import type { ErrorCode } from '../../contract/errors.js'
import { type OperationName, operationNames, operations } from '../../contract/operations.js'
import { queryOf, route } from '../../contract/route.js'
import { type DocsUrl, type Reply, replyBody } from '../../handlers/reply.js'
import type { Chaos, ChaosDraw } from './chaos.js'
import { abortableDelay, type Delays } from './delays.js'
import { explain } from './explain.js'
import { loggedHeaders, requestBody, responseBody } from './logged-exchange.js'
import type { MockReply, MockRequest, MockRoute } from './mock-handler.js'
import type { Caller, Personas } from './personas.js'
import type { Log, StoredEntry } from './request-log.js'
import type { ScenarioResult, ScenarioRunner } from './scenario-runner.js'
import type { Recorder } from './state-recorder.js'

/** Serializes the body of a reply, as `replyBody` makes it. */
export const toJsonReply = (reply: Reply, path: string, docsUrl: DocsUrl): MockReply => ({
  status: reply.status,
  headers: reply.headers,
  body: JSON.stringify(replyBody(reply, path, docsUrl)) ?? null,
})

type Options = {
  runScenario: ScenarioRunner
  /** Starts to record what a request changes. */
  record(title: string): Recorder
  /** The reply for a path or method that the interface does not have. */
  unknown(method: string, path: string): Reply
  personas: Personas
  delays: Delays
  chaos: Chaos
  log: Log
  /** Whether the log stores bodies. */
  logsBodies: boolean
  space?: string
  /** Returns the address of the page about an error code. @param host the Host header of the request */
  docsUrl(code: ErrorCode, host: string | undefined): string
  onRequest(entry: StoredEntry): void | Promise<void>
  /** Whether paths below /v1/ that the interface does not have are left to other handlers. */
  passesUnknown: boolean
}

/** A request that has been logged, and its reply, or why it gets none. */
type Answer = { entry: StoredEntry; reply?: MockReply; fault?: 'drop' | 'hang' }

export type OperationRoutes = {
  /** One route for each operation of the contract, and one for everything else below /v1/. */
  routes: MockRoute[]
  /** Answers and logs a request as its route does, but returns its entry in the log. */
  answer(request: Omit<MockRequest, 'params'>): Promise<StoredEntry>
}

export function operationRoutes(options: Options): OperationRoutes {
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
      return options.passesUnknown && !route(method, path).allow?.length ? undefined : {}
    },
    resolve: (request) => resolve(options, request),
  }
  return {
    routes: [...known, unknown],
    async answer(request) {
      const { operation, params = {} } = route(request.request.method, request.path)
      return (await answer(options, { ...request, params }, operation)).entry
    },
  }
}

async function resolve(
  options: Options,
  request: MockRequest,
  operation?: OperationName,
): Promise<MockReply | undefined> {
  const { reply, fault } = await answer(options, request, operation)
  if (fault === 'hang') await abortableDelay(Number.POSITIVE_INFINITY, request.request.signal)
  return reply
}

/** Waits for the delay that is configured or drawn, runs the operation, if there is one, and logs the outcome. */
async function answer(
  options: Options,
  mockRequest: MockRequest,
  operation?: OperationName,
): Promise<Answer> {
  const startedAt = performance.now()
  const { personas, delays, log, space, docsUrl } = options
  const { request, path, body, cookies, marker } = mockRequest
  const { method, headers } = request

  // Drawn as the request arrives: delays do not change the order.
  const drawn = options.chaos.draw(operation)
  const delay = drawn?.delay ?? delays.draw(operation)
  const isAborted = delay > 0 && (await abortableDelay(delay, request.signal))
  const caller = await personas.resolveCaller(cookies, marker)
  const recorder = options.record(operation ?? method)
  const result: ScenarioResult = isAborted
    ? { fault: 'drop', why: 'the client gave up' }
    : await run(options, mockRequest, caller, recorder, operation, drawn)
  const { fault, why } = result
  const reply =
    result.own ??
    (result.reply &&
      toJsonReply(result.reply, path, (code) => docsUrl(code, headers.get('host') ?? undefined)))

  const entry = log.add({
    time: new Date().toISOString(),
    ...(space !== undefined && { space }),
    method,
    path,
    operation,
    session: caller.session?.id,
    status: reply?.status ?? 0,
    code: result.reply?.code,
    why,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    ...recorder.positions(),
    exchange: {
      request: {
        url: loggedUrl(request.url, operation),
        headers: loggedHeaders(headers),
        cookie: caller.loggedCookie,
        body: options.logsBodies ? requestBody(body) : undefined,
      },
      ...(reply && {
        response: { headers: reply.headers, body: options.logsBodies ? responseBody(reply.body) : undefined },
      }),
    },
  })
  recorder.setEntry(entry.id)
  await options.onRequest(entry)
  return { entry, reply, fault }
}

/** The query string may hold a secret, unless it is that of the operation. */
const loggedUrl = (url: string, operation?: OperationName): string =>
  url.replace(operation && 'query' in operations[operation] ? /#.*$/s : /[?#].*$/s, '')

async function run(
  { runScenario, unknown }: Options,
  { request: { method, headers, url }, path, params, body }: MockRequest,
  { session, loggedCookie }: Caller,
  recorder: Recorder,
  operation?: OperationName,
  chaos?: ChaosDraw,
): Promise<ScenarioResult> {
  if (!operation) {
    const reply = unknown(method, path)
    return { reply, why: explain(reply) }
  }
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

import type { ErrorCode } from '../../contract/errors.js'
import { type OperationName, operationNames, operations } from '../../contract/operations.js'
import { route } from '../../contract/route.js'
import { type DocsUrl, type Reply, replyBody } from '../../handlers/reply.js'
import { curlLine } from '../../pages/curl-line.js'
import { abortableDelay, type Delays } from './delays.js'
import { explain } from './explain.js'
import type { MockReply, MockRequest, MockRoute } from './mock-handler.js'
import type { Caller, Personas } from './personas.js'
import type { Log, LogEntry } from './request-log.js'
import type { ScenarioResult, ScenarioRunner } from './scenario-runner.js'

/** Serializes the body of a reply, as `replyBody` makes it. */
export const toJsonReply = (reply: Reply, path: string, docsUrl: DocsUrl): MockReply => ({
  status: reply.status,
  headers: reply.headers,
  body: JSON.stringify(replyBody(reply, path, docsUrl)),
})

type Options = {
  runScenario: ScenarioRunner
  /** The reply for a path or method that the interface does not have. */
  unknown(method: string, path: string): Reply
  personas: Personas
  delays: Delays
  log: Log
  space?: string
  /** Returns the address of the page about an error code. @param host the Host header of the request */
  docsUrl(code: ErrorCode, host: string | undefined): string
  onRequest(entry: LogEntry): void | Promise<void>
  /** Whether paths below /v1/ that the interface does not have are left to other handlers. */
  passesUnknown: boolean
}

/** One route for each operation of the contract, and one for everything else below /v1/. */
export function operationRoutes(options: Options): MockRoute[] {
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
  return [...known, unknown]
}

/** Waits for the configured delay, runs the operation, if there is one, and logs the outcome. */
async function resolve(
  options: Options,
  mockRequest: MockRequest,
  operation?: OperationName,
): Promise<MockReply | undefined> {
  const startedAt = performance.now()
  const { personas, delays, log, space, docsUrl, onRequest } = options
  const { request, path, body, cookie, marker } = mockRequest
  const { method, headers } = request

  const delay = delays.draw(operation)
  const isAborted = delay > 0 && (await abortableDelay(delay, request.signal))
  const caller = await personas.resolveCaller(cookie, marker)
  const { reply, fault, why }: ScenarioResult = isAborted
    ? { fault: 'drop', why: 'the client gave up' }
    : await run(options, mockRequest, caller, operation)

  const entry = log.add({
    time: new Date().toISOString(),
    ...(space !== undefined && { space }),
    method,
    path,
    operation,
    session: caller.session?.id,
    status: reply?.status ?? 0,
    code: reply?.code,
    why,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    curl: curlLine({
      method,
      url: request.url.replace(/[?#].*$/s, ''),
      cookie: caller.loggedCookie,
      headers: {
        'content-type': headers.get('content-type'),
        prefer: headers.get('prefer'),
        'x-mock-space': space ?? null,
      },
      body,
    }),
  })
  await onRequest(entry)
  if (reply) return toJsonReply(reply, path, (code) => docsUrl(code, headers.get('host') ?? undefined))
  if (fault === 'hang') await abortableDelay(Number.POSITIVE_INFINITY, request.signal)
  return undefined
}

async function run(
  { runScenario, unknown }: Options,
  { request: { method, headers }, path, params, body }: MockRequest,
  { session, loggedCookie }: Caller,
  operation?: OperationName,
): Promise<ScenarioResult> {
  if (!operation) {
    const reply = unknown(method, path)
    return { reply, why: explain(reply) }
  }
  const call = {
    contentType: headers.get('content-type') ?? undefined,
    bytes: async (limit: number) => (body.length > limit ? undefined : body),
    params,
    session: async () => session,
  }
  return runScenario(operation, {
    call,
    session: session?.id,
    cookie: loggedCookie,
    prefer: headers.get('prefer'),
  })
}

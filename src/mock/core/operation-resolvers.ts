import { type OperationName, operationNames, operations } from '../../contract/operations.js'
import { route } from '../../contract/route.js'
import type { Reply } from '../../handlers/reply.js'
import { curlLine } from '../../pages/curl-line.js'
import { abortableDelay, type Delays } from './delays.js'
import { explain } from './explain.js'
import type { MockReply, MockRequest, MockRoute } from './mock-handler.js'
import type { Caller, Personas } from './personas.js'
import type { Log, LogEntry } from './request-log.js'
import type { ScenarioResult, ScenarioRunner } from './scenario-runner.js'

/** A reply with its body in JSON; a HEAD has its headers alone. */
export const inJson = ({ status, headers, body }: Reply, method: string): MockReply => ({
  status,
  headers,
  body: method === 'HEAD' ? null : JSON.stringify(body),
})

type Options = {
  stage: ScenarioRunner
  /** The answer for what the interface does not have. */
  unknown(method: string, path: string): Reply
  personas: Personas
  delays: Delays
  log: Log
  space?: string
  onRequest(entry: LogEntry): void | Promise<void>
}

/** One route an operation of the contract's table, and one for what lies below /v1/ and is not in it. */
export function operationRoutes(options: Options): MockRoute[] {
  const known = operationNames.map((name): MockRoute => {
    const { method, path } = operations[name]
    return {
      method,
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      match(method, path) {
        const found = route(method, path)
        return found.operation === name ? found.params : undefined
      },
      resolve: (request) => answer(options, request, name),
    }
  })
  const unknown: MockRoute = {
    method: 'ALL',
    path: '/v1/*',
    match: (_, path) => (path.startsWith('/v1/') ? {} : undefined),
    resolve: (request) => answer(options, request),
  }
  return [...known, unknown]
}

/** Answers a request to an operation, or to none, and notes what came of it. */
async function answer(
  options: Options,
  request: MockRequest,
  operation?: OperationName,
): Promise<MockReply | undefined> {
  const started = performance.now()
  const { personas, delays, log, space, onRequest } = options
  const { method, url, path, headers, body, cookie, signal } = request

  const hasLeft = await abortableDelay(delays.draw(operation), signal)
  const caller = await personas.callerOf(cookie)
  const { reply, fault, why }: ScenarioResult = hasLeft
    ? { fault: 'drop', why: 'the client gave up' }
    : await perform(options, request, caller, operation)

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
    ms: Math.round((performance.now() - started) * 10) / 10,
    curl: curlLine({
      method,
      url: `${url.origin}${url.pathname}`,
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
  if (reply) return inJson(reply, method)
  if (fault === 'hang') await abortableDelay(Number.POSITIVE_INFINITY, signal)
  return undefined
}

async function perform(
  { stage, unknown }: Options,
  { method, path, headers, params, body }: MockRequest,
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
  return stage(operation, { call, session: session?.id, cookie: loggedCookie, prefer: headers.get('prefer') })
}

import { type OperationName, operationNames, operations } from '../../contract/operations.js'
import { route } from '../../contract/route.js'
import type { Reply } from '../../handlers/reply.js'
import { curlLine } from '../../pages/curl-line.js'
import { type Delays, waited } from './delays.js'
import type { Log, LogEntry } from './log.js'
import type { MockReply, MockRequest, MockRoute } from './mock-handler.js'
import type { Personas } from './personas.js'
import type { Performance, Stage } from './stage.js'
import { whyOf } from './why.js'

/** A reply with its body in JSON; a HEAD has its headers alone. */
export const inJson = ({ status, headers, body }: Reply, method: string): MockReply => ({
  status,
  headers,
  body: method === 'HEAD' ? null : JSON.stringify(body),
})

type Options = {
  stage: Stage
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
      match(method, url) {
        const found = route(method, url.pathname)
        return found.operation === name ? found.params : undefined
      },
      resolve: (incoming) => answer(options, incoming, name),
    }
  })
  const unknown: MockRoute = {
    method: 'ALL',
    path: '/v1/*',
    match: (_, url) => (url.pathname.startsWith('/v1/') ? {} : undefined),
    resolve: (incoming) => answer(options, incoming),
  }
  return [...known, unknown]
}

/** Answers a request to an operation, or to none, and notes what came of it. */
async function answer(
  options: Options,
  incoming: MockRequest,
  operation?: OperationName,
): Promise<MockReply | undefined> {
  const started = performance.now()
  const { personas, delays, log, space, onRequest } = options
  const { request, url, cookie } = incoming
  const { method, headers, signal } = request
  const path = url.pathname
  const told = await personas.tellable(cookie)
  const session = (await personas.resolve(cookie))?.id
  const body = new Uint8Array(await request.arrayBuffer())

  const { reply, fault, why }: Performance = (await waited(delays.draw(operation), signal))
    ? { fault: 'drop', why: 'the client gave up' }
    : await perform(options, incoming, body, { operation, session, told })

  const entry = log.add({
    time: new Date().toISOString(),
    ...(space !== undefined && { space }),
    method,
    path,
    operation,
    session,
    status: reply?.status ?? 0,
    code: reply?.code,
    why,
    ms: Math.round((performance.now() - started) * 10) / 10,
    curl: curlLine({
      method,
      url: `${new URL(request.url).origin}${new URL(request.url).pathname}`,
      cookie: told,
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
  if (fault === 'hang') await waited(Number.POSITIVE_INFINITY, signal)
  return undefined
}

type Known = { operation?: OperationName; session?: string; told?: string }

async function perform(
  { stage, unknown, personas }: Options,
  { request, url, params, cookie }: MockRequest,
  body: Uint8Array,
  { operation, session, told }: Known,
): Promise<Performance> {
  if (!operation) {
    const reply = unknown(request.method, url.pathname)
    return { reply, why: whyOf(reply) }
  }
  const call = {
    contentType: request.headers.get('content-type') ?? undefined,
    bytes: async (limit: number) => (body.length > limit ? undefined : body),
    params,
    session: () => personas.resolve(cookie),
  }
  return stage(operation, { call, session, cookie: told, prefer: request.headers.get('prefer') })
}

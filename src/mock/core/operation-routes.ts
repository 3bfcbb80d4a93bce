import { HttpResponse } from 'msw'
import { operationNames, operations } from '../../contract/operations.js'
import { route } from '../../contract/route.js'
import type { Api } from '../../handlers/api.js'
import type { Session } from '../../handlers/handler.js'
import type { Reply } from '../../handlers/reply.js'
import type { MockRequest, MockRoute } from './mock-handler.js'

/** A reply as a Fetch Response; a HEAD has its headers alone. */
export const toResponse = ({ status, headers, body }: Reply, method: string): Response =>
  new HttpResponse(method === 'HEAD' ? null : JSON.stringify(body), { status, headers })

/** What was asked, by whom, and what came of it: a line of the log. */
export type RequestEntry = {
  method: string
  path: string
  status: number
  /** The error code, where one was answered. */
  code?: string
  /** The persona's name, where one was signed in. */
  session?: string
  /** How long it took, in milliseconds. */
  ms: number
}

type Options = {
  api: Api
  resolveSession(cookie: string | undefined): Promise<Session | undefined>
  onRequest(entry: RequestEntry): void | Promise<void>
}

/** One route an operation of the contract's table, and one for what lies below /v1/ and is not in it. */
export function operationRoutes({ api, resolveSession, onRequest }: Options): MockRoute[] {
  const answer = async (
    incoming: MockRequest,
    reply: (session: () => Promise<Session | undefined>) => Promise<Reply>,
  ) => {
    const started = performance.now()
    let session: Session | undefined
    const { status, headers, body, code } = await reply(async () => {
      session = await resolveSession(incoming.cookie)
      return session
    })
    const { method } = incoming.request
    const ms = Math.round((performance.now() - started) * 10) / 10
    await onRequest({ method, path: incoming.url.pathname, status, code, session: session?.id, ms })
    return toResponse({ status, headers, body }, method)
  }

  const known = operationNames.map((name): MockRoute => {
    const { method, path } = operations[name]
    return {
      method,
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      match(method, url) {
        const found = route(method, url.pathname)
        return found.operation === name ? found.params : undefined
      },
      resolve: (incoming) =>
        answer(incoming, (session) =>
          api.call(name, { ...bodyOf(incoming.request), params: incoming.params, session }),
        ),
    }
  })
  const unknown: MockRoute = {
    method: 'ALL',
    path: '/v1/*',
    match: (_, url) => (url.pathname.startsWith('/v1/') ? {} : undefined),
    resolve: (incoming) =>
      answer(incoming, async () => api.unknown(incoming.request.method, incoming.url.pathname)),
  }
  return [...known, unknown]
}

const bodyOf = (request: Request) => ({
  contentType: request.headers.get('content-type') ?? undefined,
  async bytes(limit: number) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    return bytes.length > limit ? undefined : bytes
  },
})

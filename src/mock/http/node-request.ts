import { requestHost } from '../../http/request-target.js'
import { noticeAbort } from '../engine/notice-abort.js'
import { isBodiless, noBytes, type SentRequest } from '../engine/sent-request.js'
import { handlerCalls, handlersHeader } from './handler-calls.js'
import { BodyError, bodyOf, maxHandlerBytes, type NodeBody } from './node-body.js'
import type { NodeRequest, NodeResponse } from './node-types.js'

/** Methods that a Fetch Request refuses. */
export const isForbiddenMethod = (method: string): boolean => /^(CONNECT|TRACE|TRACK)$/i.test(method)

/** The headers as Node parses them: the first value of single ones, such as Content-Type; others are joined. */
export function headersOf(incoming: NodeRequest): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name in incoming.headers) {
    // HTTP/2 pseudo-headers: method, path and host.
    if (!name.startsWith(':')) headers[name] = String(incoming.headers[name])
  }
  if (incoming.headers[':authority']) headers.host = requestHost(incoming)
  return headers
}

/**
 * Converts a request to a Node server.
 * @param isGuest as a guest of another server, the mock does not read the body for its log
 */
export function sentByNode(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  url: string,
  baseUrl: string,
  isGuest: boolean,
): SentRequest {
  const { method = 'GET' } = incoming
  const headers = headersOf(incoming)
  const body = bodyOf(incoming)
  let signal: AbortSignal | undefined
  let request: Request | undefined
  const sent: SentRequest = {
    method,
    url,
    headers,
    // Clients of a server keep their own cookies.
    credentials: 'include',
    get signal() {
      signal ??= disconnectSignal(outgoing)
      return signal
    },
    noticeAbort: () => noticeAbort(sent.signal),
    async bytes(limit) {
      if (isBodiless(method)) return noBytes
      try {
        const bytes = body.whole() ?? (await body.take(limit))
        return bytes.length > limit ? undefined : bytes
      } catch (error) {
        if (error instanceof BodyError && error.status === 413) return undefined
        throw error
      }
    },
    peek() {
      if (isBodiless(method)) return noBytes
      const whole = body.whole()
      return whole || isGuest ? whole : body.borrow(maxHandlerBytes).catch(() => undefined)
    },
    toFetch() {
      // A handler may read it, and leave the request to the next one.
      if (request === undefined || request.bodyUsed) request = new ClientRequest(sent, body)
      return { request, requestId: nextId(), resolutionContext: { baseUrl, quiet: true } }
    },
    calls: handlerCalls(headers, baseUrl),
    fault: body.fault,
  }
  return sent
}

let lastId = 0
const nextId = () => {
  lastId += 1
  return String(lastId)
}

/**
 * A Request that keeps its URL: a Request would resolve dot segments and replace backslashes. Its signal, which follows the
 * connection, is made on demand. A handler reads its body.
 */
class ClientRequest extends Request {
  readonly #sent: SentRequest

  constructor(sent: SentRequest, body: NodeBody) {
    const { url, method, headers } = sent
    super(url, {
      method,
      headers: headersOfPage(headers),
      ...(!isBodiless(method) && { body: streamOf(body), duplex: 'half' }),
    })
    this.#sent = sent
  }

  override get url(): string {
    return this.#sent.url
  }

  override get signal(): AbortSignal {
    return this.#sent.signal
  }
}

/** The headers of a connection, which no page sees or sets: a handler may pass the others on to another server. */
const ofConnection = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
)

const headersOfPage = (headers: SentRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.has(name) && name !== handlersHeader),
  ) as Record<string, string>

/** A stream of bytes does not read ahead, also when it is cloned. */
const streamOf = (body: NodeBody): ReadableStream<Uint8Array> =>
  new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const bytes = await body.borrow(maxHandlerBytes)
      // A copy, since the stream detaches it.
      if (bytes.length > 0) controller.enqueue(bytes.slice())
      controller.close()
      controller.byobRequest?.respond(0)
    },
  })

function disconnectSignal(outgoing: NodeResponse): AbortSignal {
  const controller = new AbortController()
  if (outgoing.destroyed || outgoing.stream?.destroyed) controller.abort()
  else outgoing.once('close', () => controller.abort())
  return controller.signal
}

import { createServer, type RequestListener } from 'node:http'
import { operationMethods } from '../contract/route.js'
import { type DocsUrl, operationalReply } from '../handlers/reply.js'
import { endWithReply, handleClientError } from './client-error.js'
import { type ConnectionLimits, trackConnections } from './connections.js'

/** Times in milliseconds. */
const timeouts = {
  /** The time between requests; proxies keep a connection for less. */
  keepAliveTimeout: 72_000,
  /** The time limits of a request's headers, and of the whole request. */
  headersTimeout: 15_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
}

/**
 * The queue of connections to accept: the maximum of Linux by default. When a flood fills the queue (Node's default is 511),
 * clients wait for a second or more until the system retries.
 */
export const backlog = 4096

export type HttpServerOptions = {
  docsUrl: DocsUrl
  /** The headers of responses to data that is not a request. */
  headers?: Record<string, string>
  /** By default there are no limits. */
  limits?: Partial<ConnectionLimits>
}

/**
 * Creates a server that passes requests on unchanged. It answers with the error body (section 2.4) where Node would drop data
 * or send an empty response: data that is not HTTP, a missing Host header (see `validateHost`), CONNECT, an unknown Expect
 * header, and many headers.
 */
export function createHttpServer({ docsUrl, headers = {}, limits }: HttpServerOptions) {
  const server = createServer({ ...timeouts, requireHostHeader: false })
  // By default Node drops headers beyond a number, also those that are checked. Their size is limited.
  server.maxHeadersCount = 0
  const connections = trackConnections(server, limits)

  // By default Node replies to an unknown Expect header with an empty 417. It is ignored instead.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // An interim response must not be written into a pending response.
  server.on('checkContinue', (request, response) => {
    if (connections.pendingOn(request.socket).length === 0) response.writeContinue()
    server.emit('request', request, response)
  })
  // By default Node closes the connection of a CONNECT request without a response.
  server.on('connect', (_request, socket) => {
    // Node has removed its own listener.
    socket.on('error', () => socket.destroy())
    const refuse = () => {
      const allow = operationMethods.join(', ')
      if (socket.writable) {
        endWithReply(socket, operationalReply('METHOD_NOT_ALLOWED', { allow }), docsUrl, headers)
      }
    }
    const last = connections.pendingOn(socket).at(-1)
    if (last) last.once('close', refuse)
    else refuse()
  })
  server.on('clientError', (error, socket) =>
    handleClientError(error, socket, connections.pendingOn, docsUrl, headers),
  )

  return {
    server,
    connections,
    setListener(handle: RequestListener): void {
      server.on('request', (request, response) => {
        // Node also passes on requests that it had read before the connection was closed.
        if (!request.socket.destroyed) handle(request, response)
      })
    },
  }
}

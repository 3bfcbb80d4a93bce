import { createServer, type RequestListener } from 'node:http'
import { operationMethods } from '../contract/route.js'
import { type DocsUrl, operationalReply } from '../handlers/reply.js'
import { endWithReply, handleClientError } from './client-error.js'
import { type ConnectionLimits, trackConnections } from './connections.js'

/** Times in milliseconds. */
const timeouts = {
  /** How long a connection is kept between requests: longer than proxies keep it. */
  keepAliveTimeout: 72_000,
  /** For the headers of a request to arrive, and for the whole request. */
  headersTimeout: 15_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
}

/**
 * How many new connections the system lets wait until they are accepted: the most that Linux allows by default. When a flood of
 * connections fills the queue (511 by default of Node), a client waits a second and more until the system tries again.
 */
export const backlog = 4096

export type HttpServerOptions = {
  docsUrl: DocsUrl
  /** The headers of the responses to what does not become a request. */
  headers?: Record<string, string>
  /** The limits of connections; unlimited, if left out. */
  limits?: Partial<ConnectionLimits>
}

/**
 * Creates a server that passes requests on as they were sent, and answers with the error body (section 2.4) where Node
 * would answer with none or drop something: data that is not HTTP, a missing Host header (see `validateHost`), CONNECT,
 * an unknown Expect header, and headers beyond a number of them.
 */
export function createHttpServer({ docsUrl, headers = {}, limits }: HttpServerOptions) {
  const server = createServer({ ...timeouts, requireHostHeader: false })
  // By default Node drops headers beyond a number of them, also those that are checked. Their size is limited.
  server.maxHeadersCount = 0
  const connections = trackConnections(server, limits)

  // By default Node replies to an unknown Expect header with an empty 417. It is ignored instead.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // An interim response must not be written into the middle of the pipelined response before it.
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
        // Node also passes on the requests that it had read when the connection was closed.
        if (!request.socket.destroyed) handle(request, response)
      })
    },
  }
}

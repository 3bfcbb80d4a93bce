import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server as NetServer } from 'node:net'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { decodableUrl } from '../contract/route.js'
import { operationalReply, type Reply, unreadableReply } from '../handlers/reply.js'
import type { ConnectionLimits } from './connections.js'
import { type CrossSiteOptions, guardCrossSite } from './cross-site.js'
import { longParameters } from './fastify-versions.js'
import { backlog, createHttpServer } from './http-server.js'
import { listenAt } from './loopback-server.js'
import { registerPages } from './page-routes.js'
import { requestTarget } from './request-target.js'
import { type DocsUrlFor, decorateReplies, prepareReply, sendReply } from './send-reply.js'
import { stopListening } from './stop-listening.js'
import { validateHost } from './validate-host.js'

/**
 * The shell around the routes of both servers, production and the mock: a Fastify instance whose server answers every
 * request with an error body where Node would not, with limits of connections, security headers, checks of the host and of
 * other sites, pages, and a drain that fails no request.
 *
 * How an adapter uses it:
 *
 *     const shell = createShell({ docsUrl, headers, crossSite, answerUnrouted })
 *     shell.app.get('/healthz', …)                    // routes, hooks and plugins, as in every Fastify application
 *     await shell.app.listen({ host, port })
 *     await shell.drain({ idleGraceMs, drainMs })     // then the adapter closes what its routes use
 *
 * As a guest of another server, such as Vite's, it does not listen:
 *
 *     await shell.app.ready()
 *     shell.handle(incoming, outgoing, next)          // `reply.leave()` runs `next`: nothing was read or written
 *
 * - `answerUnrouted` gets each request that no route takes, with any method. Like every handler it returns the body, after
 *   `prepareReply` for a reply of the interface.
 * - Then its body is unread: `request.raw` is Node's stream. A route has Fastify's parsers.
 * - `request.originalUrl` is the target as it was sent. `request.raw.url` may have been made decodable for the router.
 * - A response that Fastify refuses to send (a status over 599, a network error) is written to `reply.raw` after
 *   `reply.hijack()`. `reply.getHeaders()` has the headers of the shell.
 *
 * Not @fastify/helmet: every response has the same headers, those of an API, also a response to invalid HTTP.
 */
export type Shell = ReturnType<typeof createShell>

export type ShellOptions = {
  docsUrl: DocsUrlFor
  /** The headers of every response, also to invalid HTTP. A response may override them. */
  headers?: Record<string, string>
  /** Returns why a client may not call the server by a host. By default every host is accepted. */
  refuseHost?(host: string): string | undefined
  /** The checks of requests from other sites. By default there are none: a plugin in the shell makes them. */
  crossSite?: CrossSiteOptions
  /** Registers hooks before those of the shell, such as an access log that includes refused requests. */
  registerFirst?(app: FastifyInstance): void
  /** Serve the description of the interface and the pages about errors. */
  pages?: boolean
  /** Answers requests that no route takes. By default with 404. */
  answerUnrouted?(request: FastifyRequest, reply: FastifyReply): unknown
  /** The reply to a failed request. Default: INTERNAL_ERROR. */
  onError?(error: unknown, request: FastifyRequest, reply: FastifyReply): Reply
  /** By default there are no limits. */
  connections?: Partial<ConnectionLimits>
  /** The time after which an inactive connection is closed, in milliseconds. Default: never. */
  inactivityMs?: number
  fastify?: FastifyServerOptions
}

/** No route has a JSON schema. Fastify would load its compilers at each start, with Ajv. */
const buildNone = () => {
  throw new Error('A route of this server has no JSON schema.')
}

export function createShell(options: ShellOptions) {
  const { docsUrl, headers = {}, refuseHost, crossSite, answerUnrouted, inactivityMs = 0 } = options
  const { server, connections, setListener } = createHttpServer({
    docsUrl: (code) => docsUrl(code),
    headers,
    limits: options.connections,
  })
  server.setTimeout(inactivityMs)

  const app: FastifyInstance = fastify({
    ...options.fastify,
    serverFactory(handle) {
      setListener(handle)
      return server
    },
    // The server handles these errors itself.
    clientErrorHandler() {},
    ...longParameters(),
    schemaController: { compilersFactory: { buildValidator: buildNone, buildSerializer: buildNone } },
    // A request that arrives while the server closes is answered, and its connection closed.
    return503OnClosing: false,
    // Fastify would answer a path that cannot be decoded without running the hooks. It is routed as sent.
    frameworkErrors(_error, { raw }, reply) {
      const { url } = raw
      const decodable = decodableUrl(requestTarget(url))
      // A target that still cannot be routed, such as `http://`, becomes an unknown path, or this would be called again.
      Object.assign(raw, { originalUrl: url, url: decodable === url ? '/' : decodable })
      app.routing(raw, reply.raw)
    },
  })
  app.addHook('preClose', async () => connections.drain())
  decorateReplies(app, docsUrl)

  options.registerFirst?.(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    const fault = validateHost(request.raw)
    if (fault) return void sendReply(reply, unreadableReply(400, fault))
    const message = refuseHost?.(request.host)
    if (message) return void sendReply(reply, { ...operationalReply('CROSS_SITE_REFUSED'), message })
    done()
  })
  if (crossSite) guardCrossSite(app, crossSite)
  const answer = async (request: FastifyRequest, reply: FastifyReply) =>
    answerUnrouted ? answerUnrouted(request, reply) : prepareReply(reply, operationalReply('NOT_FOUND'))
  // Without a parser Fastify leaves a body unread, but checks its type.
  app.removeAllContentTypeParsers()
  app.setNotFoundHandler(answer)
  app.setErrorHandler((error, request, reply) =>
    request.is404 && isRefusedBody(error)
      ? answer(request, reply)
      : sendReply(reply, options.onError?.(error, request, reply) ?? operationalReply('INTERNAL_ERROR')),
  )
  if (options.pages) registerPages(app)

  let second: NetServer | undefined
  // Stored, since a closing server has no address any more and still responds.
  let origin = ''
  app.addHook('onListen', async () => {
    origin = app.listeningOrigin
  })
  const hosts = new WeakMap<IncomingMessage, () => void>()
  app.decorateReply('leave', function leave(this: FastifyReply): boolean {
    const next = hosts.get(this.request.raw)
    if (next) {
      this.hijack()
      next()
    }
    return next !== undefined
  })

  return {
    app,
    connections,
    /** The origin for clients; empty before the server listens. */
    origin: (): string => origin,
    /** Listens, with the host `localhost` on both loopback addresses. */
    async listen(address: { host: string; port: number }): Promise<void> {
      const listening = await listenAt(app, { ...address, backlog })
      second = listening.second
      origin = listening.origin
    },
    /** Answers a request of another server. The instance is ready. @param next called by `reply.leave()` */
    handle(incoming: IncomingMessage, outgoing: ServerResponse, next: () => void): void {
      hosts.set(incoming, next)
      app.routing(incoming, outgoing)
    },
    /**
     * Stops listening, finishes the requests in flight, and closes the instance.
     * @param times.idleGraceMs how long to wait for the next request on each kept-alive connection. That request is answered
     *   with `Connection: close`; closing the connection at once could reset a request on its way.
     * @param times.drainMs the time limit of requests in flight
     */
    async drain({ idleGraceMs, drainMs }: { idleGraceMs: number; drainMs: number }): Promise<void> {
      const deadline = setTimeout(connections.destroy, drainMs)
      // First stop listening: a client whose connection is closed after a response opens another one.
      await Promise.all([stopListening(app.server), second && stopListening(second)])
      connections.drain()
      await connections.emptied(Math.min(idleGraceMs, drainMs))
      const closed = app.close()
      connections.finish()
      await closed
      clearTimeout(deadline)
    },
  }
}

/** Whether Fastify refused a body, for its size or type. */
export const isRefusedBody = (error: unknown): boolean =>
  /^FST_ERR_(CTP_(BODY_TOO_LARGE|INVALID_MEDIA_TYPE)|ROUTE_MISSING_CONTENT_TYPE)$/.test(
    String(Object(error).code),
  )

declare module 'fastify' {
  interface FastifyReply {
    /** Passes a request on to the server around the shell. Returns false if there is none. */
    leave(): boolean
  }
}

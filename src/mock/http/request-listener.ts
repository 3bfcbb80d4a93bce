import { getResponse, HttpResponse, type RequestHandler } from 'msw'
import { corsHeaders, preflightHeaders } from '../../contract/cors.js'
import { isLoopbackOrigin } from '../../contract/loopback.js'
import { maxBodyBytes } from '../../contract/operations.js'
import { hasHost, isCrossSite, isCrossSiteChange, type Sender } from '../../contract/page-origin.js'
import { operationalReply, type Reply, unreadableReply } from '../../handlers/reply.js'
import { requestTarget, targetPath } from '../../http/request-target.js'
import { validateHost } from '../../http/validate-host.js'
import { documents } from '../../pages/documents.js'
import { allowedOrigins } from '../core/allowed-origins.js'
import { ControlError } from '../core/control-error.js'
import type { MockApi } from '../core/mock-api.js'
import { toResponse } from '../core/mock-handler.js'
import { keepAsSent } from '../core/sent-request.js'
import { twoSites } from '../core/two-sites.js'
import { isPassthrough } from '../core/wrapped-handler.js'
import { workbenchFile } from '../workbench-page.js'
import { withCommonHeaders } from './common-headers.js'
import { controlHeader, followPath } from './control-endpoints.js'
import { control, controlPath, controlRefusal, json, maxControlBytes } from './control-routes.js'
import { isKnownHost } from './known-host.js'
import {
  headersOf,
  isForbiddenMethod,
  type NodeRequest,
  type NodeResponse,
  requestHost,
  sendResponse,
  toRequest,
} from './node-http.js'
import type { Spaces } from './spaces.js'
import { createLogStreams } from './stream-log.js'

export type ListenerOptions = {
  spaces: Spaces
  /** The base URL of the mocks' handlers. */
  url: string
  /** The origins whose pages may use the mock from there. Defaults to every loopback origin. */
  allowedOrigins?: readonly string[]
  /** The host names and addresses by which clients may call the mock, beside loopback. Defaults to any. */
  hosts?: readonly string[]
  /** Called with the first loopback origin that is allowed by default. Production would refuse it. */
  onCrossOrigin?(origin: string): void
  /** Called with the first advice for a page that has another name of this machine than the mock. */
  onTwoSites?(advice: string): void
  /** Called with each unexpected error. Defaults to `console.error`. */
  onError?(error: unknown): void
}

export type RequestListener = ReturnType<typeof createRequestListener>

export function createRequestListener(options: ListenerOptions) {
  const { spaces, url: baseUrl, onError = console.error } = options
  const isAllowedFor = allowedOrigins(options.allowedOrigins)
  const streamLog = createLogStreams()
  let onCrossOrigin = options.allowedOrigins ? undefined : options.onCrossOrigin
  let { onTwoSites } = options

  /** The responses of handlers that are not the mock's: their headers are those that their authors wrote. */
  const asWritten = new WeakSet<Response>()
  const keepHeaders = (response: Response | undefined) => {
    if (response) asWritten.add(response)
    return response
  }

  const refuse = ({ method = 'GET', url }: NodeRequest, reply: Reply, host?: string): Response =>
    spaces.common.respond(reply, method, targetPath(url), host)

  /** Lets pages of allowed origins read a response. From any other page, a browser withholds it. */
  const allowOrigin = (response: Response, { origin, host }: Sender): Response => {
    if (response.type === 'error' || origin === undefined || !isAllowedFor(host)(origin)) return response
    for (const [name, value] of Object.entries(corsHeaders(origin))) {
      // A handler of one's own may have named others.
      if (name === 'access-control-expose-headers') response.headers.append(name, value)
      else response.headers.set(name, value)
    }
    return response
  }

  const respond = async (
    incoming: NodeRequest,
    outgoing: NodeResponse,
    isPart: boolean,
  ): Promise<Response | undefined> => {
    const { method = 'GET' } = incoming
    const fault = validateHost(incoming)
    if (fault) return refuse(incoming, unreadableReply(400, fault))
    const host = requestHost(incoming)
    if (options.hosts && !isKnownHost(host, options.hosts)) {
      const message = `The mock does not know the host ${host}. Start it with --allowed-host to use this name.`
      return refuse(incoming, { ...operationalReply('CROSS_SITE_REFUSED'), message })
    }
    const target = requestTarget(incoming.url)
    const url = `${baseUrl}${target}`
    const pathname = targetPath(target)
    const sender = senderOf(incoming)
    const isAllowed = isAllowedFor(sender.host)
    const isControl = pathname.startsWith(controlPath)
    if (
      isControl
        ? isCrossSite(sender, { isAllowed: isLoopbackOrigin, isOwn: hasHost })
        : !isSignIn(method, pathname, sender) &&
          isCrossSiteChange(method, sender, { isAllowed, isOwn: hasHost })
    ) {
      return spaces.common.refuseCrossSite(method, pathname, sender)
    }
    const { origin } = sender
    if (origin !== undefined && onCrossOrigin && isAllowed(origin) && !hasHost(origin, sender.host)) {
      onCrossOrigin(origin)
      onCrossOrigin = undefined
    }
    const advice = onTwoSites && twoSites(origin, sender.host)
    if (advice) {
      onTwoSites?.(advice)
      onTwoSites = undefined
    }
    if (isForbiddenMethod(method) || !target.startsWith('/')) {
      return allowOrigin(spaces.common.unknown(method, pathname, sender.host), sender)
    }
    // The page may be read from other machines; it does nothing without the control plane, which refuses them.
    const page =
      /^(GET|HEAD)$/.test(method) &&
      (await workbenchFile(pathname === '/' && !isPart ? controlPath : pathname))
    if (page) return page
    if (isControl) {
      const refusal = controlRefusal(incoming)
      if (refusal) return json({ error: refusal }, 403)
      const request = await toRequest(incoming, outgoing, url, maxControlBytes)
      const { controls } = spaces.forRequest(request.headers)
      return pathname === followPath && method === 'GET'
        ? streamLog(request, controls)
        : control(request, controls, spaces.controls)
    }

    const limit = spaces.common.own().length > 0 ? maxControlBytes : maxBodyBytes
    const request = await toRequest(incoming, outgoing, url, limit)
    const { headers } = request
    const mock = spaces.forRequest(headers)
    const takesAny = mock.own().length > 0 || !pathname.startsWith('/v1/')
    const preflight =
      origin !== undefined && isAllowed(origin)
        ? preflightHeaders(method, incoming.headers, takesAny)
        : undefined
    const response =
      (preflight && new Response(null, { status: 204, headers: preflight })) ??
      (await ownResponse(mock, request, baseUrl).then(keepHeaders)) ??
      (isPart ? undefined : documentAt(request, pathname)) ??
      (await getResponse(mock.handlers, request)) ??
      (await mock.unanswered(
        request,
        isPart && /^(GET|HEAD)$/.test(method) ? undefined : mock.unknown(method, pathname, sender.host),
      ))
    return response && allowOrigin(response, sender)
  }

  /**
   * Answers a request from the mocks. It never rejects.
   * @param next called for GET and HEAD if no handler answers, in place of 404. With it, the mock is part of another
   * server, and leaves the documents and the page at `/` to that one.
   */
  const answer = async (incoming: NodeRequest, outgoing: NodeResponse, next?: () => void): Promise<void> => {
    try {
      const response = await respond(incoming, outgoing, next !== undefined).catch((error) => {
        if (incoming.aborted) return undefined
        if (error instanceof ControlError) return refuse(incoming, spaceRefusal(error), requestHost(incoming))
        onError(error)
        const message = 'The mock failed; see its output.'
        return refuse(incoming, { ...operationalReply('INTERNAL_ERROR'), message }, requestHost(incoming))
      })
      if (targetPath(incoming.url).startsWith(controlPath)) response?.headers.set(controlHeader, '1')
      if (response)
        await sendResponse(asWritten.has(response) ? response : withCommonHeaders(response), outgoing)
      else if (!incoming.aborted) next?.()
    } catch {
      outgoing.destroy()
    }
  }

  return {
    answer,
    /** Whether a handler takes the request, whose body has not been read. */
    async takes(incoming: NodeRequest): Promise<boolean> {
      const { method = 'GET' } = incoming
      if (isForbiddenMethod(method)) return false
      const url = `${baseUrl}${requestTarget(incoming.url)}`
      const request = new Request(url, { method, headers: headersOf(incoming) })
      let mock: MockApi
      try {
        mock = spaces.forRequest(request.headers)
      } catch {
        // The answer says what is wrong with the space.
        return true
      }
      keepAsSent(request)
      for (const handler of [...ownHandlers(mock), ...mock.handlers]) {
        const takes = await handler
          .test({ request, resolutionContext: { baseUrl, quiet } })
          .catch(() => false)
        if (takes) return true
      }
      await mock.unanswered(request)
      return false
    },
  }
}

/** MSW prints nothing: `dev` prints what it answers. */
const quiet = true

/** WebSocket handlers are for pages only: no HTTP request reaches them. */
const ownHandlers = (mock: MockApi) =>
  mock.own().filter((handler): handler is RequestHandler => handler.kind === 'request')

/** The response of handlers of one's own; undefined if they leave the request. Their relative paths are below `baseUrl`. */
async function ownResponse(mock: MockApi, request: Request, baseUrl: string): Promise<Response | undefined> {
  const response = await getResponse(ownHandlers(mock), request, { baseUrl, quiet })
  if (!response || isPassthrough(response)) return undefined
  if (response.type === 'error') return response
  // The headers of a fetched response cannot be changed. MSW's class takes any status.
  const sent = new HttpResponse(response.body, response)
  // `fetch` has decoded the body that it has read from another connection.
  const ofBody = response.url ? ['content-encoding', 'content-length'] : []
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', ...ofBody]) sent.headers.delete(name)
  return sent
}

/** The refusal of a space: its name is not valid, or there are too many. */
const spaceRefusal = ({ status, message }: ControlError): Reply =>
  status === 503 ? { ...operationalReply('SERVICE_UNAVAILABLE'), message } : unreadableReply(status, message)

/**
 * Whether a form may have been sent from a page that tells nobody its origin: over plain http at a name other than
 * localhost, browsers send no Sec-Fetch-Site either. Whoever may open the page can sign in as anyone.
 */
const isSignIn = (method: string, path: string, { origin, secFetchSite }: Sender): boolean =>
  method === 'POST' && path === '/auth/sign-in' && origin === 'null' && secFetchSite === undefined

const senderOf = (incoming: NodeRequest): Sender => ({
  origin: incoming.headers.origin,
  secFetchSite: incoming.headers['sec-fetch-site']?.toString(),
  host: requestHost(incoming),
})

/** The documents that describe the interface, for people and for programs. */
function documentAt({ method }: Request, path: string): Response | undefined {
  const document = /^(GET|HEAD)$/.test(method) ? documents.get(path) : undefined
  return document && toResponse({ status: 200, headers: document.headers, body: document.text() }, method)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorDocsPath } from '../../contract/errors.js'
import { isLoopbackOrigin } from '../../contract/loopback.js'
import { hasHost } from '../../contract/page-origin.js'
import { operationalReply, type Reply, unreadableReply } from '../../handlers/reply.js'
import type { CrossSiteOptions } from '../../http/cross-site.js'
import { requestHost, requestTarget, targetPath } from '../../http/request-target.js'
import { securityHeaders } from '../../http/security-headers.js'
import { prepareReply } from '../../http/send-reply.js'
import { createShell, type Shell } from '../../http/shell.js'
import { documents } from '../../pages/documents.js'
import { unknownErrorPage } from '../../pages/error-page.js'
import { pageHeaders } from '../../pages/page.js'
import { controlHeader, followPath } from '../controls/control-endpoints.js'
import { allowedOrigins } from '../engine/allowed-origins.js'
import { framedHeaders } from '../engine/framed-headers.js'
import type { Answered, MockReply } from '../engine/mock-reply.js'
import type { SentRequest } from '../engine/sent-request.js'
import { twoSites } from '../engine/two-sites.js'
import { ControlError } from '../state/control-error.js'
import { workbenchFile } from '../workbench-page.js'
import { control, controlPath, controlRefusal, inNetworks, json } from './control-routes.js'
import { isKnownHost } from './known-host.js'
import { BodyError } from './node-body.js'
import { headersOf, isForbiddenMethod, sentByNode } from './node-request.js'
import type { NodeResponse } from './node-types.js'
import { sendAnswer } from './send-answer.js'
import type { Spaces } from './spaces.js'
import { createLogStreams } from './stream-log.js'

export type MockShellOptions = {
  /** The origins whose pages may use the mock from there. Default: every loopback origin. */
  allowedOrigins?: readonly string[]
  /** The host names and addresses by which clients may call the mock, beside loopback. Default: any. */
  hosts?: readonly string[]
  /** The networks and addresses that may control the mock, beside this machine, e.g. `172.17.0.0/16`. */
  allowControl?: readonly string[]
  /** Called with the first loopback origin that is allowed by default. Production would refuse it. */
  onCrossOrigin?(origin: string): void
  /** Called with the first advice for a page with another name of this machine. */
  onTwoSites?(advice: string): void
  /** Called with each unexpected error. Default: `console.error`. */
  onError?(error: unknown): void
  /** Whether the mock is a guest of another server, such as Vite's, which answers all other requests. */
  isGuest?: boolean
}

/** The mocks of the shell, and the base URL of their handlers. */
export type ServedSpaces = { spaces: Spaces; url: string }

/**
 * Serves the mock in the shell: its control plane and page, the user's handlers, the operations, and the documents.
 * @returns the shell, with `setMocks`. Requests wait until it is called, once the address is known.
 * @throws ControlError for an invalid network
 */
export function createMockShell(options: MockShellOptions): Shell & { setMocks(served: ServedSpaces): void } {
  const { hosts, isGuest = false, onError = console.error } = options
  const isAllowedFor = allowedOrigins(options.allowedOrigins)
  const streamLog = createLogStreams()
  const mayControl = inNetworks(options.allowControl)
  let mocks: ServedSpaces | undefined
  let startServing = () => {}
  const serving = new Promise<void>((resolve) => {
    startServing = resolve
  })
  const setMocks = (served: ServedSpaces) => {
    mocks = served
    startServing()
  }

  const isAllowed = (origin: string, request: FastifyRequest): boolean => {
    if (!isAllowedFor(requestHost(request.raw))(origin)) return false
    // Preflights of the control plane fail, so that pages of other origins cannot change it.
    return !isControl(request) || (isLoopbackOrigin(origin) && request.method !== 'OPTIONS')
  }
  const crossSite: CrossSiteOptions = {
    isAllowed,
    isOwn: hasHost,
    coversReads: isControl,
    isExempt: isSignIn,
    takesAnyMethod: (request) =>
      !pathOf(request).startsWith('/v1/') ||
      (mocks?.spaces.forRequest(headersOf(request.raw)).hasHandlers() ?? false),
    refusal(request) {
      void mocks?.spaces.common.logRefused(request.method, pathOf(request), senderOf(request)).catch(onError)
      return operationalReply('CROSS_SITE_REFUSED')
    },
  }

  const answerControl = async (sent: SentRequest, request: FastifyRequest): Promise<Answered> => {
    const { raw, method } = request
    const { spaces } = mocks as ServedSpaces
    const refusal = controlRefusal(raw, mayControl)
    if (refusal) return { reply: json({ error: refusal }, 403) }
    const { controls } = spaces.forRequest(sent.headers)
    return pathOf(request) === followPath && method === 'GET'
      ? { response: await streamLog(sent, controls) }
      : { reply: await control(sent, controls, spaces.controls) }
  }

  /** The documents about the mock, for a path that the mock does not answer. */
  const documentFor = (path: string, host: string | undefined, accept = ''): MockReply | undefined => {
    const { protocol } = new URL((mocks as ServedSpaces).url)
    const isErrorPage = path.startsWith('/docs/errors/') && accept.includes('text/html')
    return (
      documentAt(path, `${protocol}//${host}`) ??
      (isErrorPage
        ? { status: 404, headers: framedHeaders(pageHeaders()), body: unknownErrorPage(true) }
        : undefined)
    )
  }

  const answerRequest = async (sent: SentRequest, path: string, host: string | undefined) => {
    const mock = (mocks as ServedSpaces).spaces.forRequest(sent.headers)
    const answered = await mock.answer(sent)
    if (answered || isGuest) {
      if (!answered) await mock.logUnanswered(sent, undefined)
      return answered
    }
    const document = isRead(sent.method) && documentFor(path, host, sent.headers.accept)
    if (document) return { reply: document }
    const unknown = mock.unknown(sent.method, path, host)
    await mock.logUnanswered(sent, unknown)
    return { reply: unknown }
  }

  /** @returns undefined for a request that is left to the other server */
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<Answered | undefined> => {
    await serving
    const { spaces, url: baseUrl } = mocks as ServedSpaces
    const { method, raw } = request
    const target = requestTarget(request.originalUrl)
    const path = targetPath(target)
    const host = requestHost(raw)
    if (isForbiddenMethod(method) || !target.startsWith('/')) {
      return { reply: spaces.common.unknown(method, path, host) }
    }
    // Other machines may read the page. It needs the control plane, which refuses them.
    const page = isRead(method) && (await workbenchFile(path === '/' && !isGuest ? controlPath : path))
    if (page) return { reply: page }
    const sent = sentByNode(raw, reply.raw, `${baseUrl}${target}`, baseUrl, isGuest)
    return isControl(request) ? answerControl(sent, request) : answerRequest(sent, path, host)
  }

  const answerUnrouted = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const answered = await respond(request, reply)
    if (!answered) {
      return reply.leave() ? reply : prepareReply(reply, operationalReply('NOT_FOUND'))
    }
    const more = headersOfReply(request, reply, answered)
    reply.hijack()
    // An unread rest of the body would block the connection.
    request.raw.resume()
    if (answered.settle) settleWith(answered.settle, reply.raw)
    await sendAnswer(answered, reply.raw, request.method, more).catch(() => reply.raw.destroy())
    return reply
  }

  const advise = adviser(options, isAllowed)
  const shell = createShell({
    docsUrl: (code, requested) => mocks?.spaces.common.docsUrl(code, requested?.host) ?? errorDocsPath(code),
    // As in production over http with allowed origins.
    headers: { ...securityHeaders(false), vary: 'Origin' },
    refuseHost: (host) =>
      hosts && !isKnownHost(host, hosts)
        ? `The mock does not know the host ${host}. Start it with --allowed-host to use this name.`
        : undefined,
    crossSite,
    registerFirst(app) {
      app.addHook('onRequest', (request, _reply, done) => {
        advise(request)
        done()
      })
    },
    answerUnrouted,
    onError(error, { raw }) {
      if (error instanceof ControlError) return spaceRefusal(error)
      if (!raw.aborted) onError(error)
      const message = error instanceof BodyError ? error.message : 'The mock failed; see its output.'
      return { ...operationalReply('INTERNAL_ERROR'), message }
    },
  })
  return { ...shell, setMocks }
}

/** Reports the first request of a page at another origin, and at another name of this machine. */
function adviser(
  { allowedOrigins: list, ...given }: MockShellOptions,
  isAllowed: CrossSiteOptions['isAllowed'],
) {
  let onCrossOrigin = list ? undefined : given.onCrossOrigin
  let { onTwoSites } = given
  return (request: FastifyRequest): void => {
    const { origin, host } = senderOf(request)
    if (origin === undefined) return
    if (onCrossOrigin && isAllowed(origin, request) && !hasHost(origin, host)) {
      onCrossOrigin(origin)
      onCrossOrigin = undefined
    }
    const advice = onTwoSites && twoSites(headersOf(request.raw), request.protocol)
    if (advice) {
      onTwoSites?.(advice)
      onTwoSites = undefined
    }
  }
}

/** The headers of a response. That of a user's handler gets only those that let pages of allowed origins read it. */
function headersOfReply(
  request: FastifyRequest,
  reply: FastifyReply,
  { response }: Answered,
): Record<string, string> {
  const all = reply.getHeaders() as Record<string, string>
  if (isControl(request)) {
    const exposed = all['access-control-expose-headers']
    return {
      ...all,
      [controlHeader]: '1',
      // A page of this machine at another origin knows the mock by it.
      ...(exposed !== undefined && { 'access-control-expose-headers': `${exposed}, ${controlHeader}` }),
    }
  }
  if (!response) return all
  return Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('access-control-')))
}

/** A response is taken when it was sent to a client that stayed. */
function settleWith(settle: (isTaken: boolean) => void, outgoing: NodeResponse): void {
  const { socket, stream } = outgoing
  if (outgoing.destroyed || stream?.destroyed) settle(false)
  // Node ends the responses of a broken connection, too. Over HTTP/2 it destroys each stream, whose code tells how it ended.
  const hasStayed = () => (stream ? !stream.aborted && stream.rstCode === 0 : !socket?.destroyed)
  outgoing.once('finish', () => settle(hasStayed()))
  outgoing.once('close', () => settle(false))
}

const pathOf = ({ originalUrl }: FastifyRequest): string => targetPath(originalUrl)
const isRead = (method: string): boolean => /^(GET|HEAD)$/.test(method)
const isControl = (request: FastifyRequest): boolean => pathOf(request).startsWith(controlPath)

const senderOf = ({ headers, raw }: FastifyRequest) => ({
  origin: headers.origin,
  secFetchSite: headers['sec-fetch-site']?.toString(),
  host: requestHost(raw),
})

/**
 * Whether a form may come from a page whose origin the browser hides: over plain http at a name other than localhost,
 * browsers send no Sec-Fetch-Site either. Any client that can open the page may sign in.
 */
const isSignIn = (request: FastifyRequest): boolean => {
  const { origin, secFetchSite } = senderOf(request)
  const isForm = request.method === 'POST' && pathOf(request) === '/auth/sign-in'
  return isForm && origin === 'null' && secFetchSite === undefined
}

/** The refusal of a space: its name is invalid, or there are too many. */
const spaceRefusal = ({ status, message }: ControlError): Reply =>
  status === 503 ? { ...operationalReply('SERVICE_UNAVAILABLE'), message } : unreadableReply(status, message)

function documentAt(path: string, mockUrl: string): MockReply | undefined {
  const document = documents.get(path)
  return (
    document && { status: 200, headers: framedHeaders(document.headers), body: document.text({ mockUrl }) }
  )
}

import { corsHeaders, preflightHeaders } from '../../contract/cors.js'
import { isLoopbackOrigin } from '../../contract/loopback.js'
import { hasHost, isCrossSite, isCrossSiteChange, type Sender } from '../../contract/page-origin.js'
import { operationalReply, type Reply, unreadableReply } from '../../handlers/reply.js'
import { requestTarget, targetPath } from '../../http/request-target.js'
import { validateHost } from '../../http/validate-host.js'
import { documents } from '../../pages/documents.js'
import { allowedOrigins } from '../core/allowed-origins.js'
import { ControlError } from '../core/control-error.js'
import type { Answered, MockReply } from '../core/mock-reply.js'
import { twoSites } from '../core/two-sites.js'
import { workbenchFile } from '../workbench-page.js'
import { commonHeaders } from './common-headers.js'
import { controlHeader, followPath } from './control-endpoints.js'
import { control, controlPath, controlRefusal, inNetworks, json } from './control-routes.js'
import { isKnownHost } from './known-host.js'
import { BodyError } from './node-body.js'
import { isForbiddenMethod, requestHost, sentByNode } from './node-request.js'
import type { NodeRequest, NodeResponse } from './node-types.js'
import { sendAnswer } from './send-answer.js'
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
  /** The networks and addresses that may control the mock, beside this machine, e.g. `172.17.0.0/16`. */
  allowControl?: readonly string[]
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
  const mayControl = inNetworks(options.allowControl)
  let onCrossOrigin = options.allowedOrigins ? undefined : options.onCrossOrigin
  let { onTwoSites } = options

  const refuse = ({ url }: NodeRequest, reply: Reply, host?: string): Answered => ({
    reply: spaces.common.respond(reply, targetPath(url), host),
  })

  const respond = async (
    incoming: NodeRequest,
    outgoing: NodeResponse,
    isPart: boolean,
  ): Promise<Answered | undefined> => {
    const { method = 'GET' } = incoming
    const fault = validateHost(incoming)
    if (fault) return refuse(incoming, unreadableReply(400, fault))
    const host = requestHost(incoming)
    if (options.hosts && !isKnownHost(host, options.hosts)) {
      const message = `The mock does not know the host ${host}. Start it with --allowed-host to use this name.`
      return refuse(incoming, { ...operationalReply('CROSS_SITE_REFUSED'), message })
    }
    const target = requestTarget(incoming.url)
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
      return { reply: await spaces.common.refuseCrossSite(method, pathname, sender) }
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
      return { reply: spaces.common.unknown(method, pathname, sender.host) }
    }
    // The page may be read from other machines; it does nothing without the control plane, which refuses them.
    const page =
      /^(GET|HEAD)$/.test(method) &&
      (await workbenchFile(pathname === '/' && !isPart ? controlPath : pathname))
    if (page) return { reply: page }
    const sent = sentByNode(incoming, outgoing, `${baseUrl}${target}`, baseUrl, isPart)
    if (isControl) {
      const refusal = controlRefusal(incoming, mayControl)
      if (refusal) return { reply: json({ error: refusal }, 403) }
      const { controls } = spaces.forRequest(sent.headers)
      return pathname === followPath && method === 'GET'
        ? { response: await streamLog(sent, controls) }
        : { reply: await control(sent, controls, spaces.controls) }
    }

    const mock = spaces.forRequest(sent.headers)
    const takesAny = mock.hasHandlers() || !pathname.startsWith('/v1/')
    const preflight =
      origin !== undefined && isAllowed(origin)
        ? preflightHeaders(method, incoming.headers, takesAny)
        : undefined
    if (preflight) return { reply: { status: 204, headers: preflight, body: null } }
    const answered = await mock.answer(sent)
    if (answered) return answered
    const document = isPart
      ? undefined
      : documentAt(method, pathname, `${new URL(baseUrl).protocol}//${host}`)
    if (document) return { reply: document }
    const reply = isPart ? undefined : mock.unknown(method, pathname, sender.host)
    await mock.unanswered(sent, reply)
    return reply && { reply }
  }

  /**
   * Answers a request from the mocks. It never rejects.
   * @param next called if no handler answers, in place of 404. With it, the mock is part of another server, and leaves
   * the documents and the page at `/` to that one.
   */
  const answer = async (incoming: NodeRequest, outgoing: NodeResponse, next?: () => void): Promise<void> => {
    try {
      const answered = await respond(incoming, outgoing, next !== undefined).catch((error) => {
        if (incoming.aborted) return undefined
        const host = requestHost(incoming)
        if (error instanceof ControlError) return refuse(incoming, spaceRefusal(error), host)
        onError(error)
        const message = error instanceof BodyError ? error.message : 'The mock failed; see its output.'
        return refuse(incoming, { ...operationalReply('INTERNAL_ERROR'), message }, host)
      })
      // What was not read, such as the rest of a body that is too long, would block the connection.
      if (answered) incoming.resume()
      if (answered)
        await sendAnswer(answered, outgoing, incoming.method ?? 'GET', headersFor(incoming, answered))
      else if (!incoming.aborted) next?.()
    } catch {
      outgoing.destroy()
    }
  }

  /** Lets pages of allowed origins read a response. From any other page, a browser withholds it. */
  const headersFor = (incoming: NodeRequest, { response }: Answered): Record<string, string> => {
    const { origin } = incoming.headers
    const isAllowed = isAllowedFor(requestHost(incoming))
    const isControl = targetPath(incoming.url).startsWith(controlPath)
    return {
      // The headers of a user's handler are those that its author wrote.
      ...(!response && commonHeaders),
      ...(isControl && { ...commonHeaders, [controlHeader]: '1' }),
      ...(origin !== undefined && isAllowed(origin) && corsHeaders(origin)),
    }
  }

  return {
    answer,
    /** Whether a handler takes the request, so that the mock has to check it. */
    async takes(incoming: NodeRequest, outgoing: NodeResponse): Promise<boolean> {
      const { method = 'GET' } = incoming
      if (isForbiddenMethod(method)) return false
      const sent = sentByNode(incoming, outgoing, `${baseUrl}${requestTarget(incoming.url)}`, baseUrl, true)
      let mock: ReturnType<Spaces['forRequest']>
      try {
        mock = spaces.forRequest(sent.headers)
      } catch {
        // The answer says what is wrong with the space.
        return true
      }
      if (await mock.takes(sent)) return true
      await mock.unanswered(sent)
      return false
    },
  }
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
function documentAt(method: string, path: string, mockUrl: string): MockReply | undefined {
  const document = /^(GET|HEAD)$/.test(method) ? documents.get(path) : undefined
  return document && { status: 200, headers: document.headers, body: document.text(mockUrl) }
}

import type { AnyHandler, RequestHandler } from 'msw'
import type { Sender } from '../../contract/page-origin.js'
import { route } from '../../contract/route.js'
import { createApi } from '../../handlers/api.js'
import { operationalReply, type Reply } from '../../handlers/reply.js'
import type { State } from '../../store/state-file.js'
import { createAnswerRequest } from './answer-request.js'
import { ControlError } from './control-error.js'
import { createControls } from './controls.js'
import { MockHandler } from './mock-handler.js'
import { createMockParts, type MockOptions } from './mock-parts.js'
import { findOperation } from './operation-resolvers.js'
import { type LoadedState, personaNamed } from './personas.js'
import { findSitePage } from './site-resolvers.js'
import { storedState } from './state-changes.js'
import { placeOfRequest, splitTarget } from './target-name.js'
import { createUnanswered, UnansweredHandler } from './unanswered-handler.js'
import { areHandlers, WrappedHandler } from './wrapped-handler.js'

/** The mock: MSW handlers made from the operations table, those of one's own, and the controls of all of them. */
export type MockApi = ReturnType<typeof createMockApi>

/**
 * @param onLoaded called after each control that changes the state
 * @throws UnknownPersonaError if the fixtures have no such `session`, ControlError for a wrong delay, chaos or clock
 */
export function createMockApi(options: MockOptions, onLoaded: (loaded: LoadedState) => void = () => {}) {
  const parts = createMockParts(options, onLoaded)
  const { state, scenarios, personas, targets, log, writer, baseUrl, origins, docsUrl, isServed } = parts
  let { fixtures } = options

  /** Restores the fixtures, in a step of the history, and the initial settings. */
  const restore = (title: string) => {
    state.load(fixtures, title)
    scenarios.clear()
    for (const handler of own) if (handler instanceof WrappedHandler) handler.restart()
    const { random, clock, delays, chaos, ids } = parts
    for (const part of [personas, random, clock, delays, chaos, ids]) part.reset()
  }
  const clearLog = () => {
    log.clear()
    targets.clear(scenarios.forced())
  }

  const api = createApi({ now: parts.clock.now, newId: parts.newId, onError: parts.onError })
  /** The response with a reply, to a request for a path. @param host the Host header of the request */
  const respond = (reply: Reply, method: string, path: string, host?: string): Response =>
    parts.writeReply(reply, { method, url: `${baseUrl}${path}`, headers: new Headers(host ? { host } : {}) })
  /** The response to a request that no handler takes: 404, or 405 with Allow. */
  const unknown = (method: string, path: string, host?: string) =>
    respond(api.unknown(method, path), method, path, host)
  const unanswered = createUnanswered(parts)
  const answer = createAnswerRequest(parts)
  const operation = findOperation(parts, api, answer, unanswered, options.unknown === 'pass')
  const ofOperations = new MockHandler('/v1/*', operation, baseUrl)
  const ofSite = new MockHandler('/auth/*', findSitePage(parts, options.allowedOrigins), baseUrl)
  const last = new UnansweredHandler(unanswered, answer, !isServed)
  let own: readonly AnyHandler[] = []
  /** Replaces the handlers of one's own. */
  const setHandlers = (given: readonly AnyHandler[]) => {
    if (!areHandlers(given))
      throw new ControlError('handlers is not a list of MSW handlers: [http.get(…), …].')
    // One that is listed twice stays one.
    const wrapped = new Map<AnyHandler, WrappedHandler>()
    for (const handler of given.filter(isRequestHandler)) {
      wrapped.set(handler, new WrappedHandler(handler, parts, answer))
    }
    own = given.map((handler) => wrapped.get(handler) ?? handler)
    targets.setHandlers(own.flatMap((handler) => (handler instanceof WrappedHandler ? [handler.place] : [])))
  }
  setHandlers(options.handlers ?? [])

  return {
    /** The handlers of one's own, wrapped. They come first. */
    own: () => own,
    setHandlers,
    /** The handlers of the operations, and what answers or logs the requests that are left. */
    handlers: [ofOperations, ofSite, last],
    /** Logs a request that no handler answers, with the response that it gets from elsewhere, if any. */
    unanswered: unanswered.log,
    controls: createControls(parts, {
      clearLog,
      restoreLog() {
        for (const { id, target, kind, status, time } of log.restore())
          targets.count({ ...splitTarget(target), kind }, { entry: id, status, time })
      },
      async reset() {
        restore('reset')
        log.restart()
        clearLog()
        await parts.onStateChange()
      },
      async send(id, edit) {
        const { sendAgain } = await import('./send-again.js')
        const handlers = [...own.filter(isRequestHandler), ofOperations, last]
        return sendAgain(id, edit, parts, { handlers, unanswered: unanswered.log, unknown })
      },
    }),
    session: personas,
    unknown,
    respond,
    docsUrl,
    /** Logs a request of another site's page, without its body, and refuses it: 403. */
    async refuseCrossSite(
      method: string,
      path: string,
      { origin, secFetchSite, host }: Sender,
    ): Promise<Response> {
      const reply = operationalReply('CROSS_SITE_REFUSED')
      const headers = new Headers()
      if (origin) headers.set('origin', origin)
      if (secFetchSite) headers.set('sec-fetch-site', secFetchSite)
      const request = { url: `${baseUrl}${path}`, method, headers }
      const { operation } = route(method, path)
      const response = respond(reply, method, path, host)
      const place = (operation && targets.find(operation)) ?? placeOfRequest(request, origins)
      const why = 'origin check: a page of another site'
      await writer.write(writer.begin(request), { request, path, place }, { code: reply.code, why, response })
      return response
    },
    export: state.export,
    /** Replaces the whole state, and forgets the history. The persona stays if the state has it. */
    load(next: State): LoadedState {
      state.history.clear()
      return state.goTo(storedState(next))
    },
    /** Replaces the fixtures and resets the mock. */
    async setFixtures(next: State) {
      if (options.session !== undefined) personaNamed(options.session, next.sessions)
      fixtures = next
      restore('fixtures')
      parts.notify()
      await parts.onStateChange()
    },
  }
}

/** WebSocket handlers have no requests. */
const isRequestHandler = (handler: AnyHandler): handler is RequestHandler => handler.kind === 'request'

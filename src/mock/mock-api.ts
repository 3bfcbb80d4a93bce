import type { RequestHandler } from 'msw'
import type { Sender } from '../contract/page-origin.js'
import { route } from '../contract/route.js'
import { createApi } from '../handlers/api.js'
import { operationalReply, type Reply } from '../handlers/reply.js'
import type { State } from '../store/state-file.js'
import type { ControlName } from './controls/control-endpoints.js'
import { viewOf } from './controls/control-words.js'
import { createControls } from './controls/controls.js'
import { type ControlContext, callControl, type Ran } from './controls/run-control.js'
import { type CheckedMock, createWholeState } from './controls/whole-state.js'
import { createAnswer } from './engine/answer.js'
import { MockHandler } from './engine/mock-handler.js'
import { createMockParts } from './engine/mock-parts.js'
import type { MockReply } from './engine/mock-reply.js'
import { noBytes, type SentRequest, sentCookies } from './engine/sent-request.js'
import { findSitePage } from './engine/site-resolvers.js'
import { placeOfRequest } from './engine/target-name.js'
import { createUnhandledTargets, isCall } from './engine/unanswered.js'
import { callOnEach, type GivenHandlers, type UserHandlers, userHandlers } from './engine/user-handlers.js'
import { createLogParts, type MockOptions } from './log/log-parts.js'
import type { Step } from './state/history.js'
import { type LoadedState, personaNamed } from './state/personas.js'

/** The mock: its answers, as a plain function and as an MSW handler, and its controls. */
export type MockApi = ReturnType<typeof createMockApi>

/** Called in the turn of a change by a control, as a part of it. */
export type Hooks = {
  /** The state was replaced, or a persona was edited. */
  onLoaded?(loaded: LoadedState): void
  /** For clients without cookies of their own: signs in, or with null out. */
  onUse?(id: string | null): void
  onReset?(): void
  /** Follows a request in the browser; see `MockHandler`. */
  follow?: ConstructorParameters<typeof MockHandler>[0]['follow']
}

/**
 * @throws UnknownPersonaError if the fixtures have no such `session`, ControlError for an invalid delay, chaos or clock,
 *   StateError if what the fixtures have beside records does not fit the mock
 */
export function createMockApi(options: MockOptions, hooks: Hooks = {}) {
  const engine = createMockParts(options, hooks.onLoaded ?? (() => {}))
  const parts = { ...engine, ...createLogParts(options, engine) }
  const { state, scenarios, personas, targets, log, writer, baseUrl, origins, docsUrl } = parts
  let { fixtures } = options
  let given: UserHandlers = { requests: [], others: [] }

  const setHandlers = (handlers: GivenHandlers) => {
    given = userHandlers(handlers, origins)
    targets.setHandlers(given.requests.map(({ place }) => place))
  }
  const callOnHandlers = (name: 'reset' | 'restore') =>
    callOnEach(
      given.requests.map(({ handler }) => handler),
      name,
    )

  const whole = createWholeState(parts)
  /** Sets what the fixtures have beside records. */
  const applyFixtures = (checked: CheckedMock | undefined, hasLog: boolean) => {
    if (!checked) return
    checked.apply(hasLog)
    if (checked.persona !== undefined && options.session === undefined) personas.use(checked.persona)
    for (const [name, saved] of checked.snapshots) void parts.guard(() => parts.snapshots.write(name, saved))
  }
  /** Restores the fixtures and the initial settings, with an empty log. */
  const restore = () => {
    const checked = whole.check(fixtures)
    const loaded = state.load(fixtures)
    scenarios.clear()
    callOnHandlers('reset')
    callOnHandlers('restore')
    const { random, clock, delays, chaos, ids } = parts
    for (const part of [personas, random, clock, delays, chaos, ids]) part.reset()
    applyFixtures(checked, false)
    return loaded
  }

  const api = createApi({ now: parts.clock.now, newId: parts.newId })
  /** The reply for the path of a request. @param host the Host header of the request */
  const respond = (reply: Reply, path: string, host?: string): MockReply =>
    parts.writeReply(reply, { url: `${baseUrl}${path}`, headers: { host } })
  /** The reply to an unknown request: 404, or 405 with Allow. */
  const unknown = (method: string, path: string, host?: string) =>
    respond(api.unknown(method, path), path, host)
  const unhandledTargets = createUnhandledTargets(parts)
  const { answer, takes } = createAnswer({
    parts,
    writer,
    api,
    handlers: () => given.requests,
    findPage: findSitePage(parts, options.allowedOrigins),
    unhandledTargets,
    passesUnknown: options.unknown === 'pass',
  })
  /** Logs a request that no handler answers, with its reply from elsewhere. Loads of a page and its parts are not logged. */
  const logUnanswered = async (sent: SentRequest, reply?: MockReply): Promise<void> => {
    if (!isCall(sent)) return
    const { cookies, marker } = sentCookies(sent, parts.jar)
    const place = await unhandledTargets.placeOf(sent)
    const decided = { reply, why: 'no handler' }
    await writer.write(writer.begin(), { sent, place }, decided, personas.findCaller(cookies, marker))
  }
  const controlsOf = (onStep?: (step: Step) => void) =>
    createControls(
      parts,
      {
        reset() {
          restore()
          log.restart()
          parts.clearLog()
          hooks.onReset?.()
        },
        use(id) {
          // Clients without cookies of their own are signed in by the jar.
          if (id !== null || !hooks.onUse) personas.use(id)
          hooks.onUse?.(id)
        },
        async send(id, edit) {
          const { sendAgain } = await import('./log/send-again.js')
          return sendAgain(id, edit, parts, {
            answer,
            logUnanswered: (sent, isRefused) =>
              logUnanswered(sent, isRefused ? unknown(sent.method, new URL(sent.url).pathname) : undefined),
          })
        },
      },
      onStep,
    )
  setHandlers(options.handlers ?? [])
  applyFixtures(whole.check(fixtures), true)
  const handler = new MockHandler(
    { answer, takes, logUnanswered, callOnHandlers, release: parts.waits.release, follow: hooks.follow },
    baseUrl,
  )

  return {
    answer,
    logUnanswered,
    takes,
    /** For MSW: the mock as one handler. */
    handlers: [handler] as RequestHandler[],
    /** The user's WebSocket handlers. */
    others: () => given.others,
    setHandlers,
    /** Lets the process end although requests are waiting. */
    release: parts.waits.release,
    /** Whether there are handlers of the user. */
    hasHandlers: () => given.requests.length > 0,
    controls: {
      ...controlsOf(),
      /**
       * Calls a control by its name, with the fields of its input.
       * @returns its output, and the step if it changed the mock: with a sentence, and an id for `undo`
       */
      async run(name: ControlName, input: unknown = {}, context?: ControlContext): Promise<Ran> {
        let step: Step | undefined
        const controls = controlsOf((made) => {
          step = made
        })
        const output = await callControl(name, controls, input, context)
        return { output, ...(step && { step: viewOf(step) }) }
      },
    },
    personas,
    unknown,
    respond,
    docsUrl,
    /** Logs a refused request of another site's page, without its body. */
    async logRefused(method: string, path: string, { origin, secFetchSite, host }: Sender): Promise<void> {
      const refusal = operationalReply('CROSS_SITE_REFUSED')
      const sent: SentRequest = {
        method,
        url: `${baseUrl}${path}`,
        headers: { origin, 'sec-fetch-site': secFetchSite },
        credentials: 'omit',
        signal: new AbortController().signal,
        bytes: () => noBytes,
        peek: () => noBytes,
        toFetch: () => {
          throw new Error('No handler gets a request that was refused.')
        },
      }
      const { operation } = route(method, path)
      const reply = respond(refusal, path, host)
      const place = (operation && targets.find(operation)) ?? placeOfRequest(sent, origins)
      const why = 'origin check: a page of another site'
      await writer.write(writer.begin(), { sent, path, place }, { code: refusal.code, why, reply })
    },
    export: state.export,
    /** Replaces the whole state, and clears the history. The persona stays if the state has it. */
    load(next: State): LoadedState {
      return state.restart(next)
    },
    /** Replaces the fixtures and resets the mock. */
    async setFixtures(next: State) {
      if (options.session !== undefined) personaNamed(options.session, next.sessions)
      whole.check(next)
      fixtures = next
      state.history.record({ control: 'fixtures' }, restore)
      parts.notify()
      await parts.onStateChange()
    },
  }
}

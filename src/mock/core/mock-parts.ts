import { type ErrorCode, errorDocsPath } from '../../contract/errors.js'
import type { State } from '../../store/state-file.js'
import { type ChaosSetting, createChaos } from './chaos.js'
import { type ClockSetting, createClock } from './clock.js'
import { createDelays, createWaits } from './delays.js'
import { createForcing } from './forcing.js'
import { createIds } from './ids.js'
import { type LogEntry, toEntry } from './log-entry.js'
import { createLogWriter } from './log-writer.js'
import { createMockState } from './mock-state.js'
import { createPersonas, type LoadedState, personaNamed } from './personas.js'
import { createRandom } from './random.js'
import { createReplyWriter } from './reply-writer.js'
import { createLog } from './request-log.js'
import { createScenarios } from './scenarios.js'
import type { CookieJar } from './sent-request.js'
import { noCookies } from './session-jar.js'
import { createMemorySnapshots, type SnapshotStorage } from './snapshots.js'
import { createTargets } from './targets.js'
import type { GivenHandlers } from './user-handlers.js'

export type MockOptions = {
  /** The initial state, restored by a reset. */
  fixtures: State
  /**
   * The persona who is signed in at the start: every request without a session cookie that the mock knows. Also the
   * initial persona of `session=active`, in place of the first of the fixtures.
   */
  session?: string
  /** Where the front end expects the service, e.g. `http://localhost:4010`; a path prefix is allowed. */
  baseUrl: string
  /**
   * Returns the address of the page about an error code. Defaults to pages below `baseUrl`.
   * @param host the Host header of the request
   */
  docsUrl?(code: ErrorCode, host: string | undefined): string
  /**
   * The user's MSW handlers, which come first, or a function that makes them, which is called for each mock. All but WebSocket
   * handlers take part in everything that the mock does.
   */
  handlers?: GivenHandlers
  /** The real time. */
  now?(): Date
  newId?(): string
  /** The delay of responses in milliseconds: `300`, or a range, `'200-800'`. */
  delay?: string | number
  /** Lets requests fail at random, or delays them by a profile of its own. */
  chaos?: ChaosSetting
  /** Stops the clock at a time, or lets it tick from there. */
  clock?: ClockSetting
  /** Makes ids, random delays and chaos reproducible. */
  seed?: number
  /** For paths below /v1/ that the interface does not have: answer 404, or pass them to the next handler. */
  unknown?: 'answer' | 'pass'
  /** The name of this mock's space; see `x-mock-space`. */
  space?: string
  /** Stores snapshots. Defaults to memory. */
  snapshots?: SnapshotStorage
  /** The most requests that the log has, from 1 to 100,000. Defaults to 1,000. */
  logSize?: number
  /** Whether the log has the bodies of requests and responses. Defaults to true. */
  logBodies?: boolean
  /** The origins whose pages may use the mock from there. Defaults to every loopback origin. */
  allowedOrigins?: readonly string[]
  /** Called for each request. The response waits for it. */
  onRequest?(entry: LogEntry): void | Promise<void>
  /** Called when the state may have changed. The response to the request that changed it waits for it. */
  onStateChange?(exportState: () => Promise<State>): void | Promise<void>
  /** Stores the session cookie for clients that cannot send it themselves. By default there is none. */
  jar?: CookieJar
  /** Called with each unexpected error. Defaults to `console.error`. */
  onError?(error: unknown): void
}

export type MockParts = ReturnType<typeof createMockParts>

/**
 * @param onLoaded called after each control that changes the state
 * @throws UnknownPersonaError if the fixtures have no such `session`, ControlError for a wrong delay, chaos or clock
 */
export function createMockParts(options: MockOptions, onLoaded: (loaded: LoadedState) => void) {
  const { fixtures, session, seed, jar = noCookies, onError = console.error } = options
  const { origin, pathname } = new URL(options.baseUrl)
  const baseUrl = origin + pathname.replace(/\/$/, '')
  const origins = [origin, ...(globalThis.location ? [location.origin] : [])]
  if (session !== undefined) personaNamed(session, fixtures.sessions)
  /** Whether clients keep their own cookies. */
  const isServer = options.jar === undefined

  /** An error of a callback is reported: it fails neither a request nor a control. */
  const guard = (callback: () => unknown): undefined | Promise<void> => {
    try {
      const result = callback()
      return typeof Object(result).then === 'function'
        ? Promise.resolve(result as undefined).catch(onError)
        : undefined
    } catch (error) {
      onError(error)
    }
  }
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  /** Returns the address of the page about an error code. @param host the Host header of the request */
  const docsUrl = options.docsUrl ?? ((code: ErrorCode, _host?: string) => `${baseUrl}${errorDocsPath(code)}`)
  const writeReply = createReplyWriter(baseUrl, docsUrl)
  const state = createMockState(fixtures, (sessions) => personas.replace(sessions))
  const onStateChange = async () => guard(() => options.onStateChange?.(state.export))
  const random = createRandom(seed)
  const clock = createClock(options.now ?? (() => new Date()), options.clock)
  const ids = createIds(clock.now, random, state.hasProject)
  const targets = createTargets()
  const scenarios = createScenarios(targets, notify)
  const log = createLog(options.logSize)
  const personas = createPersonas({
    personas: fixtures.sessions,
    store: state.open,
    now: clock.now,
    initial: session,
    isServer,
  })
  const writer = createLogWriter({
    log,
    targets,
    history: state.history,
    origins,
    space: options.space,
    logsBodies: options.logBodies ?? true,
    onRequest(entry) {
      const report = () => guard(() => options.onRequest?.(toEntry(entry)))
      return entry.before === entry.after ? report() : onStateChange().then(report)
    },
  })

  return {
    baseUrl,
    origins,
    jar,
    onError,
    guard,
    listeners,
    notify,
    onStateChange,
    onLoaded,
    state,
    random,
    clock,
    ids,
    targets,
    scenarios,
    log,
    personas,
    writer,
    isServer,
    newId: options.newId ?? ids.next,
    delays: createDelays(random, targets, options.delay),
    waits: createWaits(),
    chaos: createChaos(targets, options.chaos, seed),
    writeReply,
    forcing: createForcing(scenarios, writeReply),
    snapshots: options.snapshots ?? createMemorySnapshots(),
    /** The records of the present state, to read them. */
    records: async () => (await state.open()).editor(() => {}),
    docsUrl,
  }
}

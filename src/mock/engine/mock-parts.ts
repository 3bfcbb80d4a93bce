import { type ErrorCode, errorDocsPath } from '../../contract/errors.js'
import type { State } from '../../store/state-file.js'
import { type ClockSetting, createClock } from '../state/clock.js'
import { createIds } from '../state/ids.js'
import { createMockState } from '../state/mock-state.js'
import { createPersonas, type LoadedState, personaNamed } from '../state/personas.js'
import { createRandom } from '../state/random.js'
import { createMemorySnapshots, type SnapshotStorage } from '../state/snapshots.js'
import { type ChaosSetting, createChaos } from './chaos.js'
import { createDelays, createWaits } from './delays.js'
import { createForcing } from './forcing.js'
import { createReplyWriter } from './reply-writer.js'
import { createScenarios } from './scenarios.js'
import type { CookieJar } from './sent-request.js'
import { noCookies } from './session-jar.js'
import { createTargets } from './targets.js'
import type { GivenHandlers } from './user-handlers.js'

/** The options of the parts that answer requests. */
export type PartOptions = {
  /** The initial state, restored by a reset. */
  fixtures: State
  /**
   * The initial persona: of requests without a known session cookie, and of `session=active`. By default requests without a
   * cookie are signed out, and `session=active` is the first persona of the fixtures.
   */
  session?: string
  /** The URL of the service for the front end, e.g. `http://localhost:4010`; a path prefix is allowed. */
  baseUrl: string
  /**
   * Returns the URL of the page about an error code. Default: pages below `baseUrl`.
   * @param host the Host header of the request
   */
  docsUrl?(code: ErrorCode, host: string | undefined): string
  /**
   * The user's MSW handlers, which come first, or a function that makes them for each mock. All but WebSocket handlers are
   * logged, delayed and forced as operations are.
   */
  handlers?: GivenHandlers
  /** The real time. */
  now?(): Date
  newId?(): string
  /** The delay of responses in milliseconds: `300`, or a range, `'200-800'`. */
  delay?: string | number
  /** Lets requests fail at random, or delays them. */
  chaos?: ChaosSetting
  /** Stops the clock at a time, or lets it tick from there. */
  clock?: ClockSetting
  /** Makes ids, random delays and chaos reproducible. */
  seed?: number
  /** For unknown paths below /v1/: answer 404, or pass the request to the next handler. */
  unknown?: 'answer' | 'pass'
  /** The name of this mock's space; see `x-mock-space`. */
  space?: string
  /** Stores snapshots. Default: memory. */
  snapshots?: SnapshotStorage
  /** The origins whose pages may use the mock from there. Default: every loopback origin. */
  allowedOrigins?: readonly string[]
  /** Called when the state may have changed. The response to the request waits for it. */
  onStateChange?(exportState: () => Promise<State>): void | Promise<void>
  /** Stores the session cookie for clients that cannot send it themselves. By default there is none. */
  jar?: CookieJar
  /** The project and the files of a mock that is served. */
  about?(): Omit<About, 'url'>
  /** Called with each unexpected error. Default: `console.error`. */
  onError?(error: unknown): void
}

/** The address of a mock, and the project and files that it serves. */
export type About = {
  url: string
  /** The folder. */
  project?: string
  fixtures?: ServedFile
  handlers?: ServedFile
}

/** A file, and what is wrong with it since it was saved last: the last good version stays in use. */
export type ServedFile = { file: string; error?: string }

export type MockParts = ReturnType<typeof createMockParts>

/**
 * @param onLoaded called after each control that changes the state
 * @throws UnknownPersonaError if the fixtures have no such `session`, ControlError for an invalid delay, chaos or clock
 */
export function createMockParts(options: PartOptions, onLoaded: (loaded: LoadedState) => void) {
  const { fixtures, session, seed, jar = noCookies, onError = console.error } = options
  const { origin, pathname } = new URL(options.baseUrl)
  const baseUrl = origin + pathname.replace(/\/$/, '')
  const origins = [origin, ...(globalThis.location ? [location.origin] : [])]
  if (session !== undefined) personaNamed(session, fixtures.sessions)
  /** Whether clients keep their own cookies. */
  const isServer = options.jar === undefined

  /** Reports an error of a callback. It fails neither a request nor a control. */
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
  const docsUrl = options.docsUrl ?? ((code: ErrorCode, _host?: string) => `${baseUrl}${errorDocsPath(code)}`)
  const writeReply = createReplyWriter(baseUrl, docsUrl)
  const state = createMockState(fixtures, (...given) => personas.replace(...given))
  const onStateChange = async () => guard(() => options.onStateChange?.(state.export))
  const random = createRandom(seed)
  const clock = createClock(options.now ?? (() => new Date()), options.clock)
  const ids = createIds(clock.now, random, state.hasProject)
  const targets = createTargets()
  const scenarios = createScenarios(targets, notify)
  const personas = createPersonas({
    personas: fixtures.sessions,
    store: state.open,
    now: clock.now,
    initial: session,
    isServer,
    jar,
  })
  const delays = createDelays(random, targets, options.delay)
  const chaos = createChaos(targets, options.chaos, seed)
  state.history.watch(personas.part)
  state.history.watch(scenarios.part)
  state.history.watch(delays.part)
  state.history.watch(chaos.part)
  state.history.watch(clock.part)

  return {
    baseUrl,
    about: (): About => ({ url: baseUrl, ...options.about?.() }),
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
    personas,
    isServer,
    newId: options.newId ?? ids.next,
    delays,
    waits: createWaits(),
    chaos,
    writeReply,
    forcing: createForcing(scenarios, writeReply),
    snapshots: options.snapshots ?? createMemorySnapshots(),
    records: async () => (await state.open()).editor(() => {}),
    docsUrl,
  }
}

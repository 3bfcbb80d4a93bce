import type { RequestHandler } from 'msw'
import { errorDocsPath } from '../../contract/errors.js'
import { type Api, createApi } from '../../handlers/api.js'
import type { DocsUrl } from '../../handlers/reply.js'
import { createMemoryStore } from '../../store/memory/memory-store.js'
import type { State } from '../../store/state-file.js'
import type { Store } from '../../store/store.js'
import { type ClockSetting, createClock } from './clock.js'
import { type Controls, createControls } from './controls.js'
import { createDelays } from './delays.js'
import { createIds } from './ids.js'
import {
  type Base,
  type CookieJar,
  MockHandler,
  type MockHttpRequest,
  type MockReply,
} from './mock-handler.js'
import { inJson, operationRoutes } from './operation-resolvers.js'
import { createPersonas, type Personas, personaNamed } from './personas.js'
import { createRandom } from './random.js'
import { createLog, type LogEntry } from './request-log.js'
import { createScenarioRunner } from './scenario-runner.js'
import { createScenarios } from './scenarios.js'
import { createJar } from './session-jar.js'
import { siteRoutes } from './site-resolvers.js'
import { type SnapshotPlace, snapshotsInMemory } from './snapshots.js'

export type MockOptions = {
  /** What the mock begins with, and returns to on reset. */
  fixtures: State
  /** The persona that `session=active` stands for at first; the first of the fixtures where it is left out. */
  session?: string
  /** Where the front end expects the service, e.g. `http://127.0.0.1:4010`; a path prefix is allowed. */
  baseUrl: string
  /** Where the page about an error code is; below `baseUrl` where it is left out. */
  docsUrl?: DocsUrl
  /** The real time. */
  now?(): Date
  newId?(): string
  /** How long answers wait, in milliseconds: `300`, or between two bounds, `'200-800'`. */
  delay?: string | number
  /** A time to stand still at, or to tick on from. */
  clock?: ClockSetting
  /** Makes ids and the spread of delays repeat. */
  seed?: number
  /** The name of the space that this mock is; see `x-mock-space`. */
  space?: string
  /** Where snapshots are kept; as long as the mock lasts where it is left out. */
  snapshots?: SnapshotPlace
  /** Told of each request before its answer leaves; the answer waits for it. */
  onRequest?(entry: LogEntry): void | Promise<void>
  /** Told that the state may have changed, before the answer to what changed it leaves. */
  onStateChange?(exportState: () => Promise<State>): void | Promise<void>
  /** Where the session cookie is kept; with this mock where it is left out. */
  jar?: CookieJar
  /** Told of each bug; by default the console is. */
  onError?(error: unknown): void
}

/** The mock: MSW handlers made from the operations table, and the controls of the state behind them. */
export type MockApi = {
  /** To give to `setupWorker`, `setupServer` or `getResponse`, among one's own. */
  handlers: RequestHandler[]
  /** Everything that can be told to it while it runs. */
  controls: Controls
  session: Pick<Personas, 'list' | 'current' | 'use'>
  /**
   * Answers as the handler that takes the request does, without Fetch's objects around it; undefined where the
   * connection breaks instead.
   */
  reply(asked: MockHttpRequest): Promise<MockReply | undefined>
  /** Answers what no handler takes: 404, or 405 with Allow. */
  unknown(method: string, path: string): MockReply
  /** Returns to the beginning. */
  reset(): void
  /** Everything the mock holds, as a state file. */
  export(): Promise<State>
  /** Replaces everything the mock holds. */
  load(state: State): void
  /** Begins anew with other fixtures. */
  setFixtures(fixtures: State): Promise<void>
}

/** @throws UnknownPersonaError where the fixtures have no such `session`, ControlError for a wrong delay or clock */
export function createMockApi(options: MockOptions): MockApi {
  const base = baseAt(options.baseUrl)
  let fixtures = options.fixtures
  const jar = options.jar ?? createJar()

  if (options.session !== undefined) personaNamed(options.session, fixtures.sessions)
  const changes = new Set<() => void>()
  const onChange = () => {
    for (const listener of changes) listener()
  }

  const random = createRandom(options.seed)
  const clock = createClock(options.now ?? (() => new Date()), options.clock)
  const delays = createDelays(random, options.delay)
  const ids = createIds(clock.now, random, (id) => taken.has(id))
  const scenarios = createScenarios(onChange)
  const log = createLog()

  let store = createMemoryStore(fixtures)
  let taken = projectIds(fixtures)
  const personas = createPersonas(() => store, clock.now, options.session)
  // The store is replaced on reset, so that each call looks it up anew.
  const currentStore = new Proxy(store, { get: (_, method) => Reflect.get(store, method) })

  const exportState = () => store.export()
  const keep = async () => options.onStateChange?.(exportState)
  const load = (state: State) => {
    store = createMemoryStore(state)
    taken = projectIds(state)
    personas.reset()
  }
  const reset = () => {
    load(fixtures)
    scenarios.clear()
    for (const part of [random, clock, delays, ids]) part.reset()
  }

  const docsUrl = options.docsUrl ?? ((code) => `${base.url}${errorDocsPath(code)}`)
  const apiOver = (store: Store): Api =>
    createApi({
      store,
      now: clock.now,
      newId: options.newId ?? ids.next,
      docsUrl,
      onError: options.onError ?? console.error,
    })
  const { unknown } = apiOver(currentStore)

  const routes = [
    ...operationRoutes({
      stage: createScenarioRunner({ scenarios, docsUrl, store: currentStore, apiOver }),
      unknown,
      personas,
      delays,
      log,
      space: options.space,
      async onRequest(entry) {
        if (!/^(GET|HEAD)$/.test(entry.method)) await keep()
        await options.onRequest?.(entry)
      },
    }),
    ...siteRoutes(personas, () => store, base.url),
  ]
  const handlers = routes.map((route) => new MockHandler(route, base, jar))

  return {
    handlers,
    controls: createControls({
      personas,
      scenarios,
      delays,
      clock,
      log,
      snapshots: options.snapshots ?? snapshotsInMemory(),
      exportState,
      async load(state) {
        load(state)
        await keep()
      },
      async reset() {
        reset()
        await keep()
      },
      changes,
    }),
    session: personas,
    async reply(asked) {
      const { method, url } = asked
      for (const handler of handlers) {
        const match = handler.match(method, url)
        if (match) return handler.reply({ ...asked, ...match })
      }
      return inJson(unknown(method, url.pathname), method)
    },
    unknown: (method, path) => inJson(unknown(method, path), method),
    reset,
    export: exportState,
    load,
    async setFixtures(state) {
      if (options.session !== undefined) personaNamed(options.session, state.sessions)
      fixtures = state
      reset()
      onChange()
      await keep()
    },
  }
}

const projectIds = (state: State) => new Set(state.projects.map(({ id }) => id))

/** @param baseUrl an absolute URL, with or without a path */
function baseAt(baseUrl: string): Base {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/$/, '')
  return {
    url: `${origin}${prefix}`,
    pathOf: (url) =>
      url.origin === origin && url.pathname.startsWith(`${prefix}/`)
        ? url.pathname.slice(prefix.length)
        : undefined,
  }
}

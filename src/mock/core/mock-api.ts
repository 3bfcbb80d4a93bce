import type { AnyHandler, RequestHandler } from 'msw'
import { type ErrorCode, errorDocsPath } from '../../contract/errors.js'
import type { Sender } from '../../contract/page-origin.js'
import { route } from '../../contract/route.js'
import { createApi } from '../../handlers/api.js'
import { operationalReply, type Reply } from '../../handlers/reply.js'
import type { MemoryStore } from '../../store/memory/memory-store.js'
import type { RecordChange } from '../../store/memory/record-changes.js'
import type { RecordEditor } from '../../store/memory/record-editor.js'
import type { SessionRecord, State } from '../../store/state-file.js'
import { allowedOrigins } from './allowed-origins.js'
import { type ChaosSetting, createChaos } from './chaos.js'
import { type ClockSetting, createClock } from './clock.js'
import { ControlError } from './control-error.js'
import { createControls } from './create-controls.js'
import { createDelays } from './delays.js'
import { createForcing } from './forcing.js'
import { createHandlerRunner } from './handler-runner.js'
import { createHistory } from './history.js'
import { createIds } from './ids.js'
import { toEntry } from './log-entry.js'
import { createLogWriter } from './log-writer.js'
import { responseBody } from './logged-exchange.js'
import { MockHandler, type MockRoute, toResponse } from './mock-handler.js'
import { operationRoutes, toJsonReply } from './operation-resolvers.js'
import { createPersonas, type LoadedState, personaNamed } from './personas.js'
import { createRandom } from './random.js'
import { createLog, type LogEntry } from './request-log.js'
import { createScenarioRunner } from './scenario-runner.js'
import { createScenarios } from './scenarios.js'
import { sendAgain } from './send-again.js'
import type { CookieJar } from './sent-request.js'
import { noCookies } from './session-jar.js'
import { siteRoutes } from './site-resolvers.js'
import { createMemorySnapshots, type SnapshotStorage } from './snapshots.js'
import { diffStates } from './state-changes.js'
import { placeOfHandler, placeOfRequest } from './target-name.js'
import { createTargets } from './targets.js'
import { trackChanges } from './track-changes.js'
import { createUnanswered, UnansweredHandler } from './unanswered-handler.js'
import { areHandlers, WrappedHandler } from './wrapped-handler.js'

export type MockOptions = {
  /** The initial state, restored by a reset. */
  fixtures: State
  /**
   * The persona who is signed in at the start: every request without a session cookie that the mock knows. Also the
   * initial persona of `session=active`, in place of the first of the fixtures.
   */
  session?: string
  /** Where the front end expects the service, e.g. `http://127.0.0.1:4010`; a path prefix is allowed. */
  baseUrl: string
  /**
   * Returns the address of the page about an error code. Defaults to pages below `baseUrl`.
   * @param host the Host header of the request
   */
  docsUrl?(code: ErrorCode, host: string | undefined): string
  /** MSW handlers of one's own, which come first. All but WebSocket handlers take part in everything that the mock does. */
  handlers?: readonly AnyHandler[]
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

/** The mock: MSW handlers made from the operations table, those of one's own, and the controls of all of them. */
export type MockApi = ReturnType<typeof createMockApi>

/** @throws UnknownPersonaError if the fixtures have no such `session`, ControlError for a wrong delay, chaos or clock */
export function createMockApi(options: MockOptions) {
  const { origin, pathname } = new URL(options.baseUrl)
  const baseUrl = origin + pathname.replace(/\/$/, '')
  let fixtures = options.fixtures

  if (options.session !== undefined) personaNamed(options.session, fixtures.sessions)
  const listeners = new Set<() => void>()
  const notifyChange = () => {
    for (const listener of listeners) listener()
  }

  const random = createRandom(options.seed)
  const clock = createClock(options.now ?? (() => new Date()), options.clock)
  const ids = createIds(clock.now, random, (id) => usedIds.has(id))
  const newId = options.newId ?? ids.next
  const targets = createTargets()
  const delays = createDelays(random, targets, options.delay)
  const chaos = createChaos(targets, options.chaos, options.seed)
  const scenarios = createScenarios(targets, notifyChange)
  const log = createLog(options.logSize)
  const history = createHistory()

  // Its library is large: nothing waits for it but the first request or control that needs the data.
  const loading = import('../../store/memory/memory-store.js')
  loading.catch(() => {})
  let initial = fixtures
  let create: ((state: State) => MemoryStore) | undefined
  let store: MemoryStore | undefined
  /** The store of the present state. */
  const openStore = async (): Promise<MemoryStore> => {
    create ??= (await loading).createMemoryStore
    store ??= create(initial)
    return store
  }
  const presentState = () => store?.state() ?? initial
  let usedIds = projectIds(fixtures)
  const personas = createPersonas({
    personas: fixtures.sessions,
    store: openStore,
    now: clock.now,
    initial: options.session,
    isServer: !options.jar,
  })

  /** Returns the whole state, as a state file. */
  const exportState = async () => (await openStore()).export()
  const notifyStateChange = async () => options.onStateChange?.(exportState)
  const replaceState = (state: State): LoadedState => {
    initial = state
    store = create?.(state)
    usedIds = projectIds(state)
    return personas.replace(state.sessions)
  }
  /** Replaces the state in a step that can be undone. */
  const changeState = <Result>(title: string, change: () => Result): Result => {
    const before = presentState()
    const result = change()
    const changes = diffStates(before, presentState())
    if (changes.length > 0) history.add({ title, parts: [changes] })
    return result
  }
  /** Tells the other parts of the mock what was edited. */
  const noteChanges = (changes: RecordChange[], records: RecordEditor): LoadedState => {
    for (const { kind, key, after } of changes) if (kind === 'projects' && after) usedIds.add(key)
    const hasSessions = changes.some(({ kind }) => kind === 'sessions')
    return hasSessions ? personas.replace(records.all('sessions') as SessionRecord[]) : {}
  }
  /** Replaces the whole state. The persona stays if the state has it. */
  const load = (state: State): LoadedState => {
    const loaded = replaceState(state)
    history.clear()
    return loaded
  }
  const restore = () => {
    replaceState(fixtures)
    scenarios.clear()
    for (const handler of own) if (handler instanceof WrappedHandler) handler.restart()
    for (const part of [personas, random, clock, delays, chaos, ids]) part.reset()
  }
  const clearLog = () => {
    log.clear()
    targets.clear(scenarios.forced())
  }
  /** Restores the fixtures and the initial settings. */
  const reset = () => {
    restore()
    history.clear()
    clearLog()
  }

  /** Returns the address of the page about an error code. @param host the Host header of the request */
  const docsUrl = options.docsUrl ?? ((code: ErrorCode, _host?: string) => `${baseUrl}${errorDocsPath(code)}`)
  const { onError = console.error } = options
  const api = createApi({ now: clock.now, newId, onError })
  /** The response with a reply, to a request for a path. @param host the Host header of the request */
  const respond = (reply: Reply, method: string, path: string, host?: string): Response =>
    toResponse(
      toJsonReply(reply, path, (code) => docsUrl(code, host)),
      method,
    )

  const jar = options.jar ?? noCookies
  const origins = [origin, ...(globalThis.location ? [location.origin] : [])]
  const writer = createLogWriter({
    log,
    targets,
    history,
    origins,
    space: options.space,
    logsBodies: options.logBodies ?? true,
    onRequest(entry) {
      const report = () => options.onRequest?.(toEntry(entry))
      return entry.before === entry.after ? report() : notifyStateChange().then(report)
    },
  })
  const forcing = createForcing(scenarios)
  const parts = { forcing, scenarios, targets, chaos, delays, personas, jar, writer, origins }
  const unanswered = createUnanswered(parts)
  const operations = operationRoutes({
    ...parts,
    unanswered,
    runScenario: createScenarioRunner(scenarios, forcing, api),
    async record(title) {
      const origin = await openStore()
      return trackChanges(title, origin, history, () => store === origin)
    },
    unknown: api.unknown,
    docsUrl,
    passesUnknown: options.unknown === 'pass',
  })
  const site = siteRoutes({
    personas,
    store: openStore,
    mockUrl: baseUrl,
    isAllowedOrigin: allowedOrigins(options.allowedOrigins),
  })
  const isServed = options.jar === undefined
  const handlersOf = (routes: MockRoute[]) => routes.map((route) => new MockHandler(route, baseUrl, jar))
  const ofOperations = handlersOf(operations)
  const onThrow = (error: unknown, { method, url, headers }: Request) => {
    onError(error)
    const message = 'A handler threw; see the output of the mock.'
    const reply = { ...operationalReply('INTERNAL_ERROR'), message }
    return respond(reply, method, new URL(url).pathname, headers.get('host') ?? undefined)
  }
  const runHandler = createHandlerRunner({
    ...parts,
    passesToMock: isServed,
    ...(isServed && { onThrow }),
  })
  const last = new UnansweredHandler(unanswered, runHandler, !isServed)
  let own: readonly AnyHandler[] = []
  /** Replaces the handlers of one's own. */
  const setHandlers = (given: readonly AnyHandler[]) => {
    if (!areHandlers(given))
      throw new ControlError('handlers is not a list of MSW handlers: [http.get(…), …].')
    own = given.map((handler) =>
      isRequestHandler(handler)
        ? new WrappedHandler(handler, placeOfHandler(handler, origins), runHandler)
        : handler,
    )
    targets.setHandlers(own.flatMap((handler) => (handler instanceof WrappedHandler ? [handler.place] : [])))
  }
  setHandlers(options.handlers ?? [])

  return {
    /** The handlers of one's own, wrapped. They come first. */
    own: () => own,
    setHandlers,
    /** The handlers of the operations, and what answers or logs the requests that are left. */
    handlers: [...ofOperations, ...handlersOf(site), last],
    /** Logs a request that no handler answers, with the response that it gets from elsewhere, if any. */
    unanswered: unanswered.log,
    controls: createControls({
      personas,
      scenarios,
      delays,
      chaos,
      clock,
      log,
      clearLog,
      targets,
      snapshots: options.snapshots ?? createMemorySnapshots(),
      history,
      exportState,
      state: async () => (await openStore()).state(),
      records: async () => (await openStore()).editor(() => {}),
      newId,
      async edit(title, change) {
        const parts: RecordChange[][] = []
        const records = (await openStore()).editor((changes) => parts.push(changes))
        const result = change(records)
        const loaded = noteChanges(parts.flat(), records)
        if (parts.length > 0) history.add({ title, parts })
        await notifyStateChange()
        return { ...loaded, ...result }
      },
      async load(state, title) {
        const loaded = changeState(title, () => replaceState(state))
        await notifyStateChange()
        return loaded
      },
      async goTo(state) {
        const loaded = replaceState(state)
        await notifyStateChange()
        return loaded
      },
      async reset() {
        changeState('reset', restore)
        clearLog()
        await notifyStateChange()
      },
      send: (id, edit) =>
        sendAgain(id, edit, {
          log,
          personas,
          baseUrl,
          handlers: () => [...own.filter(isRequestHandler), ...ofOperations, last],
          unanswered: unanswered.log,
        }),
      listeners,
    }),
    session: personas,
    /** The response to a request that no handler takes: 404, or 405 with Allow. */
    unknown: (method: string, path: string, host?: string) =>
      respond(api.unknown(method, path), method, path, host),
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
      const refusal = toJsonReply(reply, path, (code) => docsUrl(code, host))
      const request = { url: `${baseUrl}${path}`, method, headers }
      const { operation } = route(method, path)
      await writer.write(writer.begin(), {
        request,
        path,
        place: (operation && targets.find(operation)) ?? placeOfRequest(request, origins),
        status: reply.status,
        code: reply.code,
        why: 'origin check: a page of another site',
        response: { headers: refusal.headers, body: responseBody(refusal.body) },
      })
      return toResponse(refusal, method)
    },
    reset,
    export: exportState,
    load,
    /** Replaces the fixtures and resets the mock. */
    async setFixtures(state: State) {
      if (options.session !== undefined) personaNamed(options.session, state.sessions)
      fixtures = state
      changeState('fixtures', restore)
      notifyChange()
      await notifyStateChange()
    },
  }
}

/** WebSocket handlers have no requests. */
const isRequestHandler = (handler: AnyHandler): handler is RequestHandler => handler.kind === 'request'

const projectIds = (state: State) => new Set(state.projects.map(({ id }) => id))

import type { RequestHandler } from 'msw'
import { v7 as uuidV7 } from 'uuid'
import { errorDocsPath } from '../../contract/errors.js'
import { type Api, createApi } from '../../handlers/api.js'
import type { DocsUrl } from '../../handlers/reply.js'
import { createMemoryStore } from '../../store/memory-store.js'
import type { State } from '../../store/state.js'
import { type CookieJar, MockHandler, type MockRoute } from './mock-handler.js'
import { inJson, operationRoutes, type RequestEntry } from './operation-routes.js'
import { createPersonas, type Personas, personaNamed } from './personas.js'
import { siteRoutes } from './site-routes.js'

export type MockOptions = {
  /** What the mock begins with, and returns to on reset. */
  fixtures: State
  /** The persona that `session=active` stands for at first; the first of the fixtures where it is left out. */
  session?: string
  /** Where the front end expects the service, e.g. `http://127.0.0.1:4010`; a path prefix is allowed. */
  baseUrl: string
  /** Where the page about an error code is; below `baseUrl` where it is left out. */
  docsUrl?: DocsUrl
  now?(): Date
  newId?(): string
  /** Told of each request before its answer leaves; the answer waits for it. */
  onRequest?(entry: RequestEntry): void | Promise<void>
  /** Where the session cookie is kept; MSW's ways apply where it is left out. */
  jar?: CookieJar
  /** Told of each bug; by default the console is. */
  onError?(error: unknown): void
}

/** The mock: MSW handlers made from the operations table, and the controls of the state behind them. */
export type MockApi = {
  /** To give to `setupWorker`, `setupServer` or `getResponse`, among one's own. */
  handlers: RequestHandler[]
  session: Pick<Personas, 'list' | 'current' | 'use'>
  /** Answers what no handler takes: 404, or 405 with Allow. */
  unknown(method: string, path: string): Response
  /** Returns to the fixtures and to the persona of the beginning. */
  reset(): void
  /** Everything the mock holds, as a state file. */
  export(): Promise<State>
  /** Replaces everything the mock holds. */
  load(state: State): void
}

/** @throws UnknownPersonaError where the fixtures have no such `session` */
export function createMockApi(options: MockOptions): MockApi {
  const base = new URL(options.baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const now = options.now ?? (() => new Date())

  if (options.session !== undefined) personaNamed(options.session, options.fixtures.sessions)
  let store = createMemoryStore(options.fixtures)
  const personas = createPersonas(() => store, now, options.session)

  // The store is replaced on reset, so that each call looks it up anew.
  const api: Api = createApi({
    store: new Proxy(store, { get: (_, method) => Reflect.get(store, method) }),
    now,
    newId: options.newId ?? (() => uuidV7()),
    docsUrl: options.docsUrl ?? ((code) => `${base.origin}${prefix}${errorDocsPath(code)}`),
    onError: options.onError ?? console.error,
  })

  const load = (state: State) => {
    store = createMemoryStore(state)
    personas.reset()
  }

  const routes = [
    ...operationRoutes({ api, resolveSession: personas.resolve, onRequest: options.onRequest ?? (() => {}) }),
    ...siteRoutes(personas, () => store),
  ]

  return {
    handlers: routes.map((route) => new MockHandler(below(base.origin, prefix, route), options.jar)),
    session: personas,
    unknown(method, path) {
      const { body, ...init } = inJson(api.unknown(method, path), method)
      return new Response(body, init)
    },
    reset: () => load(options.fixtures),
    export: () => store.export(),
    load,
  }
}

/** A route that takes only requests to the base URL, and sees paths as the contract writes them. */
function below(origin: string, prefix: string, route: MockRoute): MockRoute {
  const strip = (url: URL) => {
    if (prefix === '') return url
    const stripped = new URL(url)
    stripped.pathname = url.pathname.slice(prefix.length)
    return stripped
  }
  return {
    ...route,
    path: `${origin}${prefix}${route.path}`,
    match: (method, url) =>
      url.origin === origin && url.pathname.startsWith(`${prefix}/`)
        ? route.match(method, strip(url))
        : undefined,
    resolve: (incoming) => route.resolve({ ...incoming, url: strip(incoming.url) }),
  }
}

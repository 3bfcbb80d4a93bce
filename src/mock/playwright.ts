import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { defineNetworkFixture, type NetworkFixture, type NetworkFixtureOptions } from '@msw/playwright'
import { type BrowserContext, test as base, type Request as SentRequest } from '@playwright/test'
import type { AnyHandler } from 'msw'
import { sessionCookie } from '../contract/cookie.js'
import { connectToMock } from './control.js'
import { spaceHeader } from './controls/control-endpoints.js'
import type { Controls } from './controls/controls.js'
import { assembleMock, type HandlerOptions, type Mock } from './create-mock.js'
import { noticeAbort } from './engine/notice-abort.js'
import { type Following, followRequest } from './engine/request-follower.js'
import { noCookies } from './engine/session-jar.js'
import type { Persona } from './state/listed-personas.js'
import type { NewPersona } from './state/new-records.js'
import { markerCookie, signInMarker } from './state/sign-in-cookies.js'

/** The options of each test's mock. `handlers` are the user's MSW handlers, which come first. */
export type TestMockOptions = Partial<Pick<NetworkFixtureOptions, 'onUnhandledRequest'>> &
  (
    | (Omit<HandlerOptions, 'jar'> & { url?: undefined })
    | {
        /** The URL of a running mock. Each test gets a space of it, instead of its own mock. */
        url: string
        session?: string
        handlers?: HandlerOptions['handlers']
      }
  )

/** The mock of a test, in this process or as a space of a running mock. */
export type TestMock = Pick<
  Controls,
  | ('data' | 'scenarios' | 'delay' | 'chaos' | 'clock' | 'state' | 'snapshots' | 'reset')
  | ('calls' | 'waitForRequest' | 'expectCalls')
> & {
  log: Pick<Controls['log'], 'read' | 'clear'>
  /** The session, as a cookie of the test's browser context. */
  session: {
    list(): Promise<TestPersona[]>
    /** The persona that `session=active` stands for. */
    current(): Promise<TestPersona | undefined>
    /** Signs in as this persona. */
    use(id: string): Promise<void>
    /** Adds a persona with its user, and with its team if the organisation has none. */
    add(persona: NewPersona): Promise<TestPersona>
    /** Removes a persona, and its user if no other persona has that user. */
    remove(id: string): Promise<void>
    signOut(): Promise<void>
  }
  /** For another browser context that shares this mock. Empty over a running mock. */
  handlers: Mock['handlers']
  /** MSW's binding. `network.use` adds handlers for this test, which come first. */
  network: NetworkFixture
}

export type TestPersona = Pick<Persona, 'id' | 'orgCode' | 'role' | 'note'>

export type MockFixtures = {
  /** The options of `mock`, for `use` in the configuration or in a file of tests. */
  mockOptions: TestMockOptions
  /** The space of this test. Undefined without the `url` of a running mock. */
  mockSpace: string | undefined
  /** Answers the requests of the test's pages. Each test gets a new one, also without naming it. */
  mock: TestMock
}

/**
 * Playwright's `test` with a mock for each test. The page must not start a service worker, which would answer first. Without
 * `baseUrl`, the service is expected at the origin of Playwright's `baseURL`.
 */
export const test = base.extend<MockFixtures>({
  mockOptions: [{}, { option: true }],

  // The context depends on the space, so that it is closed first: a late request would create the space again.
  mockSpace: async ({ mockOptions: { url } }, provide) => {
    if (url === undefined) return provide(undefined)
    const name = randomUUID()
    const { spaces } = connectToMock(url)
    await spaces.create(name)
    await provide(name)
    // An idle space may be gone already.
    if ((await spaces.list()).includes(name)) await spaces.remove(name)
  },

  extraHTTPHeaders: ({ extraHTTPHeaders, mockSpace }, provide) =>
    provide(withSpace(extraHTTPHeaders, mockSpace)),

  mock: [
    async ({ mockOptions, mockSpace, extraHTTPHeaders, baseURL, context }, provide) => {
      const { handlers = [], onUnhandledRequest, session, url } = mockOptions
      // A test file that sets headers replaces those of the fixture.
      const headers = withSpace(extraHTTPHeaders, mockSpace)
      if (headers) await context.setExtraHTTPHeaders(headers)

      const pages = baseURL === undefined ? undefined : new URL(baseURL).origin
      const { routed, follow } = followContext(context)
      const mock: Backend =
        url === undefined
          ? inProcess(mockOptions, pages, follow)
          : { ...connectToMock(url, mockSpace === undefined ? {} : { space: mockSpace }), handlers: [] }
      const given = typeof handlers === 'function' ? handlers() : handlers
      const network = defineNetworkFixture({
        context: routed,
        // A mock in this process has wrapped these handlers.
        handlers: url === undefined ? mock.handlers : (given as AnyHandler[]),
        ...(onUnhandledRequest && { onUnhandledRequest }),
      })
      await network.enable()
      context.on('serviceworker', warnOfWorker)

      const service = url ?? (mockOptions as HandlerOptions).baseUrl
      const cookies = cookiesOf(context, [pages, service])
      const signedIn = sessionOf(mock, cookies)
      if (session !== undefined && !isKnown(await cookies.read(), await signedIn.list())) {
        await signedIn.use(session)
      }

      await provide({
        ...mock,
        network,
        session: signedIn,
        async reset() {
          await mock.reset()
          await (session === undefined ? cookies.clear() : signedIn.use(session))
        },
      })

      context.off('serviceworker', warnOfWorker)
      await network.disable()
    },
    { auto: true },
  ],
})

/** The controls of the test's mock, in this process or of a running mock's space. */
type Backend = Omit<TestMock, 'network' | 'session'> & Pick<Controls, 'sessions'>

function inProcess(options: HandlerOptions, pages: string | undefined, follow: Follow): Backend {
  const baseUrl = options.baseUrl ?? pages
  if (baseUrl === undefined) {
    throw new Error(
      'The mock has no address. Set `use.baseURL` in the configuration of Playwright, or `mockOptions.baseUrl`.',
    )
  }
  // The browser context stores the cookies.
  const { mock, signIn } = assembleMock({ ...options, baseUrl, jar: noCookies, follow })
  signIn()
  return mock
}

type Follow = NonNullable<Parameters<typeof assembleMock>[0]>['follow']

/**
 * Follows the requests of a browser context. Its routes get aborted requests, too.
 * @returns the context whose routes run with their request, and what follows the request of the route that runs
 */
function followContext(context: BrowserContext): { routed: BrowserContext; follow: Follow } {
  const running = new AsyncLocalStorage<SentRequest>()
  const followed = new WeakMap<SentRequest, Following>()
  context.on('requestfailed', (request) => followed.get(request)?.failed())
  context.on('requestfinished', (request) => followed.get(request)?.taken())
  const route: BrowserContext['route'] = (url, handler, options) =>
    context.route(url, (given, request) => running.run(request, () => handler(given, request)), options)
  const routed = new Proxy(context, {
    get(_, name) {
      const value: unknown = name === 'route' ? route : Reflect.get(context, name)
      return typeof value === 'function' ? value.bind(context) : value
    },
  })
  return {
    routed,
    follow() {
      const request = running.getStore()
      if (!request) return undefined
      const following = followRequest()
      followed.set(request, following)
      // It may have failed before its route ran.
      if (request.failure()) following.failed()
      const { signal, answered } = following
      return { signal, answered, noticeAbort: () => noticeAbort(signal) }
    },
  }
}

/** The session of either kind of mock. */
function sessionOf({ sessions }: Backend, cookies: ReturnType<typeof cookiesOf>): TestMock['session'] {
  const list = async () => (await sessions.list()).sessions
  return {
    list,
    async current() {
      const { active, sessions: personas } = await sessions.list()
      return personas.find(({ id }) => id === active)
    },
    async use(id) {
      await sessions.use(id)
      await cookies.signIn('active')
    },
    async add(persona) {
      const { sessions: personas } = await sessions.add(persona)
      return personas.find(({ id }) => id === persona.id) as Persona
    },
    async remove(id) {
      await sessions.remove(id)
    },
    signOut: cookies.signOut,
  }
}

const withSpace = (headers: Record<string, string> | undefined, space: string | undefined) =>
  space === undefined ? headers : { ...headers, [spaceHeader]: space }

/** The session cookie of a browser context, for the origin of its pages and that of the service. */
function cookiesOf(context: BrowserContext, addresses: (string | undefined)[]) {
  const urls = addresses.filter((url) => url !== undefined)
  const set = (name: string, value: string) =>
    context.addCookies(urls.map((url) => ({ name, value, url: new URL('/', url).href })))
  const clear = async () => {
    for (const url of urls) {
      await context.clearCookies({ name: sessionCookie, domain: new URL(url).hostname })
    }
  }
  return {
    async read(): Promise<string | undefined> {
      return (await context.cookies(urls)).find(({ name }) => name === sessionCookie)?.value
    },
    signIn: (id: string) => set(sessionCookie, id),
    clear,
    async signOut() {
      await clear()
      // For a server that was started with `session`.
      await set(markerCookie, signInMarker(undefined, Date.now()))
    },
  }
}

const isKnown = (cookie: string | undefined, personas: TestPersona[]): boolean =>
  cookie === 'active' || personas.some(({ id }) => id === cookie)

function warnOfWorker(worker: { url(): string }): void {
  if (!worker.url().includes('mockServiceWorker')) return
  console.warn(
    `The page has registered the service worker ${worker.url()}: what that answers does not reach the mock of Playwright's ` +
      "fixture. Do not start a mock in the page, or set `use.serviceWorkers` to 'block'.",
  )
}

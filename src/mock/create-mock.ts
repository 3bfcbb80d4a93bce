import type { AnyHandler, RequestHandler } from 'msw'
import type * as z from 'zod'
import demo from '#demo-fixture'
import { onlyValid } from '../contract/cookie.js'
import { parseState, type State, type StateFile } from '../store/state-file.js'
import type { SessionControls } from './controls/controls.js'
import type { RunnableControls } from './controls/run-control.js'
import { pageCookies } from './engine/page-cookies.js'
import { followPage } from './engine/page-requests.js'
import { createJar } from './engine/session-jar.js'
import type { GivenHandler, GivenHandlers, OwnRequestHandler } from './engine/user-handlers.js'
import type { MockOptions } from './log/log-parts.js'
import { createMockApi, type Hooks } from './mock-api.js'
import { ControlError } from './state/control-error.js'
import { type LoadedState, personaNamed } from './state/personas.js'

/** A state file as imported from JSON, or written out. Lists may be left out. */
export type Fixtures = Omit<z.input<typeof StateFile>, 'version'> & { version: number }

/** The options of a mock, all optional. */
export type HandlerOptions<Given extends GivenHandler = GivenHandler> = Partial<
  Omit<MockOptions, 'fixtures' | 'space' | 'handlers'>
> & {
  /** The initial state, restored by a reset. Default: the demo fixture. */
  fixtures?: Fixtures
  /**
   * Your MSW handlers, which come first, or a function that makes them for each mock. All but WebSocket handlers are logged,
   * delayed and forced as operations are.
   */
  handlers?: GivenHandlers<Given>
}

/** A mock of the whole interface, to use among other MSW handlers, with all of its controls. */
export type Mock<Handler = RequestHandler> = RunnableControls & {
  /** For `setupWorker`, `setupServer`, or the handlers of a story. The user's own come first. */
  handlers: Handler[]
  session: SessionControls
  /**
   * Restores everything, as `Controls.reset` does. With `session`, signs in as that persona again; otherwise signs out. A
   * page keeps a cookie that names no persona.
   */
  reset(): Promise<void>
}

/**
 * Creates a mock with its controls. In a page, the session is the page's own cookie. With `session`, requests are signed
 * in as that persona initially; a page keeps the cookie of another persona. Its handlers have the class of the given ones: a
 * CommonJS module without any names it, as `createMock<RequestHandler>()`.
 * @throws StateError if the fixtures are not valid, UnknownPersonaError
 */
export function createMock<Given extends GivenHandler = AnyHandler>(
  options?: HandlerOptions<Given>,
): Mock<OwnRequestHandler<Given>> {
  const { mock, signIn } = assembleMock(options)
  signIn()
  return mock as Mock<OwnRequestHandler<Given>>
}

/** Resolves a base URL, which may be relative in a page. @throws ControlError unless it is an HTTP URL */
function absolute(baseUrl: string): string {
  const page = globalThis.location?.href
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new ControlError(`"${baseUrl}" is not a base URL: give one such as http://api.test.`)
}

/** A document at `about:blank`, or of a file, has no origin: its text is "null". */
const originOfPage = () => (URL.canParse(globalThis.location?.origin) ? location.origin : undefined)

/** A mock with further parts for the entry points. */
type AssembledMock = {
  mock: Mock
  /** Lets the process end although requests are waiting. */
  release(): void
  /** Replaces the whole state. Reports a missing persona on the console. */
  load(state: State): void
  /** Signs in as the persona of `session`, unless the page has a persona's cookie. */
  signIn(): void
  /** Called with each `response:mocked` of MSW's worker: its request was answered, and not aborted before. */
  taken(requestId: string): void
}

export function assembleMock(options: HandlerOptions & Pick<Hooks, 'follow'> = {}): AssembledMock {
  const isPage = options.jar === undefined && globalThis.document !== undefined
  const requests = isPage ? followPage() : undefined
  const jar = options.jar ?? (isPage ? pageCookies() : createJar())
  // A page's cookie shows the id of the persona.
  const signInAs = (id: string | null) =>
    jar.set(isPage ? (id ?? undefined) : id === null ? undefined : 'active')
  const cookiesOfPage = () => (isPage ? jar.read(new Request(location.href, { credentials: 'include' })) : [])
  const cookieOfPage = () => onlyValid(cookiesOfPage(), personas.isKnown)
  const report = ({ active, warning }: LoadedState) => {
    if (warning) console.warn(warning)
    if (warning && cookieOfPage()) jar.set(active)
  }
  const { controls, others, handlers, personas, load, release } = createMockApi(
    {
      ...options,
      jar,
      fixtures: parseState(options.fixtures ?? demo),
      baseUrl: options.baseUrl ? absolute(options.baseUrl) : (originOfPage() ?? 'http://localhost'),
    },
    {
      follow: options.follow ?? requests?.follow,
      onLoaded: report,
      onUse: signInAs,
      onReset() {
        if (options.session !== undefined) signInAs(options.session)
        else if (!isPage || cookiesOfPage().some((value) => personas.isKnown(value))) jar.set(undefined)
      },
    },
  )
  const { sessions } = controls
  const named = async (id: string) => personaNamed(id, await personas.list())

  const mock: Mock = {
    ...controls,
    // WebSocket handlers bypass the mock; MSW takes both kinds in one list.
    handlers: [...handlers, ...others()] as RequestHandler[],
    session: {
      list: personas.list,
      current: async () => personas.current(),
      async use(id) {
        await sessions.use(id)
        return named(id)
      },
      async add(persona) {
        await sessions.add(persona)
        return named(persona.id)
      },
      async remove(id) {
        await sessions.remove(id)
      },
      signOut: () => void sessions.use(null),
    },
  }
  return {
    mock,
    taken: (requestId) => requests?.taken(requestId),
    release,
    load: (state) => report(load(state)),
    signIn() {
      if (options.session !== undefined && !personas.isKnown(cookieOfPage())) signInAs(options.session)
    },
  }
}

import type { RequestHandler } from 'msw'
import type * as z from 'zod'
import demo from '#demo-fixture'
import { onlyValid } from '../contract/cookie.js'
import { parseState, type State, type StateFile } from '../store/state-file.js'
import { ControlError } from './core/control-error.js'
import type { Controls, SessionControls } from './core/controls.js'
import { createMockApi } from './core/mock-api.js'
import type { MockOptions } from './core/mock-parts.js'
import { pageCookies } from './core/page-cookies.js'
import { type LoadedState, personaNamed } from './core/personas.js'
import { createJar } from './core/session-jar.js'

/** A state file as it is imported from JSON, or written out; lists may be left out. */
export type Fixtures = Omit<z.input<typeof StateFile>, 'version'> & { version: number }

/** The options of a mock, all optional. */
export type HandlerOptions = Partial<Omit<MockOptions, 'fixtures' | 'space'>> & {
  /** The initial state, restored by a reset. Defaults to the demo fixture. */
  fixtures?: Fixtures
}

/** A mock of the whole interface, to use among other MSW handlers, with all of its controls. */
export type Mock = Controls & {
  /** For `setupWorker`, `setupServer`, or the handlers of a story. The user's own come first. */
  handlers: RequestHandler[]
  session: SessionControls
  /**
   * Restores everything, as `Controls.reset` does. With `session`, signs in as that persona again; otherwise signs out. A
   * cookie of a page that names no persona stays.
   */
  reset(): Promise<void>
}

/**
 * Creates a mock with its controls. In a page, the session is the page's own cookie. With `session`, requests are signed
 * in as that persona initially; a page keeps the cookie of another persona.
 * @throws StateError if the fixtures are not valid, UnknownPersonaError
 */
export function createMock(options?: HandlerOptions): Mock {
  const { mock, signIn } = assembleMock(options)
  signIn()
  return mock
}

/** In a page, a base URL may be relative, as in `fetch`. @throws ControlError for one that is not of HTTP */
function absolute(baseUrl: string): string {
  const page = globalThis.location?.href
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new ControlError(`"${baseUrl}" is not a base URL: give one such as http://api.test.`)
}

/** A mock with what only the entry points use. */
export function assembleMock(options: HandlerOptions = {}) {
  const isPage = options.jar === undefined && globalThis.document !== undefined
  const jar = options.jar ?? (isPage ? pageCookies() : createJar())
  const report = ({ active, warning }: LoadedState) => {
    if (warning) console.warn(warning)
    if (warning && cookieOfPage()) jar.set(active)
  }
  const { controls, others, handlers, personas, load, release } = createMockApi(
    {
      ...options,
      jar,
      fixtures: parseState(options.fixtures ?? demo),
      baseUrl: options.baseUrl
        ? absolute(options.baseUrl)
        : (globalThis.location?.origin ?? 'http://localhost'),
    },
    report,
  )
  const { sessions } = controls
  // A page's cookie shows the name of the persona.
  const signInAs = (id: string) => jar.set(isPage ? id : 'active')
  const cookiesOfPage = () => (isPage ? jar.read(new Request(location.href, { credentials: 'include' })) : [])
  const cookieOfPage = () => onlyValid(cookiesOfPage(), personas.isKnown)
  const named = async (id: string) => personaNamed(id, await personas.list())

  const mock: Mock = {
    ...controls,
    // Those of WebSocket have no requests, and MSW takes them in the same list.
    handlers: [...handlers, ...others()] as RequestHandler[],
    sessions: {
      ...sessions,
      async use(id) {
        await named(id)
        signInAs(id)
        return sessions.use(id)
      },
    },
    session: {
      list: personas.list,
      current: personas.current,
      async use(id) {
        await mock.sessions.use(id)
        return named(id)
      },
      async add(persona) {
        await sessions.add(persona)
        return named(persona.id)
      },
      async remove(id) {
        await sessions.remove(id)
      },
      signOut: () => jar.set(undefined),
    },
    reset() {
      const done = controls.reset()
      if (options.session !== undefined) signInAs(options.session)
      else if (!isPage || cookiesOfPage().some((value) => personas.isKnown(value))) jar.set(undefined)
      return done
    },
  }
  return {
    mock,
    /** Lets the process end although requests are waiting for their delays. */
    release,
    /** Replaces the whole state. A persona that it lacks is reported on the console. */
    load: (state: State) => report(load(state)),
    /** Signs in as the persona of `session`, unless the page has the cookie of one already. */
    signIn() {
      if (options.session !== undefined && !personas.isKnown(cookieOfPage())) signInAs(options.session)
    },
  }
}

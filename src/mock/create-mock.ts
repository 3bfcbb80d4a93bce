import type { RequestHandler } from 'msw'
import type * as z from 'zod'
import demo from '#demo-fixture'
import { cookieValues, onlyValid } from '../contract/cookie.js'
import { parseState, type State, type StateFile } from '../store/state-file.js'
import type { Controls, SessionControls, SessionList } from './core/controls.js'
import { createMockApi, type MockOptions } from './core/mock-api.js'
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
  /** For `setupWorker`, `setupServer`, or the handlers of a story. Those of one's own come first. */
  handlers: RequestHandler[]
  session: SessionControls
  /**
   * Restores everything, as `Controls.reset` does. With `session`, signs in as that persona again; otherwise signs out in
   * Node, and leaves the cookie of a page.
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

/** A mock with what only the entry points use. */
export function assembleMock(options: HandlerOptions = {}) {
  const isPage = options.jar === undefined && globalThis.document !== undefined
  const jar = options.jar ?? (isPage ? pageCookies() : createJar())
  const { controls, own, handlers, session, load } = createMockApi({
    ...options,
    jar,
    fixtures: parseState(options.fixtures ?? demo),
    baseUrl: options.baseUrl || (globalThis.location?.origin ?? 'http://localhost'),
  })
  const { sessions, data, state, snapshots, log, undo, redo } = controls
  // A page's cookie shows the name of the persona.
  const signInAs = (id: string) => jar.set(isPage ? id : 'active')
  const cookieOfPage = () => (isPage ? onlyValid(cookieValues(document.cookie), session.isKnown) : undefined)

  const report = <Result extends LoadedState>(loaded: Result): Result => {
    const { active, warning } = loaded
    if (warning) console.warn(warning)
    if (warning && cookieOfPage()) jar.set(active)
    return loaded
  }

  /** Whoever asks is the page, or the code of the test. */
  const listed = async (): Promise<SessionList> => {
    const list = await sessions.list({ cookies: [jar.get() ?? []].flat() })
    return { ...list, withoutCookie: list.you }
  }
  const signInTo = async (id: string) => {
    const persona = await session.use(id)
    signInAs(id)
    return persona
  }

  const mock: Mock = {
    ...controls,
    // Those of WebSocket have no requests, and MSW takes them in the same list.
    handlers: [...own(), ...handlers] as RequestHandler[],
    data: {
      ...data,
      set: async (...args) => report(await data.set(...args)),
      remove: async (...args) => report(await data.remove(...args)),
    },
    undo: async () => report(await undo()),
    redo: async () => report(await redo()),
    log: { ...log, rewind: async (...args) => report(await log.rewind(...args)) },
    state: { ...state, load: async (next) => report(await state.load(next)) },
    snapshots: { ...snapshots, load: async (name) => report(await snapshots.load(name)) },
    sessions: {
      list: listed,
      async use(id) {
        await signInTo(id)
        return listed()
      },
      async add(persona) {
        await sessions.add(persona)
        return listed()
      },
      async remove(id) {
        const { warning } = report(await sessions.remove(id))
        return { ...(await listed()), warning }
      },
    },
    session: {
      list: session.list,
      current: session.current,
      use: signInTo,
      async add(persona) {
        await sessions.add(persona)
        return personaNamed(persona.id, await session.list())
      },
      async remove(id) {
        report(await sessions.remove(id))
      },
      signOut: () => jar.set(undefined),
    },
    reset() {
      const done = controls.reset()
      if (options.session !== undefined) signInAs(options.session)
      else if (!isPage) jar.set(undefined)
      return done
    },
  }
  return {
    mock,
    /** Replaces the whole state. A persona that it lacks is reported on the console. */
    load: (state: State) => report(load(state)),
    /** Signs in as the persona of `session`, unless the page has the cookie of one already. */
    signIn() {
      if (options.session !== undefined && !session.isKnown(cookieOfPage())) signInAs(options.session)
    },
  }
}

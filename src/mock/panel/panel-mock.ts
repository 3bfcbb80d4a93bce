import { cookieSentOnce } from '../../contract/cookie.js'
import type { Controls, SessionControls } from '../core/controls.js'
import { pageCookies } from '../core/page-cookies.js'

/** The controls that the panel uses: of a mock in the page, or of one that `connectToMock` controls. */
export type PanelMock = PanelControls & (InPage | Remote)

type PanelControls = Pick<Controls, 'scenarios' | 'delay' | 'chaos' | 'undo' | 'redo' | 'reset'> & {
  log: Pick<Controls['log'], 'read' | 'entry' | 'send' | 'rewind'>
}
type InPage = {
  session: Pick<SessionControls, 'list' | 'current' | 'use' | 'signOut'>
  log: Pick<Controls['log'], 'subscribe'>
  onChange: Controls['onChange']
}
type Remote = {
  sessions: Pick<Controls['sessions'], 'list' | 'use'>
  log: { follow(signal: AbortSignal): AsyncIterable<unknown> }
}

/** A persona that can be chosen. */
export type PanelPersona = { id: string; note?: string }

/** The personas, the one who is signed in, and changes, alike for both kinds of mock. */
export type PanelSource = {
  /** `current` is the name of the persona in the page's cookie, also if the mock does not have it. */
  personas(): Promise<{ personas: PanelPersona[]; current: string | undefined }>
  use(id: string): Promise<unknown>
  signOut(): Promise<unknown>
  /** Calls the listener after each request and change, until the signal is aborted. */
  watch(listener: () => void, signal: AbortSignal): void
}

export const sourceOf = (mock: PanelMock): PanelSource => ('session' in mock ? inPage(mock) : remote(mock))

/** A sign-in at a server adds its time to the name of the persona. */
const currentPersona = (active: string | undefined): string | undefined => {
  const cookie = cookieSentOnce(document.cookie)
  return cookie === 'active' ? active : cookie?.split('~')[0]
}

const inPage = ({ session, log, onChange }: InPage): PanelSource => ({
  async personas() {
    const [personas, active] = await Promise.all([session.list(), session.current()])
    return { personas, current: currentPersona(active?.id) }
  },
  use: session.use,
  signOut: async () => session.signOut(),
  watch(listener, signal) {
    for (const stop of [log.subscribe(listener), onChange(listener)]) signal.addEventListener('abort', stop)
  },
})

const remote = ({ sessions, log }: Remote): PanelSource => ({
  async personas() {
    const { active, sessions: personas } = await sessions.list()
    return { personas, current: currentPersona(active) }
  },
  async use(id) {
    await sessions.use(id)
    pageCookies().set('active')
  },
  signOut: () => fetch('/auth/sign-out', { method: 'POST' }),
  watch(listener, signal) {
    const follow = async () => {
      for await (const _ of log.follow(signal)) listener()
    }
    // The mock may be restarted.
    const followAgain = () => {
      if (!signal.aborted) setTimeout(start, 2000)
    }
    const start = () => follow().then(followAgain, followAgain)
    void start()
  },
})

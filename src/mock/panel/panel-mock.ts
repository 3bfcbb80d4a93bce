import type { Controls } from '../controls/controls.js'
import type { RunnableControls } from '../controls/run-control.js'
import { setsSession } from '../engine/page-cookies.js'

/** The mock of the launcher: in the page, or controlled by `connectToMock`. */
export type PanelMock = PageMock | ServedMock

/** A mock in this page, the result of `startMockApi` or `createMock`. */
export type PageMock = RunnableControls & { session: object }

/** A mock at the origin of this page. */
export type ServedMock = Pick<Controls, 'sessions' | 'scenarios' | 'chaos' | 'undo' | 'history'> & {
  log: { follow(signal: AbortSignal): AsyncIterable<unknown> }
}

export const isInPage = (mock: PanelMock): mock is PageMock => 'session' in mock

/** Signs in as a persona, or with null out: a change of the mock, which `undo` takes back. */
export async function become(mock: PanelMock, id: string | null): Promise<void> {
  await mock.sessions.use(id)
  if (isInPage(mock)) return
  if (!setsSession('active')) throw new Error('The browser has not taken the session cookie of this page.')
}

/** Calls the listener after each request and change, until the signal is aborted. */
export function watchMock(mock: PanelMock, listener: () => void, signal: AbortSignal): void {
  if (isInPage(mock)) {
    for (const stop of [mock.log.subscribe(listener), mock.onChange(listener)])
      signal.addEventListener('abort', stop)
    return
  }
  const follow = async () => {
    for await (const _ of mock.log.follow(signal)) listener()
  }
  // The mock may be restarted.
  const followAgain = () => {
    if (!signal.aborted) setTimeout(start, 2000)
  }
  const start = () => follow().then(followAgain, followAgain)
  void start()
}

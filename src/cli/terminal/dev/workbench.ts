import { terminalSize } from '../../output/output.js'
import type { RunningMock } from '../../start-mock.js'
import type { KeyPress } from '../key-press.js'
import { showLive } from '../live.js'
import { openPage } from '../open-page.js'
import { bodyHeight, DevScreen, type Notice } from '../views/dev-screen.js'
import { type MockSnapshot, readMockSnapshot } from './mock-snapshot.js'
import { pageRows } from './pages.js'
import type { Screen } from './screen-types.js'
import { reduceKey } from './screens.js'

export type Workbench = {
  /** Shows a sentence until the next one. */
  notify(type: Notice['type'], text: string): void
  /** Shows an error of the fixture file until it is called without one. */
  setFixtureError(error?: string): void
  /** Settles when the user quits; rejects if rendering fails. */
  ended: Promise<unknown>
  /** Restores the terminal. */
  stop(): Promise<void>
}

/** The shortest time between two reads of the mock's state, in milliseconds. */
const refreshIntervalMs = 50

/** Shows a running mock on the terminal, follows its changes, and handles keys. */
export async function showWorkbench({ url, controls }: RunningMock): Promise<Workbench> {
  let mock: MockSnapshot = { url, ...(await readMockSnapshot(controls)) }
  let screen: Screen = { type: 'log' }
  let notice: Notice | undefined
  let redraw = () => {}
  let quit = () => {}
  const quitted = new Promise<void>((resolve) => {
    quit = resolve
  })
  const update = (changes: Partial<MockSnapshot>) => {
    mock = { ...mock, ...changes }
    redraw()
  }
  const notify = (type: Notice['type'], text: string) => {
    notice = { type, text }
    redraw()
  }

  let timer: NodeJS.Timeout | undefined
  const refresh = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      readMockSnapshot(controls).then(update, (error: Error) => notify('error', error.message))
    }, refreshIntervalMs)
  }
  const unsubscribe = [controls.onChange(refresh), controls.log.subscribe(refresh)]

  /** Runs what changes the mock; the list or prompt that began it closes, unless it was refused. */
  const run = (effect: () => Promise<string>, from: Screen) =>
    effect().then(
      (done) => {
        if (screen === from && screen.type !== 'page')
          screen = { type: 'log', ...(from.type === 'log' && from) }
        notify('success', done)
        refresh()
      },
      ({ message }: Error) => {
        if (screen !== from || from.type !== 'prompt') return notify('error', message)
        screen = { ...from, error: message }
        redraw()
      },
    )

  const press = (key: KeyPress) => {
    const { width, height } = terminalSize()
    const rows = screen.type === 'page' ? pageRows(screen, mock, width).length : 0
    const action = reduceKey(screen, key, mock, { height: bodyHeight(screen, mock, height), rows })
    screen = action.screen ?? screen
    notice = action.notice === undefined ? undefined : { type: 'success', text: action.notice }
    if (screen.type === 'page' && screen.id !== undefined && mock.details?.id !== screen.id) {
      // Of a request that is no longer in the log, the screen says so.
      controls.log.entry(screen.id).then(
        (details) => update({ details }),
        () => {},
      )
    }
    const { effect } = action
    if (effect) void run(() => effect(controls), screen)
    if (action.does === 'open')
      void run(() => openPage(url).then(() => 'Opened the page in the browser.'), screen)
    if (action.does === 'quit') quit()
    redraw()
  }

  const view = await showLive(
    (size) => DevScreen({ mock, screen, notice, ...size }),
    press,
    (text) => notify('error', text.trim().split('\n')[0] ?? ''),
  )
  redraw = view.redraw
  return {
    notify,
    setFixtureError: (fixtureError) => update({ fixtureError }),
    ended: Promise.race([quitted, view.ended]),
    stop() {
      for (const end of unsubscribe) end()
      clearTimeout(timer)
      return view.stop()
    },
  }
}

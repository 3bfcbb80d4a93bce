import type { Controls } from '../../../mock/core/controls.js'
import { terminalSize } from '../../output/output.js'
import type { KeyPress } from '../key-press.js'
import { runEffect } from './effect.js'
import { type MockSnapshot, readDataPage, readLog, readMockSnapshot } from './mock-snapshot.js'
import { reduceKey, reduceOutcome } from './reduce.js'
import { initialUi, type Notice, type Ui } from './screens.js'

export type Workbench = {
  snapshot(): MockSnapshot
  ui(): Ui
  press(press: KeyPress): void
  /** Shows a sentence until the next key. */
  notify(type: Notice['type'], text: string): void
  /** Shows an error of the fixture file until it is called without one. */
  setFixtureError(error?: string): void
  /** Settles when the user quits. */
  ended: Promise<void>
  stop(): void
}

/** The shortest time between two reads of the mock's state, in milliseconds. */
const refreshIntervalMs = 50

/**
 * Connects a mock's controls with the screen: holds what is shown, and follows changes of the mock.
 * @param onChange called when the screen must be redrawn
 */
export async function createWorkbench(
  options: { url: string; controls: Controls; openPage(): Promise<void> },
  onChange: () => void,
): Promise<Workbench> {
  const { url, controls, openPage } = options
  let mock: MockSnapshot = { url, ...(await readMockSnapshot(controls)) }
  let ui = initialUi
  let quit = () => {}
  const ended = new Promise<void>((resolve) => {
    quit = resolve
  })
  const setUi = (next: Ui) => {
    ui = next
    onChange()
  }
  const update = (changes: Partial<MockSnapshot>) => {
    mock = { ...mock, ...changes }
    onChange()
  }
  const notify = (type: Notice['type'], text: string) => setUi({ ...ui, notice: { type, text } })

  /** Reads the records that the screen shows. */
  const readData = async () => {
    const { screen } = ui
    if (screen.type === 'data') update({ data: await readDataPage(controls, screen) })
  }

  const refresh = throttle(refreshIntervalMs, () =>
    Promise.all([readMockSnapshot(controls).then(update), readData()]).then(
      () => {},
      (error: Error) => notify('error', error.message),
    ),
  )
  const refreshLog = throttle(refreshIntervalMs, async () => {
    update({ log: await readLog(controls) })
    await readData()
  })
  const loadDetails = (id: number) => {
    if (mock.details?.id === id) return
    controls.log.entry(id).then(
      (details) => update({ details }),
      // It is no longer in the log, which the screen says.
      () => {},
    )
  }
  const unsubscribe = [controls.onChange(refresh.call), controls.log.subscribe(refreshLog.call)]

  return {
    snapshot: () => mock,
    ui: () => ui,
    press(press) {
      const previous = ui.screen
      const { ui: next, effect } = reduceKey(ui, press, mock, terminalSize())
      setUi(next)
      // The folder of snapshots is not watched, so lists are read again when they open.
      if (next.screen.type === 'list' && previous.type !== 'list') refresh.call()
      if (next.screen.type === 'data' && next.screen !== previous) void readData()
      if (next.screen.type === 'details') loadDetails(next.screen.id)
      if (!effect) return
      const from = ui.screen
      runEffect(effect, { controls, openPage, quit }).then(
        (done) => done && setUi(reduceOutcome(ui, from, { done })),
        (error: Error) => setUi(reduceOutcome(ui, from, { failed: error.message })),
      )
    },
    notify,
    setFixtureError: (fixtureError) => update({ fixtureError }),
    ended,
    stop() {
      for (const end of unsubscribe) end()
      refresh.cancel()
      refreshLog.cancel()
    },
  }
}

/** Limits the rate of calls: runs `callback` some time after the first of several calls. */
function throttle(ms: number, callback: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  return {
    call() {
      timer ??= setTimeout(() => {
        timer = undefined
        void callback()
      }, ms)
    },
    cancel: () => clearTimeout(timer),
  }
}

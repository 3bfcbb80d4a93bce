import type { Controls } from '../../../mock/core/controls.js'
import type { Press } from '../key-press.js'
import { perform } from './effect.js'
import { type MockSnapshot, readLog, readMockSnapshot } from './mock-snapshot.js'
import { reduceKey, reduceOutcome } from './reduce.js'
import { type Notice, start, type Ui } from './screens.js'

export type Workbench = {
  /** What there is to show. */
  snapshot(): MockSnapshot
  ui(): Ui
  press(press: Press): void
  /** Shows a sentence until the next key. */
  notify(tone: Notice['tone'], text: string): void
  /** Shows what has to be mended, until it is called without. */
  setProblem(text?: string): void
  /** Settles when the reader quits. */
  ended: Promise<void>
  stop(): void
}

/** However much happens, what is shown is made anew no more often than this, in milliseconds. */
const refreshEvery = 50

/**
 * What stands between a mock's controls and the terminal: it knows what is shown and hears what changes.
 * @param onChange called when there is something else to show
 */
export async function createWorkbench(
  options: { url: string; controls: Controls; openPage(): Promise<void> },
  onChange: () => void,
): Promise<Workbench> {
  const { url, controls, openPage } = options
  let facts: MockSnapshot = { url, ...(await readMockSnapshot(controls)) }
  let ui = start
  let quit = () => {}
  const ended = new Promise<void>((resolve) => {
    quit = resolve
  })
  const show = (next: Ui) => {
    ui = next
    onChange()
  }
  const learn = (news: Partial<MockSnapshot>) => {
    facts = { ...facts, ...news }
    onChange()
  }
  const notify = (tone: Notice['tone'], text: string) => show({ ...ui, notice: { tone, text } })

  const all = throttle(refreshEvery, () =>
    readMockSnapshot(controls).then(learn, (error: Error) => notify('failed', error.message)),
  )
  const log = throttle(refreshEvery, async () => learn({ log: await readLog(controls) }))
  const ends = [controls.onChange(all.call), controls.log.subscribe(log.call)]

  return {
    snapshot: () => facts,
    ui: () => ui,
    press(press) {
      const from = ui.screen
      const { ui: next, effect } = reduceKey(ui, press, facts)
      show(next)
      // Snapshots come and go in their folder without anybody being told.
      if (next.screen.is === 'list' && from.is !== 'list') all.call()
      if (!effect) return
      const before = ui.screen
      perform(effect, { controls, openPage, quit }).then(
        (done) => done && show(reduceOutcome(ui, before, { done })),
        (error: Error) => show(reduceOutcome(ui, before, { failed: error.message })),
      )
    },
    notify,
    setProblem: (problem) => learn({ problem }),
    ended,
    stop() {
      for (const end of ends) end()
      all.end()
      log.end()
    },
  }
}

/** Many calls as few: it acts some time after the first of them, and anew for those that come later. */
function throttle(ms: number, act: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  return {
    call() {
      timer ??= setTimeout(() => {
        timer = undefined
        void act()
      }, ms)
    },
    end: () => clearTimeout(timer),
  }
}

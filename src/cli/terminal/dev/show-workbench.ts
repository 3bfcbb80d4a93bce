import type { RunningMock } from '../../actions/dev.js'
import { openPage } from '../../actions/open-page.js'
import { printable } from '../../output/printable.js'
import { showLive } from '../live.js'
import { DevScreen } from '../views/dev-screen.js'
import { createWorkbench } from './workbench.js'

/** The workbench of a running mock, on the terminal. */
export type ShownWorkbench = {
  /** Shows what has to be mended until it is called without; then what is said of that. */
  setProblem(text: string | undefined, mended: string): void
  /** Settles when the reader quits; rejects where the view cannot be drawn. */
  ended: Promise<unknown>
  /** Gives the terminal back. */
  stop(): Promise<void>
}

export async function showWorkbench({ url, takenPort, controls }: RunningMock): Promise<ShownWorkbench> {
  let redraw = () => {}
  const bench = await createWorkbench({ url, controls, openPage: () => openPage(url) }, () => redraw())
  const view = await showLive(
    (size) => DevScreen({ facts: bench.snapshot(), ui: bench.ui(), ...size }),
    bench.press,
    (text) => bench.notify('failed', printable(text.trim().split('\n')[0] ?? '')),
  )
  redraw = view.redraw
  if (takenPort) bench.notify('done', `Port ${takenPort} is taken, so the next free one is used.`)
  return {
    setProblem(text, mended) {
      bench.setProblem(text)
      if (text === undefined) bench.notify('done', mended)
    },
    ended: Promise.race([bench.ended, view.ended]),
    async stop() {
      bench.stop()
      await view.stop()
    },
  }
}

import type { RunningMock } from '../../mock/start-mock.js'
import { showLive } from '../live.js'
import { openPage } from '../open-page.js'
import { DevScreen } from '../views/dev-screen.js'
import { createWorkbench, type Workbench } from './workbench.js'

export type ShownWorkbench = {
  workbench: Workbench
  /** Settles when the user quits; rejects if rendering fails. */
  ended: Promise<unknown>
  /** Restores the terminal. */
  stop(): Promise<void>
}

/** Shows the workbench of a running mock on the terminal. */
export async function showWorkbench({ url, controls }: RunningMock): Promise<ShownWorkbench> {
  let redraw = () => {}
  const workbench = await createWorkbench({ url, controls, openPage: () => openPage(url) }, () => redraw())
  const view = await showLive(
    (size) => DevScreen({ mock: workbench.snapshot(), ui: workbench.ui(), ...size }),
    workbench.press,
    (text) => workbench.notify('error', text.trim().split('\n')[0] ?? ''),
  )
  redraw = view.redraw
  return {
    workbench,
    ended: Promise.race([workbench.ended, view.ended]),
    async stop() {
      workbench.stop()
      await view.stop()
    },
  }
}

import type { ControlName } from '../../../mock/controls/control-endpoints.js'
import type { RunnableControls } from '../../../mock/controls/run-control.js'
import type { Screen } from '../live.js'
import type { MockSnapshot } from './mock-snapshot.js'

/** A screen between header and footer. `hints` returns its keys and their functions, the most important first. */
export type DevScreen = Screen & { hints(): Record<string, string> }

/** The screen of `dev`, as its parts use it. */
export type Workbench = {
  controls: RunnableControls
  /** The latest snapshot of the mock. */
  mock(): MockSnapshot
  open(screen: DevScreen): void
  openLog(): void
  /** Runs an action that may change the mock. Its result is shown with the log, an error on the same screen. */
  run(action: () => undefined | Promise<string>): void
  /** Runs a control. Returns what it did, in the mock's words. */
  perform(control: ControlName, input?: unknown): Promise<string>
  notify(type: 'success' | 'error', text: string): void
  redraw(): void
  quit(): void
}

import type { Controls } from '../../../mock/controls/controls.js'
import type { Screen } from '../live.js'
import type { MockSnapshot } from './mock-snapshot.js'

/** A screen between header and footer. `hints` returns its keys and their functions, the most important first. */
export type DevScreen = Screen & { hints(): Record<string, string> }

/** The screen of `dev`, as its parts use it. */
export type Workbench = {
  controls: Controls
  /** The latest snapshot of the mock. */
  mock(): MockSnapshot
  open(screen: DevScreen): void
  openLog(): void
  /** Runs an action that may change the mock. Its result is shown with the log, an error on the same screen. */
  run(action: () => undefined | Promise<string>): void
  notify(type: 'success' | 'error', text: string): void
  redraw(): void
  quit(): void
}

import type { Controls } from '../../../mock/core/controls.js'
import type { Screen } from '../live.js'
import type { MockSnapshot } from './mock-snapshot.js'

/** What is between header and footer, with its keys and their functions, the most important first. */
export type DevScreen = Screen & { hints(): Record<string, string> }

/** The screen of `dev`, for its parts. */
export type Workbench = {
  controls: Controls
  /** The state of the mock when it was read last. */
  mock(): MockSnapshot
  open(screen: DevScreen): void
  openLog(): void
  /** Runs what may change the mock; the sentence that it resolves to is shown with the log, an error on the same screen. */
  run(action: () => undefined | Promise<string>): void
  notify(type: 'success' | 'error', text: string): void
  redraw(): void
  quit(): void
}

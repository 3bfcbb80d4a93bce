import type { PartName } from '../state/history.js'

/** A step of the history as every interface shows it. */
export type StepView = {
  id: number
  /** When it was made, RFC 3339. */
  time: string
  /** What was done, as a clause: `Roadmap was created`. */
  title: string
  /** What was done, as a sentence. */
  done: string
  undone: string
  redone: string
  /** The parts of the mock that it changed. */
  parts: PartName[]
  /** Absent for a request. */
  control?: string
  /** The id of the step's request in the log, if a request made it. */
  entry?: number
  /** The last request in the log before the step. */
  since: number
  /** The number of changed records. */
  changed: number
}

import type { RecordChange } from '../../store/memory/record-changes.js'
import type { State } from '../../store/state-file.js'
import { type StoredState, wholeState } from './state-changes.js'

/** A change of the records, by a request, a control, or a step back or forward. */
export type Moment = {
  before: StoredState
  after: StoredState
  changes: readonly RecordChange[]
  /** The step that it is of. Absent if it was made by `undo` or `redo`. */
  step?: { entry?: number }
}

/** The states of the records in the order of time. A position is the number of all moments before it. */
export type Timeline = ReturnType<typeof createTimeline>

/** The most moments that are stored. */
const maxMoments = 1_000

export function createTimeline() {
  let moments: Moment[] = []
  let dropped = 0
  return {
    position: () => dropped + moments.length,
    add(moment: Moment) {
      moments.push(moment)
      if (moments.length <= maxMoments) return
      moments.shift()
      dropped += 1
    },
    since: (position: number): Moment[] => moments.slice(Math.max(0, position - dropped)),
    /** Whether the state at a position is stored. */
    isStored: (position: number) => position >= dropped,
    /** Returns the state at a position, up to the present; undefined if it is no longer stored. */
    stateAt(position: number, present: State): State | undefined {
      if (position < dropped) return undefined
      const next = moments[position - dropped]
      return next ? wholeState(next.before) : present
    },
    /** Returns the changes of a request between two positions; undefined if they are no longer stored. */
    changesOf(entry: number, before: number, after: number): RecordChange[] | undefined {
      if (before === after) return []
      if (before < dropped) return undefined
      const own = moments.slice(before - dropped, after - dropped)
      return own.filter(({ step }) => step?.entry === entry).flatMap(({ changes }) => changes)
    },
    clear() {
      dropped += moments.length
      moments = []
    },
  }
}

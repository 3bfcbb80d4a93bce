import type { RecordChange } from '../../store/memory/record-changes.js'
import type { State } from '../../store/state-file.js'
import { type StoredState, wholeState } from './state-changes.js'

/** A change of the state by a request or a control. */
export type Step = {
  /** The operation or the control. */
  title: string
  /** The id of the request in the log, once it has one. */
  entry?: number
  before: StoredState
  after: StoredState
  changes: readonly RecordChange[]
  /** For a step back to an earlier request: the last request before the step, and the requests that it undid. */
  rewound?: { last: number; undone: EntryRange[] }
}

/** A range of requests by their ids in the log. */
export type EntryRange = [from: number, to: number]

/** The states in the order of time, with the steps that can be undone and redone. */
export type History = ReturnType<typeof createHistory>

/** The most steps that are stored. */
const maxSteps = 1_000

export function createHistory() {
  /** Every step. Undoing adds a step back. */
  let timeline: Step[] = []
  let dropped = 0
  let undoable: Step[] = []
  let redoable: Step[] = []

  const append = (step: Step) => {
    timeline.push(step)
    if (timeline.length > maxSteps) {
      timeline.shift()
      dropped += 1
    }
    for (const steps of [undoable, redoable]) if (steps.length > maxSteps) steps.shift()
  }
  const move = (from: Step[], to: Step[], isBack: boolean) => {
    const step = from.pop()
    if (!step) return undefined
    to.push(step)
    const { before, after } = isBack ? { before: step.after, after: step.before } : step
    append({ ...step, entry: undefined, before, after })
    return { step, state: after }
  }

  return {
    /** The number of all steps so far. */
    position: () => dropped + timeline.length,
    /** Adds a step, which can be undone. Steps that were undone before can no longer be redone. */
    add(step: Step) {
      undoable.push(step)
      redoable = []
      append(step)
    },
    /** Takes back the last step. @returns the step, with the state before it; undefined if there is none */
    undo: () => move(undoable, redoable, true),
    /** Repeats the last undone step. @returns the step, with the state after it; undefined if there is none */
    redo: () => move(redoable, undoable, false),
    /** Returns the state at a position, up to the present; undefined if it is no longer stored. */
    stateAt(position: number, present: State): State | undefined {
      if (position < dropped) return undefined
      const next = timeline[position - dropped]
      return next ? wholeState(next.before) : present
    },
    /** Returns the changes of a request between two positions; undefined if they are no longer stored. */
    changesOf(entry: number, before: number, after: number): RecordChange[] | undefined {
      if (before === after) return []
      if (before < dropped) return undefined
      const steps = timeline.slice(before - dropped, after - dropped)
      return steps.filter((step) => step.entry === entry).flatMap(({ changes }) => changes)
    },
    /**
     * Marks the last step as one back to an earlier request.
     * @param id the request before or after which the state is now
     * @param last the last request before the step
     */
    markRewound(id: number, after: boolean, last: number) {
      const step = undoable.at(-1)
      if (!step) return
      const earlier = undoable.findLast(({ rewound }) => rewound && rewound.last < id)?.rewound?.undone ?? []
      const moment = after ? id : id - 1
      step.rewound = { last, undone: moment < last ? [...earlier, [moment + 1, last]] : earlier }
    },
    /** The titles of the next steps of undo and redo, how many can be undone, and the requests whose changes are undone now. */
    next() {
      const rewound = undoable.findLast((step) => step.rewound)?.rewound?.undone ?? []
      const single = redoable.flatMap(({ entry }): EntryRange[] => (entry ? [[entry, entry]] : []))
      const undone = [...rewound, ...single]
      return {
        undo: undoable.at(-1)?.title,
        ...(undoable.length > 0 && { steps: undoable.length }),
        redo: redoable.at(-1)?.title,
        ...(undone.length > 0 && { undone }),
      }
    },
    clear() {
      dropped += timeline.length
      timeline = []
      undoable = []
      redoable = []
    },
  }
}

import type { RecordChange } from '../../store/memory/record-changes.js'
import type { State } from '../../store/state-file.js'
import { applyChanges, type Side } from './state-changes.js'

/** A change of the state by a request or a control. */
export type Step = {
  /** The operation or the control. */
  title: string
  /** The id of the request in the log. */
  entry?: number
  /** Changes that were made one after another. Each is a set of records that changed at the same time. */
  parts: RecordChange[][]
}

/** The changes of the state, in the order in which they were made, and what can be undone and redone. */
export type History = ReturnType<typeof createHistory>

/** Limits of the stored steps: their number, and about how many bytes of memory they take. */
const maxSteps = 10_000
const maxBytes = 8 * 1024 * 1024

export function createHistory() {
  /** Every step in the order of time. Undoing adds one that leads back. */
  let timeline: { step: Step; bytes: number }[] = []
  let bytes = 0
  let dropped = 0
  let undoable: Step[] = []
  let redoable: Step[] = []

  const append = (step: Step) => {
    const size = bytesOf(step)
    timeline.push({ step, bytes: size })
    bytes += size
    while (timeline.length > maxSteps || (bytes > maxBytes && timeline.length > 1)) {
      bytes -= timeline.shift()?.bytes ?? 0
      dropped += 1
    }
    // Of what can be undone or redone, no more is stored than of the timeline.
    for (const steps of [undoable, redoable]) {
      if (steps.length > timeline.length) steps.splice(0, steps.length - timeline.length)
    }
  }
  const move = (from: Step[], to: Step[], side: Side, state: State) => {
    const step = from.pop()
    if (!step) return undefined
    to.push(step)
    append(side === 'before' ? inverse(step) : step)
    return { step, state: applyStep(state, step, side) }
  }

  return {
    /** The number of steps that were ever made. */
    position: () => dropped + timeline.length,
    /** Adds a step, which can be undone. What was undone before cannot be redone any more. */
    add(step: Step) {
      undoable.push(step)
      redoable = []
      append(step)
    },
    /** Takes back the last step that was not undone. @returns undefined if there is none, otherwise the state before it */
    undo: (state: State) => move(undoable, redoable, 'before', state),
    /** Makes the last step that was undone again. @returns undefined if there is none, otherwise the state after it */
    redo: (state: State) => move(redoable, undoable, 'after', state),
    /** Returns the state at a position, from the present one; undefined if the steps since then are not all stored. */
    stateAt(position: number, state: State) {
      if (position < dropped) return undefined
      const since = timeline.slice(position - dropped)
      return since.reduceRight((later, { step }) => applyStep(later, step, 'before'), state)
    },
    /** Returns what a request changed between two positions; undefined if it is no longer stored. */
    changesOf(entry: number, before: number, after: number): RecordChange[] | undefined {
      if (before === after) return []
      if (before < dropped) return undefined
      const steps = timeline.slice(before - dropped, after - dropped).map(({ step }) => step)
      return steps.filter((step) => step.entry === entry).flatMap(({ parts }) => parts.flat())
    },
    /** The titles of the steps that would be undone and redone. */
    next: () => ({ undo: undoable.at(-1)?.title, redo: redoable.at(-1)?.title }),
    clear() {
      dropped += timeline.length
      timeline = []
      bytes = 0
      undoable = []
      redoable = []
    },
  }
}

const applyStep = (state: State, { parts }: Step, side: Side): State =>
  (side === 'after' ? parts : [...parts].reverse()).reduce(
    (current, part) => applyChanges(current, part, side),
    state,
  )

const inverse = ({ title, parts }: Step): Step => ({
  title,
  parts: [...parts].reverse().map((part) =>
    part.map(({ before, after, at, ...change }) => ({
      ...change,
      before: after,
      after: before,
      at: at && { before: at.after, after: at.before },
    })),
  ),
})

/** A text takes up to two bytes for each character; a record takes some for its fields. */
const bytesOf = ({ parts }: Step): number =>
  parts.flat().reduce((sum, { before, after }) => sum + 400 + sizeOf(before) + sizeOf(after), 200)

const sizeOf = (record: object | undefined): number => (record ? 2 * JSON.stringify(record).length : 0)

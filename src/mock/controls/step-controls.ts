import { ControlError } from '../state/control-error.js'
import type { EntryRange } from '../state/history.js'
import type { LoadedState } from '../state/personas.js'
import type { Recorder } from './recorder.js'
import type { StepView } from './step-view.js'

/** A step that was undone or made again, or one back to a request, with the state after it. */
export type HistoryStep = LoadedState & StepView

export function createStepControls({ parts, onStep, notify, viewOf }: Recorder) {
  const { personas, state, log } = parts
  const { history, timeline } = state
  const move = async (way: 'undo' | 'redo', id?: number): Promise<HistoryStep> => {
    const found = history.find(way, id)
    if (!found) {
      const reason = id === undefined ? `There is nothing to ${way}.` : `There is no step ${id} to ${way}.`
      throw new ControlError(reason, [], 409)
    }
    const [next] = found.later
    if (next)
      throw new ControlError(`${viewOf(next).done} ${way === 'undo' ? 'Undo' : 'Redo'} that first.`, [], 409)
    const { step, loaded } = await history.move(way, found.step.id)
    onStep(step)
    parts.onLoaded(loaded)
    if (step.parts.some(({ part }) => part === 'data')) await parts.onStateChange()
    return notify({ ...loaded, active: personas.current()?.id, ...viewOf(step) })
  }
  return {
    /**
     * Takes back the last change of the mock, by a request or a control, or the change with this id while it is the last of
     * its parts: the records, forced outcomes, delays and chaos, clock, persona, log and snapshots.
     * @throws ControlError if there is none, or with the change that came since
     */
    undo: async (id?: number) => move('undo', id),
    /** Repeats the change that was undone last, or that with this id. @throws ControlError if its parts have changed since */
    redo: async (id?: number) => move('redo', id),
    /**
     * The next steps of `undo` and `redo`, if there are any, and the requests whose changes are undone now. If `rewind` cannot
     * return to before some requests of the log, `rewindableFrom` is the id from which it can.
     */
    async history(): Promise<{
      undo?: StepView
      redo?: StepView
      undone?: EntryRange[]
      rewindableFrom?: number
    }> {
      const [undo, redo] = [history.find('undo'), history.find('redo')]
      const undone = history.undone()
      const entries = log.read()
      const first = entries.findIndex(({ before }) => timeline.isStored(before))
      return {
        ...(undo && { undo: viewOf(undo.step) }),
        ...(redo && { redo: viewOf(redo.step) }),
        ...(undone.length > 0 && { undone }),
        ...(entries.length > 0 && first !== 0 && { rewindableFrom: entries[first]?.id ?? log.lastId() + 1 }),
      }
    },
    /** Returns the steps that are stored, oldest first: all of them, or those after an id. */
    steps: async (since = 0): Promise<(StepView & { isUndone: boolean })[]> =>
      history
        .steps()
        .filter(({ step }) => step.id > since)
        .map(({ step, isUndone }) => ({ ...viewOf(step), isUndone })),
  }
}

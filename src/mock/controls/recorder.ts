import type { RecordEditor } from '../../store/memory/record-editor.js'
import { type State, StateError } from '../../store/state-file.js'
import type { StoredEntry } from '../log/log-entry.js'
import type { LoggedParts } from '../log/log-parts.js'
import type { RequestEdit } from '../log/send-again.js'
import type { PartChange, Step } from '../state/history.js'
import type { LoadedState } from '../state/personas.js'
import type { StepView } from './step-view.js'

/** The parts that the composition of the mock provides. */
export type Composition = {
  /** Restores the fixtures and the settings. */
  reset(): void
  /** Signs in as a persona, or out. */
  use(id: string | null): void
  send(id: number, edit: RequestEdit): Promise<StoredEntry>
}

/** The parts of a mock, with the ways in which a control changes them: each is a step of the history. */
export type Recorder = ReturnType<typeof createRecorder>

/**
 * @param viewOf the words of a step
 * @param onStep called with each recorded step, in the turn of the change
 */
export function createRecorder(
  parts: LoggedParts,
  composition: Composition,
  viewOf: (step: Step) => StepView,
  onStep: (step: Step) => void,
) {
  const { state, targets } = parts
  const notify = <Result>(result: Result): Result => {
    parts.notify()
    return result
  }
  /** Makes a change and records it, in one turn. Reports a state that was replaced. */
  const record = <Result>(
    control: string,
    input: unknown,
    change: () => Result,
    facts?: Record<string, unknown>,
    others?: readonly PartChange[],
  ) => {
    const recorded = state.history.record({ control, input, facts }, change, undefined, others)
    if (recorded.step) onStep(recorded.step)
    return recorded
  }
  /**
   * Makes a change of the records, which is saved.
   * @param others changes of the same step that were made already
   */
  const change = async <Result extends LoadedState>(
    control: string,
    input: unknown,
    make: () => Result,
    facts?: Record<string, unknown>,
    others?: readonly PartChange[],
  ): Promise<{ result: Result; step: Step | undefined }> => {
    const { result, step } = record(control, input, make, facts, others)
    parts.onLoaded(result)
    await parts.onStateChange()
    return notify({ result, step })
  }
  /** Edits records. All changes before it returns are one step of the history. */
  const edit = async <Result extends object>(
    control: string,
    input: unknown,
    make: (records: RecordEditor) => Result,
  ): Promise<LoadedState & Result> => {
    const { editor } = await state.open()
    return (await change(control, input, () => state.edit(editor, make))).result
  }
  return {
    ...{ parts, viewOf, onStep, notify, record, change, edit },
    ...composition,
    /** Makes a change that is no change of the records. */
    set<Result>(control: string, input: unknown, make: () => void, output: () => Result): Result {
      record(control, input, make)
      return notify(output())
    },
    /** Edits one record: a fault names only its field, not the place of the record in a state file. */
    editOne: (async (...given) =>
      edit(...given).catch((error: unknown) => {
        if (!(error instanceof StateError)) throw error
        const faults = error.faults.map(({ path, reason }) => ({
          path: path.replace(/^\w+\[\d+\]\.?/, ''),
          reason: reason.replace(/ is already at \w+\[\d+\]$/, ' exists already'),
        }))
        throw new StateError(faults, error.hasMore)
      })) as typeof edit,
    /** Replaces all records. */
    load: async (control: string, input: unknown, next: State) =>
      (await change(control, input, () => state.load(next))).result,
    /** The target by its name, which may be the method and path of an operation. */
    named: (target: string | undefined) => (target === undefined ? undefined : targets.resolve(target)),
  }
}

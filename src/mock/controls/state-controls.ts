import { shown } from '../../contract/shown.js'
import { parseState, type State } from '../../store/state-file.js'
import { ControlError } from '../state/control-error.js'
import type { PartChange } from '../state/history.js'
import type { LoadedState } from '../state/personas.js'
import { checkSnapshotName } from '../state/snapshots.js'
import type { Recorder } from './recorder.js'
import { createWholeState } from './whole-state.js'

export function createStateControls(recorder: Recorder) {
  const { parts, reset, use, record, change, load, notify, onStep } = recorder
  const { state, snapshots, personas } = parts
  const whole = createWholeState(parts)
  /** Puts a snapshot, or removes it. @returns whether there was one, and what takes the change back */
  const put = async (name: string, next: State | undefined) => {
    // An unreadable snapshot can be replaced too.
    const earlier = await snapshots.read(name).catch(() => undefined)
    const write = async (state: State | undefined) =>
      state ? snapshots.write(name, state) : snapshots.delete(name)
    const isThere = await write(next)
    const taken: PartChange = {
      part: 'log',
      back: async () => void (await write(earlier)),
      again: async () => void (await write(next)),
    }
    return { isReplaced: earlier !== undefined, isMissing: isThere === false, taken }
  }
  const noSnapshot = async (name: string) =>
    new ControlError(`There is no snapshot ${shown(name)}.`, await snapshots.list(), 404)
  /** Replaces or deletes a snapshot, in a step. */
  const changeSnapshot = async (control: string, name: string, next: State | undefined) => {
    const { isReplaced, isMissing, taken } = await put(name, next)
    if (isMissing) throw await noSnapshot(name)
    onStep(state.history.add({ control, input: { name }, facts: { isReplaced } }, [taken]))
    return notify(await snapshots.list())
  }
  return {
    /** Returns the address of the mock, its project, and the files that it serves, with their faults. */
    about: async () => parts.about(),
    /**
     * Restores fixtures, persona, delay, chaos, clock, ids and handlers, ends all scenarios and clears the log. Pending
     * requests are not logged any more.
     */
    async reset(): Promise<void> {
      record('reset', {}, reset)
      await parts.onStateChange()
      notify(undefined)
    },
    state: {
      /** The whole state as a file: records, persona, forced outcomes, delays, chaos, clock, snapshots and log. */
      export: whole.read,
      /**
       * Replaces the whole state. The persona stays if the state has it; otherwise the result has a warning. A file without
       * the part `mock` has records alone: everything else stays. With it, what it lacks is as at the start; only the log, the
       * persona and other snapshots stay.
       * @throws StateError listing each fault, without replacing anything
       */
      async load(given: unknown): Promise<LoadedState> {
        const next = parseState(given)
        const checked = whole.check(next)
        if (!checked) return load('loadState', {}, next)
        const saved: PartChange[] = []
        for (const [name, snapshot] of checked.snapshots) saved.push((await put(name, snapshot)).taken)
        const make = () => {
          const loaded = state.load(next)
          checked.apply()
          if (checked.persona === undefined) return loaded
          use(checked.persona)
          return { active: personas.current()?.id }
        }
        return (await change('loadState', {}, make, undefined, saved)).result
      },
    },
    snapshots: {
      list: snapshots.list,
      /** Saves the state under a name, replacing a snapshot of that name. */
      async save(name: string) {
        checkSnapshotName(name)
        return changeSnapshot('saveSnapshot', name, await state.export())
      },
      async load(name: string) {
        checkSnapshotName(name)
        const next = await snapshots.read(name)
        if (!next) throw await noSnapshot(name)
        return load('loadSnapshot', { name }, next)
      },
      /** Deletes a snapshot and returns the names of the others. */
      async delete(name: string) {
        checkSnapshotName(name)
        return changeSnapshot('deleteSnapshot', name, undefined)
      },
    },
  }
}

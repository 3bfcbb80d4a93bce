import '../../store/memory/next-turn.js'
import type { MemoryStore } from '../../store/memory/memory-store.js'
import type { RecordChange } from '../../store/memory/record-changes.js'
import type { RecordEditor } from '../../store/memory/record-editor.js'
import { recordsOf, type SessionRecord, type State } from '../../store/state-file.js'
import { type Cause, createHistory, type Step } from './history.js'
import type { LoadedState } from './personas.js'
import { addedTo, diffStates, type StoredState, storedState, wholeState } from './state-changes.js'
import { createTimeline } from './timeline.js'

/** Records the changes of a request. */
export type Tracker = ReturnType<ReturnType<typeof createMockState>['track']>

/**
 * The state of a mock, the store that requests use, and the history of both.
 * @param onSessions called with the personas of each new state, and after an edit of one
 */
export function createMockState(
  initial: State,
  onSessions: (personas: readonly SessionRecord[], isStep?: boolean) => LoadedState,
) {
  const timeline = createTimeline()
  const history = createHistory(timeline)
  // The library is large: only the first request or control that needs data waits for it.
  const loading = import('../../store/memory/memory-store.js')
  loading.catch(() => {})
  let present = storedState(recordsOf(initial))
  let store: MemoryStore | undefined
  /** Reads the records of the store, for all new ids. */
  let records: RecordEditor | undefined

  const create = ({ createMemoryStore }: Awaited<typeof loading>): MemoryStore =>
    createMemoryStore(wholeState(present))
  const open = async (): Promise<MemoryStore> => {
    if (store) return store
    const loaded = await loading
    store ??= create(loaded)
    return store
  }
  const addChanges = (changes: readonly RecordChange[], after = addedTo(present, changes)) => {
    timeline.add({ before: present, after, changes })
    present = after
  }
  /** Replaces the state without a moment of the timeline. */
  const goTo = (stored: StoredState, isStep = false): LoadedState => {
    const state = wholeState(stored)
    present = stored
    store = undefined
    records = undefined
    return onSessions(state.sessions, isStep)
  }
  history.watch({
    name: 'data',
    get: () => present,
    set(stored: StoredState) {
      addChanges([], stored)
      return goTo(stored, true)
    },
  })

  return {
    history,
    timeline,
    open,
    present: () => wholeState(present),
    /** Whether there is a project with this id. The store is open when ids are made. */
    hasProject(id: string): boolean {
      records ??= store?.editor(() => {})
      return records?.find('projects', id) !== undefined
    },
    export: async (): Promise<State> => (await open()).state(),
    /** Replaces the state and clears the history. */
    restart(state: State): LoadedState {
      history.clear()
      return goTo(storedState(recordsOf(state)))
    },
    /** Replaces the state. */
    load(file: State): LoadedState {
      const state = recordsOf(file)
      const now = wholeState(present)
      const changes = diffStates(now, state)
      // The order of records is a part of the state.
      const isOther = changes.length > 0 || JSON.stringify(now) !== JSON.stringify(state)
      if (isOther) addChanges(changes, storedState(state))
      return goTo(present)
    },
    /** Edits records of an open store. */
    edit<Result>(
      editor: MemoryStore['editor'],
      change: (records: RecordEditor) => Result,
    ): LoadedState & Result {
      const changed: RecordChange[][] = []
      const result = change(editor((some) => changed.push(some)))
      const changes = changed.flat()
      if (changes.length > 0) addChanges(changes)
      const hasSessions = changes.some(({ kind }) => kind === 'sessions')
      return { ...(hasSessions && onSessions(wholeState(present).sessions)), ...result }
    },
    /**
     * Records what a request changes, as one step if nothing comes between. A request from before a reset works on a copy,
     * whose changes are dropped. So are changes to a store that was replaced meanwhile.
     */
    track(request: string, isBeforeReset: boolean) {
      const steps: Step[] = []
      let entry: number | undefined
      let positions: { before: number; after: number } | undefined
      const record = <Result>(change: () => Result, cause?: Partial<Cause>): Result => {
        const before = timeline.position()
        const { result, step } = history.record({ request, ...cause } as Cause, change, steps.at(-1))
        if (step && step !== steps.at(-1)) steps.push(step)
        if (step) step.entry = entry
        if (timeline.position() > before) {
          positions = { before: positions?.before ?? before, after: timeline.position() }
        }
        return result
      }
      return {
        record,
        async open() {
          const origin = isBeforeReset ? create(await loading) : await open()
          return {
            store: origin,
            /** The store. Changes through it are recorded. */
            recordingStore: () =>
              origin.reporting((changes) => {
                if (store === origin) record(() => addChanges(changes))
              }),
          }
        },
        positions: () => positions ?? { before: timeline.position(), after: timeline.position() },
        /** The records that the request has changed. */
        changes: () => steps.flatMap(({ changes }) => changes),
        setEntry({ id }: { id: number }) {
          entry = id
          for (const step of steps) step.entry = id
        },
      }
    },
  }
}

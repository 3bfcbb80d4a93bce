import '../../store/memory/next-turn.js'
import type { MemoryStore } from '../../store/memory/memory-store.js'
import type { RecordChange } from '../../store/memory/record-changes.js'
import type { RecordEditor } from '../../store/memory/record-editor.js'
import type { SessionRecord, State } from '../../store/state-file.js'
import { createHistory, type Step } from './history.js'
import type { LoadedState } from './personas.js'
import { addedTo, diffStates, type StoredState, storedState, wholeState } from './state-changes.js'

/**
 * The state of a mock, the store that requests use, and the history of both.
 * @param onSessions called with the personas of each new state, and after an edit of one
 */
export function createMockState(
  initial: State,
  onSessions: (personas: readonly SessionRecord[]) => LoadedState,
) {
  const history = createHistory()
  // The library is large: only the first request or control that needs data waits for it.
  const loading = import('../../store/memory/memory-store.js')
  loading.catch(() => {})
  let present = storedState(initial)
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
  const addStep = (title: string, changes: readonly RecordChange[], after: StoredState): Step => {
    const step = { title, before: present, after, changes }
    present = after
    history.add(step)
    return step
  }
  const addChanges = (title: string, changes: readonly RecordChange[]): Step =>
    addStep(title, changes, addedTo(present, changes))
  /** Replaces the state without a step. */
  const goTo = (stored: StoredState): LoadedState => {
    const state = wholeState(stored)
    present = stored
    store = undefined
    records = undefined
    return onSessions(state.sessions)
  }

  return {
    history,
    open,
    goTo,
    present: () => wholeState(present),
    /** Whether there is a project with this id. The store is open when ids are made. */
    hasProject(id: string): boolean {
      records ??= store?.editor(() => {})
      return records?.find('projects', id) !== undefined
    },
    export: async (): Promise<State> => (await open()).state(),
    /** Replaces the state. If it differs, the step can be undone. */
    load(state: State, title: string): LoadedState {
      const now = wholeState(present)
      const changes = diffStates(now, state)
      // The order of records is a part of the state.
      const isOther = changes.length > 0 || JSON.stringify(now) !== JSON.stringify(state)
      const next = isOther ? storedState(state) : present
      if (isOther) addStep(title, changes, next)
      return goTo(next)
    },
    /** Edits records. All changes before `change` returns are one step. */
    async edit<Result extends object>(
      title: string,
      change: (records: RecordEditor) => Result,
    ): Promise<LoadedState & Result> {
      const parts: RecordChange[][] = []
      const result = change((await open()).editor((some) => parts.push(some)))
      const changes = parts.flat()
      if (changes.length > 0) addChanges(title, changes)
      const hasSessions = changes.some(({ kind }) => kind === 'sessions')
      return { ...(hasSessions && onSessions(wholeState(present).sessions)), ...result }
    },
    /**
     * Records the changes of a request. A request from before a reset works on a copy, whose changes are dropped. So are
     * changes to a store that was replaced meanwhile.
     */
    async track(title: string, isBeforeReset: boolean) {
      const origin = isBeforeReset ? create(await loading) : await open()
      const steps: Step[] = []
      let positions: { before: number; after: number } | undefined
      return {
        store: origin,
        /** The store. Changes through it are added to the history. */
        recordingStore: () =>
          origin.reporting((changes) => {
            if (store !== origin) return
            const before = positions?.before ?? history.position()
            steps.push(addChanges(title, changes))
            positions = { before, after: history.position() }
          }),
        positions: () => positions ?? { before: history.position(), after: history.position() },
        changes: () => steps.flatMap(({ changes }) => changes),
        setEntry({ id }: { id: number }) {
          for (const step of steps) step.entry = id
        },
      }
    },
  }
}

import { isSameRecord, type RecordChange } from '../../store/memory/record-changes.js'
import { type State, type StateKind, type StateRecord, stateKinds } from '../../store/state-file.js'

export const keyOf = (record: StateRecord): string => ('id' in record ? record.id : record.email)

/** The records in which two states differ: what was removed, then what was added or changed. */
export const diffStates = (before: State, after: State): RecordChange[] =>
  stateKinds.flatMap((kind) =>
    before[kind] === after[kind] ? [] : diffRecords(kind, before[kind], after[kind]),
  )

function diffRecords(
  kind: StateKind,
  before: readonly StateRecord[],
  after: readonly StateRecord[],
): RecordChange[] {
  const removed = new Map(before.map((record) => [keyOf(record), record]))
  const others = after.flatMap((record): RecordChange[] => {
    const key = keyOf(record)
    const earlier = removed.get(key)
    removed.delete(key)
    if (earlier && isSameRecord(earlier, record)) return []
    return [{ kind, key, ...(earlier && { before: earlier }), after: record }]
  })
  return [...[...removed].map(([key, record]) => ({ kind, key, before: record })), ...others]
}

/**
 * A state as a whole one with the first `count` of the changes since, which the states after it share. It is made when it is
 * asked for: of the states between thousands of changes few are, and copying a list for each makes creations several times slower.
 */
export type StoredState = { base: State; changes: RecordChange[]; count: number }

/** So many changes after a whole state another one is stored. */
const maxChanges = 1_000

export const storedState = (state: State): StoredState => ({ base: state, changes: [], count: 0 })

export function addedTo(before: StoredState, changes: readonly RecordChange[]): StoredState {
  const { base, changes: all, count } = before
  // Others have gone on from this state, or it is far from its whole one.
  if (count < all.length || count >= maxChanges) return addedTo(storedState(wholeState(before)), changes)
  for (const change of changes) all.push(change)
  return { base, changes: all, count: all.length }
}

/** The state. What is new comes last, as in the store. Lists without changes are those of the whole state. */
export function wholeState({ base, changes, count }: StoredState): State {
  const state: State = { ...base }
  for (const kind of stateKinds) {
    const own = changes.slice(0, count).filter((change) => change.kind === kind)
    if (own.length === 0) continue
    const records = new Map(base[kind].map((record): [string, StateRecord] => [keyOf(record), record]))
    for (const { key, after } of own) {
      if (after) records.set(key, after)
      else records.delete(key)
    }
    Object.assign(state, { [kind]: [...records.values()] })
  }
  return state
}

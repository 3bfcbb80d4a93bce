import { isSameRecord, type RecordChange } from '../../store/memory/record-changes.js'
import { type State, type StateKind, type StateRecord, stateKinds } from '../../store/state-file.js'

export const keyOf = (record: StateRecord): string => ('id' in record ? record.id : record.email)

/** The differences of two states: removed records, then added and changed ones. */
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
 * A state as a whole state and the first `count` of later changes, which later states share. It is computed on demand:
 * copying a list for each of thousands of changes would be slow.
 */
export type StoredState = { base: State; changes: RecordChange[]; count: number }

/** A whole state is stored again after this many changes. */
const maxChanges = 1_000

export const storedState = (state: State): StoredState => ({ base: state, changes: [], count: 0 })

export function addedTo(before: StoredState, changes: readonly RecordChange[]): StoredState {
  const { base, changes: all, count } = before
  // Later states exist already, or the whole state is far behind.
  if (count < all.length || count >= maxChanges) return addedTo(storedState(wholeState(before)), changes)
  for (const change of changes) all.push(change)
  return { base, changes: all, count: all.length }
}

/** Computes the state. New records come last, as in the store. Unchanged lists are those of the whole state. */
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

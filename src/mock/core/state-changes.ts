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

/** A state with changes, as the store makes them: what is new comes last. Lists without changes are the same ones. */
export function withChanges(state: State, changes: readonly RecordChange[]): State {
  const next: State = { ...state }
  for (const kind of stateKinds) {
    const changed = new Map(changes.flatMap((change) => (change.kind === kind ? [[change.key, change]] : [])))
    if (changed.size === 0) continue
    const left = state[kind].flatMap((record) => {
      const change = changed.get(keyOf(record))
      return change ? (change.after ?? []) : record
    })
    const added = [...changed.values()].flatMap(({ before, after }) => (before ? [] : (after ?? [])))
    Object.assign(next, { [kind]: [...left, ...added] })
  }
  return next
}

import { isSameRecord, type RecordChange } from '../../store/memory/record-changes.js'
import { type State, type StateKind, type StateRecord, stateKinds } from '../../store/state-file.js'

/** One of the states that a change is between. */
export type Side = 'before' | 'after'

export const keyOf = (record: StateRecord): string => ('id' in record ? record.id : record.email)

/** The records in which two states differ, with their positions. */
export const diffStates = (before: State, after: State): RecordChange[] =>
  stateKinds.flatMap((kind) => diffRecords(kind, before[kind], after[kind]))

function diffRecords(
  kind: StateKind,
  before: readonly StateRecord[],
  after: readonly StateRecord[],
): RecordChange[] {
  const changes = new Map<string, RecordChange>()
  for (const [i, record] of before.entries()) {
    changes.set(keyOf(record), { kind, key: keyOf(record), before: record, at: { before: i } })
  }
  for (const [i, record] of after.entries()) {
    const key = keyOf(record)
    const change = changes.get(key) ?? { kind, key }
    // Deleted first, so that the map is in the order of `after`, behind what was removed.
    changes.delete(key)
    changes.set(key, { ...change, after: record, at: { ...change.at, after: i } })
  }
  const all = [...changes.values()]
  const inBoth = all.filter((change) => change.before && change.after)
  const areInOrder = inBoth.every((change, i) => i === 0 || place(inBoth[i - 1]) < place(change))
  if (!areInOrder) return all
  // What stays in its place needs no position, and none is needed of what is the same.
  return all.flatMap((change) => {
    if (!change.before || !change.after) return [change]
    return isSameRecord(change.before, change.after) ? [] : [{ ...change, at: undefined }]
  })
}

const place = (change: RecordChange | undefined): number => change?.at?.before ?? 0

/** Makes changes, which lead to a state or from it, in a copy of it: with `before`, takes them back. */
export function applyChanges(state: State, changes: readonly RecordChange[], side: Side): State {
  const lists = stateKinds.map((kind) => {
    const changed = changes.filter((change) => change.kind === kind)
    return [kind, changed.length === 0 ? state[kind] : applyToList(state[kind], changed, side)]
  })
  return { version: state.version, ...Object.fromEntries(lists) }
}

function applyToList(
  records: readonly StateRecord[],
  changes: readonly RecordChange[],
  side: Side,
): StateRecord[] {
  const byKey = new Map(changes.map((change) => [change.key, change]))
  const staysInPlace = ({ before, after, at }: RecordChange) => before && after && !at
  const list = records.flatMap((record) => {
    const change = byKey.get(keyOf(record))
    if (!change) return [record]
    return staysInPlace(change) ? [change[side] as StateRecord] : []
  })
  const placed = changes
    .flatMap((change) => {
      const record = change[side]
      return record && !staysInPlace(change)
        ? [{ record, at: change.at?.[side] ?? Number.POSITIVE_INFINITY }]
        : []
    })
    .sort((a, b) => a.at - b.at || 0)
  // Inserted from the lowest position up: each is then where it was.
  const result: StateRecord[] = []
  const rest = list.values()
  for (const { record, at } of placed) {
    while (result.length < at) {
      const { done, value } = rest.next()
      if (done) break
      result.push(value)
    }
    result.push(record)
  }
  return [...result, ...rest]
}

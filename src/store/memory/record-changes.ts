import type { StateKind, StateRecord } from '../state-file.js'

/** A record that was added (without `before`), removed (without `after`) or changed. */
export type RecordChange = {
  kind: StateKind
  /** The id of the record; of a waitlist entry, its address. */
  key: string
  before?: StateRecord
  after?: StateRecord
  /** Where it was and is in the list of its kind. Without it, it stays in its place, or is the last one. */
  at?: { before?: number; after?: number }
}

/** Whether two records have the same fields, in the same order. */
export const isSameRecord = (a: StateRecord, b: StateRecord): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** Called with the records that changed at the same time. */
export type OnRecordChange = (changes: RecordChange[]) => void

import type { StateKind, StateRecord } from '../state-file.js'

/** A record that was added (without `before`), as the last of its kind, removed (without `after`), or changed in its place. */
export type RecordChange = {
  kind: StateKind
  /** The id of the record; of a waitlist entry, its address. */
  key: string
  before?: StateRecord
  after?: StateRecord
}

/** Whether two records have the same fields, in the same order. */
export const isSameRecord = (a: StateRecord, b: StateRecord): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** Called with the records that changed at the same time. */
export type OnRecordChange = (changes: RecordChange[]) => void

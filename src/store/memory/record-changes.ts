import type { StateKind, StateRecord } from '../state-file.js'

/** A record that was added at the end of its kind (without `before`), removed (without `after`), or changed in place. */
export type RecordChange = {
  kind: StateKind
  /** The id of the record; the address of a waitlist entry. */
  key: string
  before?: StateRecord
  after?: StateRecord
}

/** Whether two records have the same fields, in the same order. */
export const isSameRecord = (a: StateRecord, b: StateRecord): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

export type OnRecordChange = (changes: RecordChange[]) => void

import {
  emptyState,
  keyField,
  pathOf,
  positionsIn,
  recordSchemas,
  relationFaults,
  type State,
  StateError,
  type StateFault,
  type StateKind,
  type StateRecord,
  stateKinds,
} from '../state-file.js'
import {
  dependantsOf,
  isOptionalField,
  loadRecords,
  type MemoryDatabase,
  type MemoryRemoval,
  removeRecords,
  stateOf,
  tableOf,
} from './memory-database.js'

/** Reads and edits single records. An edit is validated as a state file is. It makes all of its changes or none. */
export type RecordEditor = ReturnType<typeof createRecordEditor>

export function createRecordEditor(db: MemoryDatabase) {
  return {
    all: (kind: StateKind): StateRecord[] => db[kind].all(),
    find: (kind: StateKind, key: string): StateRecord | undefined => db[kind].get(key),
    /**
     * Adds records, which may refer to one another, at the end.
     * @returns the added records. @throws StateError with the path of each fault
     */
    add(records: Partial<Record<StateKind, readonly unknown[]>>): State {
      const before = stateOf(db)
      const added = { ...emptyState(), ...records } as State
      const values = stateKinds.flatMap((kind) =>
        added[kind].map((value, i) => ({ kind, value, position: before[kind].length + i })),
      )
      refuse(values.flatMap(({ kind, value, position }) => schemaFaults(kind, value, position)))
      const lists = stateKinds.map((kind) => [kind, [...before[kind], ...added[kind]]])
      const find = positionsIn({ ...before, ...Object.fromEntries(lists) })
      refuse(values.flatMap(({ kind, value, position }) => relationFaults(kind, value, position, find)))
      loadRecords(db, added)
      return added
    },
    /**
     * Sets fields of a record. null removes an optional field.
     * @returns the record, or undefined if it does not exist. @throws StateError with the path of each fault
     */
    set(kind: StateKind, key: string, fields: object): StateRecord | undefined {
      const before = db[kind].get(key)
      if (!before) return undefined
      const find = positionsIn(stateOf(db))
      const name = keyField(kind)
      const position = find(kind, name, key) ?? 0
      const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
      const after = Object.fromEntries(
        Object.entries({ ...before, ...changes }).filter(
          ([field, value]) => value !== null || !isOptionalField(kind, field),
        ),
      )
      refuse(schemaFaults(kind, after, position))
      if (after[name] !== key) {
        refuse([{ path: pathOf([kind, position, name]), reason: 'cannot be changed: add another record' }])
      }
      refuse(relationFaults(kind, after as StateRecord, position, find))
      return tableOf(db, kind).update(key, changes)
    },
    /** Returns the records that `remove` would remove with a team or a user. */
    dependants: (kind: StateKind, key: string): Partial<Record<StateKind, StateRecord[]>> =>
      dependantsOf(db, { [kind]: [key] }),
    /** Removes records and their dependants. @returns the numbers by kind */
    remove: (removal: MemoryRemoval) => removeRecords(db, removal),
  }
}

function schemaFaults(kind: StateKind, value: unknown, position: number): StateFault[] {
  const { error } = recordSchemas[kind].safeParse(value)
  return (error?.issues ?? []).map(({ path, message }) => ({
    path: pathOf([kind, position, ...path]),
    reason: message,
  }))
}

function refuse(faults: StateFault[]): void {
  if (faults.length > 0) throw new StateError(faults)
}

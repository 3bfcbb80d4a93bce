import {
  emptyState,
  type FindPosition,
  keyField,
  pathOf,
  positionsIn,
  recordSchemas,
  relationFaults,
  type State,
  type StateCounts,
  StateError,
  type StateFault,
  type StateKind,
  type StateRecord,
  stateKinds,
} from '../state-file.js'
import {
  dependantsOf,
  entityOf,
  isOptionalField,
  loadRecords,
  type MemoryDatabase,
  type MemoryRemoval,
  removeRecords,
  tableOf,
  toRecord,
} from './memory-database.js'

/** Reads and edits single records. Every edit is checked as a state file is, and makes all of its changes or none. */
export type RecordEditor = {
  /** Returns the records of a kind, as stored. */
  all(kind: StateKind): StateRecord[]
  find(kind: StateKind, key: string): StateRecord | undefined
  /**
   * Adds records, which may refer to one another, behind those that there are.
   * @returns what was added. @throws StateError with the path of each fault
   */
  add(records: Partial<Record<StateKind, readonly unknown[]>>): State
  /**
   * Sets fields of a record; null removes an optional one.
   * @returns the record; undefined if there is none. @throws StateError with the path of each fault
   */
  set(kind: StateKind, key: string, fields: object): StateRecord | undefined
  /** Returns what `remove` would remove with a team or a user. */
  dependants(kind: StateKind, key: string): Partial<Record<StateKind, StateRecord[]>>
  /** Removes records and their dependants. @returns how many of each kind */
  remove(removal: MemoryRemoval): StateCounts
}

export function createRecordEditor(db: MemoryDatabase): RecordEditor {
  const rowsOf = (kind: StateKind) => tableOf(db, kind).all()
  const find: FindPosition = (kind, field, key) => {
    const row = tableOf(db, kind).firstWith(field, key)
    return row && rowsOf(kind).indexOf(row)
  }

  return {
    all: (kind) => rowsOf(kind).map(toRecord[kind]),
    find(kind, key) {
      const row = entityOf(db, kind, key)
      return row && toRecord[kind](row)
    },
    add(records) {
      const sizeOf = (kind: StateKind) => rowsOf(kind).length
      const values = stateKinds.flatMap((kind) =>
        (records[kind] ?? []).map((value, i) => ({ kind, value, position: sizeOf(kind) + i })),
      )
      refuse(values.flatMap(({ kind, value, position }) => schemaFaults(kind, value, position)))
      const added = { ...emptyState(), ...records } as State
      const findAdded = positionsIn(added)
      const findAny: FindPosition = (kind, field, key) => {
        const position = findAdded(kind, field, key)
        return find(kind, field, key) ?? (position === undefined ? undefined : sizeOf(kind) + position)
      }
      refuse(
        values.flatMap(({ kind, value, position }) =>
          relationFaults(kind, value as StateRecord, position, findAny),
        ),
      )
      loadRecords(db, added)
      return added
    },
    set(kind, key, fields) {
      const row = entityOf(db, kind, key)
      if (!row) return undefined
      const position = rowsOf(kind).indexOf(row)
      const before = toRecord[kind](row)
      const changes = Object.entries(fields).filter(([, value]) => value !== undefined)
      const after = Object.fromEntries(
        Object.entries({ ...before, ...Object.fromEntries(changes) }).filter(
          ([name, value]) => value !== null || !isOptionalField(kind, name),
        ),
      )
      refuse(schemaFaults(kind, after, position))
      const name = keyField(kind)
      if (after[name] !== key) {
        refuse([{ path: pathOf([kind, position, name]), reason: 'cannot be changed: add another record' }])
      }
      refuse(relationFaults(kind, after as StateRecord, position, find))
      const values = structuredClone(Object.fromEntries(changes))
      return toRecord[kind](tableOf(db, kind).update(row, values))
    },
    dependants(kind, key) {
      const row = entityOf(db, kind, key)
      if (!row || (kind !== 'teams' && kind !== 'users')) return {}
      const { sessions, projects } = dependantsOf(
        db,
        kind === 'teams' ? [row as State['teams'][number]] : [],
        kind === 'users' ? [row as State['users'][number]] : [],
      )
      return { sessions: sessions.map(toRecord.sessions), projects: projects.map(toRecord.projects) }
    },
    remove: (removal) => removeRecords(db, removal),
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

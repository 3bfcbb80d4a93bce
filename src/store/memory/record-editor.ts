import type { Project } from '../../contract/schemas.js'
import {
  emptyState,
  type FindPosition,
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
  loadRecords,
  type MemoryDatabase,
  type MemoryRemoval,
  removeRecords,
  updateProject,
} from './memory-database.js'
import { toRecord } from './memory-records.js'

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

/** A model of the database, for code that treats all kinds alike. */
type Model = {
  all(): object[]
  firstWith(index: string, key: string): object | undefined
  update(row: object, changes: object): object
}

/** The field that identifies a record of a kind. */
const keyField = (kind: StateKind): 'id' | 'email' => (kind === 'waitlist' ? 'email' : 'id')

export function createRecordEditor(db: MemoryDatabase): RecordEditor {
  const modelOf = (kind: StateKind) => db[kind] as unknown as Model
  const rowOf = (kind: StateKind, key: string) => modelOf(kind).firstWith(keyField(kind), key)
  const find: FindPosition = (kind, field, key) => {
    const row = modelOf(kind).firstWith(field, key)
    return row && modelOf(kind).all().indexOf(row)
  }

  return {
    all: (kind) => modelOf(kind).all().map(toRecord[kind]),
    find(kind, key) {
      const row = rowOf(kind, key)
      return row && toRecord[kind](row)
    },
    add(records) {
      const sizeOf = (kind: StateKind) => modelOf(kind).all().length
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
        values.flatMap(({ kind, value, position }) => [
          ...relationFaults(kind, value as StateRecord, position, findAny),
        ]),
      )
      loadRecords(db, added)
      return added
    },
    set(kind, key, fields) {
      const row = rowOf(kind, key)
      if (!row) return undefined
      const position = modelOf(kind).all().indexOf(row)
      const before = toRecord[kind](row)
      const changes = Object.entries(fields).filter(([, value]) => value !== undefined)
      const after = Object.fromEntries(
        Object.entries({ ...before, ...Object.fromEntries(changes) }).filter(
          ([name, value]) => value !== null || !isOptional(kind, name),
        ),
      )
      refuse(schemaFaults(kind, after, position))
      const name = keyField(kind)
      if (after[name] !== key) {
        refuse([{ path: pathOf([kind, position, name]), reason: 'cannot be changed: add another record' }])
      }
      refuse([...relationFaults(kind, after as StateRecord, position, find)])
      const values = structuredClone(Object.fromEntries(changes))
      const updated =
        kind === 'projects'
          ? updateProject(db, row as Project & { nameKey: string }, values)
          : modelOf(kind).update(row, values)
      return toRecord[kind](updated)
    },
    dependants(kind, key) {
      const row = rowOf(kind, key)
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

const isOptional = (kind: StateKind, field: string): boolean => {
  const shape: Record<string, { safeParse(value: unknown): { success: boolean } }> = recordSchemas[kind].shape
  return shape[field]?.safeParse(undefined).success ?? false
}

function refuse(faults: StateFault[]): void {
  if (faults.length > 0) throw new StateError(faults)
}

import type { RecordEditor } from '../../store/memory/record-editor.js'
import {
  type State,
  type StateCounts,
  type StateKind,
  type StateRecord,
  stateKinds,
} from '../../store/state-file.js'
import { ControlError } from './control-error.js'
import type { MockParts } from './mock-parts.js'
import type { LoadedState } from './personas.js'
import type { RecordPage, RecordQuery } from './record-query.js'
import { keyOf } from './state-changes.js'

/** A record of a kind, such as a project. */
export type RecordOf<Kind extends StateKind> = State[Kind][number]

/** A record after an edit. If the edit left `session=active` another persona, there is a warning. */
export type EditedRecord<Kind extends StateKind = StateKind> = LoadedState & { record: RecordOf<Kind> }

/** How many records of each kind were removed. */
export type RemovedRecords = LoadedState & { removed: StateCounts }

/** Edits records. What it changes before it returns is one step of the history. */
export type EditRecords = <Result extends object>(
  title: string,
  change: (records: RecordEditor) => Result,
) => Promise<LoadedState & Result>

/**
 * Single records of the state. Each edit is checked as a state file is, and is a step of the history. The key of a
 * waitlist entry is its address, that of any other record its id.
 */
export type DataControls = ReturnType<typeof createData>

// What a page does not need to begin with is loaded when it is used.
export function createData({ records, personas, clock, newId }: MockParts, edit: EditRecords) {
  return {
    /** @throws ControlError for a kind or a field that there is not */
    async list<Kind extends StateKind>(kind: Kind, query: RecordQuery = {}) {
      checkKind(kind)
      const { queryRecords } = await import('./record-query.js')
      return queryRecords(kind, (await records()).all(kind), query) as RecordPage<RecordOf<Kind>>
    },
    /**
     * Adds a record. Ids, times and the like that it lacks are made; a project is in the team of the active persona.
     * @throws StateError with the path of each fault
     */
    async add<Kind extends StateKind>(
      kind: Kind,
      record: Partial<RecordOf<Kind>>,
    ): Promise<EditedRecord<Kind>> {
      checkKind(kind)
      const { completeRecord } = await import('./new-records.js')
      const orgCode = (await personas.current())?.orgCode
      return edit(`data add ${kind}`, (editor) => {
        const complete = completeRecord(kind, record, { editor, now: clock.now, newId, orgCode })
        const [added] = editor.add({ [kind]: [complete] })[kind]
        return { record: editor.find(kind, keyOf(added as StateRecord)) as never }
      })
    },
    /**
     * Sets fields of a record; null removes an optional one.
     * @throws StateError with the path of each fault, ControlError if there is no such record
     */
    async set<Kind extends StateKind>(
      kind: Kind,
      key: string,
      fields: { [Field in keyof RecordOf<Kind>]?: RecordOf<Kind>[Field] | null },
    ): Promise<EditedRecord<Kind>> {
      checkKind(kind)
      return edit(`data set ${kind} ${key}`, (editor) => ({
        record: (editor.set(kind, key, fields) ?? missing(kind, key)) as never,
      }))
    },
    /**
     * Removes a record. With `dependants`, a team with its projects and the sessions of its organisation, a user with his
     * sessions. @throws ControlError that names them without it
     */
    async remove(
      kind: StateKind,
      key: string,
      { dependants = false }: { dependants?: boolean } = {},
    ): Promise<RemovedRecords> {
      checkKind(kind)
      return edit(`data remove ${kind} ${key}`, (editor) => {
        if (!editor.find(kind, key)) missing(kind, key)
        if (!dependants) refuseDependants(kind, key, editor)
        return { removed: editor.remove({ [kind]: [key] }) }
      })
    },
  }
}

/** The records that refer to a record, which a removal would leave without it. */
function refuseDependants(kind: StateKind, key: string, editor: RecordEditor): void {
  const named = Object.entries(editor.dependants(kind, key)).flatMap(([dependant, records]) => {
    if (records.length === 0) return []
    const keys = records.slice(0, 5).map((record) => keyOf(record))
    const more = records.length > keys.length ? `, and ${records.length - keys.length} more` : ''
    return [`${dependant} ${keys.join(', ')}${more}`]
  })
  if (named.length === 0) return
  throw new ControlError(
    `${key} is not removed, because records depend on it: ${named.join('; ')}. Remove them with it by "dependants" (--dependants on the command line).`,
    [],
    409,
  )
}

function checkKind(kind: StateKind): void {
  if (!stateKinds.includes(kind)) throw new ControlError(`There is no kind of records "${kind}".`, stateKinds)
}

function missing(kind: StateKind, key: string): never {
  throw new ControlError(`There is no record "${key}" among the ${kind}.`, [], 404)
}

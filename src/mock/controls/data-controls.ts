import type { Project } from '../../contract/schemas.js'
import type { RecordEditor } from '../../store/memory/record-editor.js'
import {
  type State,
  type StateCounts,
  type StateKind,
  type StateRecord,
  stateKinds,
  type Team,
} from '../../store/state-file.js'
import { ControlError } from '../state/control-error.js'
import { type LoadedState, personaNamed } from '../state/personas.js'
import type { RecordPage, RecordQuery } from '../state/record-query.js'
import { keyOf } from '../state/state-changes.js'
import type { Recorder } from './recorder.js'

export type RecordOf<Kind extends StateKind> = State[Kind][number]

/** A record after an edit, with a warning if the edit changed the persona of `session=active`. */
export type EditedRecord<Kind extends StateKind = StateKind> = LoadedState & { record: RecordOf<Kind> }

export type RemovedRecords = LoadedState & { removed: StateCounts }

/**
 * Single records of the state. Each edit is validated as a state file is, and is a step of the history. The key of a waitlist
 * entry is its address, that of another record its id.
 */
export type DataControls = ReturnType<typeof createDataControls>

// Modules that a page does not need at first are loaded on demand.
export function createDataControls({ parts: { records, personas, clock, newId }, edit, editOne }: Recorder) {
  return {
    /** @throws ControlError for an unknown kind or field */
    async list<Kind extends StateKind>(kind: Kind, query: RecordQuery = {}) {
      checkKind(kind)
      const { queryRecords } = await import('../state/record-query.js')
      return queryRecords(kind, (await records()).all(kind), query) as RecordPage<RecordOf<Kind>>
    },
    /**
     * Adds a record, and completes it with an id, times and the like. A project gets the team of the active persona.
     * @throws StateError with the path of each fault
     */
    async add<Kind extends StateKind>(
      kind: Kind,
      record: Partial<RecordOf<Kind>>,
    ): Promise<EditedRecord<Kind>> {
      checkKind(kind)
      const { completeRecord } = await import('../state/new-records.js')
      const orgCode = personas.current()?.orgCode
      return editOne('addRecord', { kind, record }, (editor) => {
        const complete = completeRecord(kind, record, { editor, now: clock.now, newId, orgCode })
        const [made] = editor.add({ [kind]: [complete] })[kind]
        return { record: editor.find(kind, keyOf(made as StateRecord)) as never }
      })
    },
    /**
     * Adds many projects with different names to the team of a persona, by default that of `session=active`.
     * @throws ControlError for a persona without a team, and beyond the limit of a team
     */
    async generate(count: number, { session }: { session?: string } = {}): Promise<LoadedState> {
      const persona =
        session === undefined ? personas.current() : personaNamed(session, await personas.list())
      const { generateProjects, teamOfPersona } = await import('../state/generate-projects.js')
      const team = teamOfPersona(persona, (await records()).all('teams') as Team[])
      return edit('generateProjects', { count, session, team: team.name }, (editor) => {
        const existing = (editor.all('projects') as Project[]).filter(({ teamId }) => teamId === team.id)
        editor.add({ projects: generateProjects(count, { team, existing, now: clock.now(), newId }) })
        return {}
      })
    },
    /**
     * Sets fields of a record; null removes an optional field.
     * @throws StateError with the path of each fault, ControlError if there is no such record
     */
    async set<Kind extends StateKind>(
      kind: Kind,
      key: string,
      fields: { [Field in keyof RecordOf<Kind>]?: RecordOf<Kind>[Field] | null },
    ): Promise<EditedRecord<Kind>> {
      checkKind(kind)
      return editOne('setRecord', { kind, key, fields }, (editor) => ({
        record: (editor.set(kind, key, fields) ?? missing(kind, key)) as never,
      }))
    },
    /**
     * Removes a record. With `dependants`, also the projects of a team and the sessions of its organisation, or the sessions
     * of a user. @throws ControlError that names dependants without this option
     */
    async remove(
      kind: StateKind,
      key: string,
      { dependants = false }: { dependants?: boolean } = {},
    ): Promise<RemovedRecords> {
      checkKind(kind)
      return edit('removeRecord', { kind, key, dependants }, (editor) => {
        if (!editor.find(kind, key)) missing(kind, key)
        if (!dependants) refuseDependants(kind, key, editor)
        return { removed: editor.remove({ [kind]: [key] }) }
      })
    },
  }
}

/** Refuses the removal of a record that others refer to. */
function refuseDependants(kind: StateKind, key: string, editor: RecordEditor): void {
  const named = Object.entries(editor.dependants(kind, key)).flatMap(([dependant, records]) => {
    if (records.length === 0) return []
    const keys = records.slice(0, 5).map((record) => keyOf(record))
    const more = records.length > keys.length ? `, and ${records.length - keys.length} more` : ''
    return [`${dependant} ${keys.join(', ')}${more}`]
  })
  if (named.length === 0) return
  throw new ControlError(
    `${key} is not removed, because records depend on it: ${named.join('; ')}. With dependants they are removed too.`,
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

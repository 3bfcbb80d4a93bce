import { nameKey } from '../contract/project-name.js'
import { emailKey } from './record-fields.js'
import { fields } from './rows.js'
import { type State, type StateKind, stateKinds } from './state-file.js'

type Field<Kind extends StateKind> = (record: State[Kind][number]) => string | null | undefined

/** The columns that are computed from a record. */
const computed: { [Kind in StateKind]?: Record<string, Field<Kind>> } = {
  users: { email_key: (user) => emailKey(user.email) },
  sessions: { permissions: (session) => JSON.stringify(session.permissions) },
  projects: { name_key: (project) => nameKey(project.name) },
}

const storedOf = <Kind extends StateKind>(kind: Kind): Record<string, Field<Kind>> => ({
  ...Object.fromEntries(
    Object.entries(fields[kind]).map(([field, column]) => [
      column,
      (record: State[Kind][number]) => (record as Record<string, string | null | undefined>)[field],
    ]),
  ),
  ...computed[kind],
})

/** The stored columns of each kind, and how to get them from a record. The first one identifies the record. */
const stored = Object.fromEntries(stateKinds.map((kind) => [kind, storedOf(kind)])) as {
  [Kind in StateKind]: Record<string, Field<Kind>>
}

/** The columns that are stored of a kind. The first one identifies the record. */
export const storedColumns = (kind: StateKind): string[] => Object.keys(stored[kind])

/** Records as a JSON array of arrays: the values of their stored columns. */
export function toJson<Kind extends StateKind>(kind: Kind, records: readonly State[Kind][number][]): string {
  const fields = Object.values(stored[kind])
  return JSON.stringify(records.map((record) => fields.map((read) => read(record) ?? null)))
}

import { parseJson } from '../../contract/parse-json.js'
import { nameKey } from '../../contract/project-name.js'
import { User } from '../../contract/schemas.js'
import { emailKey, withoutNulls } from '../record-fields.js'
import {
  recordSchemas,
  SessionRecord,
  type State,
  type StateKind,
  stateKinds,
  type UserRecord,
} from '../state-file.js'

/** The column of a field: `givenName` is `given_name`. */
export const columnOf = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const columnsOf = (schema: { shape: object }): Record<string, string> =>
  Object.fromEntries(Object.keys(schema.shape).map((field) => [field, columnOf(field)]))

/** The fields of each kind of record with their columns. The first field identifies the record. */
export const fields = Object.fromEntries(
  stateKinds.map((kind) => [kind, columnsOf(recordSchemas[kind])]),
) as Record<StateKind, Record<string, string>>

/** A user as in section 2.2, without the identity. */
export const userFields = columnsOf(User)

/** A session without its `sid`. */
export const sessionFields = columnsOf(SessionRecord.omit({ sid: true }))

/** The column list of SELECT and RETURNING. */
export const select = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([field, column]) => (field === column ? field : `${column} AS "${field}"`))
    .join(', ')

/** The column lists of each kind of record, and of a user without the identity. */
export const columns = {
  user: select(userFields),
  ...(Object.fromEntries(stateKinds.map((kind) => [kind, select(fields[kind])])) as Record<
    StateKind,
    string
  >),
}

/** A row of `columns`. Missing values are null. */
export type Row = Record<string, unknown>

export const toUserRecord = (row: Row) => withoutNulls(row) as UserRecord

/** A damaged text grants no permission, and does not fail the statement, which reads the sessions of many requests. */
function parsePermissions(text: string): string[] {
  const found = parseJson(text)
  return Array.isArray(found) && found.every((each) => typeof each === 'string') ? found : []
}

/** @param row of `sessionFields`, or of `columns.sessions` */
export const toSession = (row: Row) =>
  ({ ...withoutNulls(row), permissions: parsePermissions(String(row.permissions)) }) as SessionRecord

const computed: { [Kind in StateKind]?: Record<string, (record: State[Kind][number]) => string> } = {
  users: { email_key: ({ email }) => emailKey(email) },
  sessions: { permissions: ({ permissions }) => JSON.stringify(permissions) },
  projects: { name_key: ({ name }) => nameKey(name) },
}

type Read = (record: object) => unknown

/** The stored columns of each kind, with their values. */
const stored = Object.fromEntries(
  stateKinds.map((kind) => {
    const reads = Object.entries(fields[kind]).map(([field, column]): [string, Read] => [
      column,
      (record) => Reflect.get(record, field) ?? null,
    ])
    return [kind, { ...Object.fromEntries(reads), ...(computed[kind] as Record<string, Read> | undefined) }]
  }),
) as Record<StateKind, Record<string, Read>>

export const storedColumns = (kind: StateKind): string[] => Object.keys(stored[kind])

/** Records as a JSON array of arrays: the values of their stored columns. */
export function toJson(kind: StateKind, records: readonly object[]): string {
  const reads = Object.values(stored[kind])
  return JSON.stringify(records.map((record) => reads.map((read) => read(record))))
}

import type { RecordPage } from '../../../mock/core/record-query.js'
import { type StateKind, type StateRecord, stateKinds } from '../../../store/state-file.js'
import type { DataScreen } from './screens.js'

/** The records that a screen asked for. */
export type DataPage = RecordPage<StateRecord> & Pick<DataScreen, 'kind' | 'search' | 'sort'>

/** The fields of each kind, in the order of the columns: on a narrow terminal the last ones have to be scrolled to. */
const fieldsOf: Record<StateKind, string[]> = {
  teams: ['name', 'orgCode', 'id'],
  users: ['email', 'givenName', 'familyName', 'id', 'picture', 'issuer', 'subject'],
  sessions: [
    'id',
    'role',
    'orgCode',
    'permissions',
    'userId',
    'note',
    'expiresAt',
    'revokedAt',
    'createdAt',
    'lastSeenAt',
    'sid',
  ],
  projects: ['name', 'status', 'description', 'teamId', 'createdAt', 'id'],
  waitlist: ['email', 'createdAt'],
}

export const columnsOf = (kind: StateKind): string[] => fieldsOf[kind]

export const nextKind = (kind: StateKind): StateKind =>
  stateKinds[(stateKinds.indexOf(kind) + 1) % stateKinds.length] as StateKind

/** The text of a field, as it is shown and edited. */
export function fieldText(record: StateRecord, field: string): string {
  const value: unknown = Reflect.get(record, field)
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

/** The value of a field that was entered. An empty text removes an optional one. */
export function fieldValue(kind: StateKind, field: string, text: string): string | string[] | null {
  if (field === 'permissions') return text.split(/[\s,]+/).filter(Boolean)
  return text === '' && optionalFields[kind]?.includes(field) ? null : text
}

const optionalFields: Partial<Record<StateKind, string[]>> = {
  users: ['issuer', 'subject'],
  sessions: ['orgCode', 'role', 'note', 'expiresAt', 'revokedAt', 'createdAt', 'lastSeenAt', 'sid'],
  projects: ['description'],
}

/** What is entered to add a record of each kind: the rest is made. */
export const newRecordTexts: Record<StateKind, [title: string, help: string]> = {
  teams: ['Name of the new team', 'Its organisation code and its id are made from the name.'],
  users: ['Address of the new user', 'Names and id are made from it.'],
  sessions: [
    'Name of the new persona, and its organisation code',
    'E.g. initech-boss org_initech. A user is added too, and a team for a new organisation.',
  ],
  projects: ['Name of the new project', 'It is in the team of the active persona.'],
  waitlist: ['Address for the waitlist', 'In lower case.'],
}

import type { Project } from '../../contract/schemas.js'
import { withoutNulls } from '../record-fields.js'
import type { SessionRecord, StateKind, StateRecord, UserRecord } from '../state-file.js'

// Entities are the library's own objects, marked with symbols. The store returns plain copies of them.
export const copy = <Row extends object>(entity: Row): Row =>
  Object.fromEntries(Object.entries(entity)) as Row
export const toUserRecord = (user: object) => withoutNulls(user) as UserRecord
export const toSession = (session: Pick<SessionRecord, 'permissions'>) =>
  ({ ...withoutNulls(session), permissions: [...session.permissions] }) as SessionRecord
/** Copies field by field, which is faster: a list has many projects. */
export const toProject = ({ id, name, description, status, teamId, createdAt }: Project): Project => ({
  id,
  name,
  description,
  status,
  teamId,
  createdAt,
})

/** Makes the record of an entity of each kind. */
export const toRecord = {
  teams: copy,
  users: toUserRecord,
  sessions: toSession,
  projects: toProject,
  waitlist: copy,
} as Record<StateKind, (entity: object) => StateRecord>

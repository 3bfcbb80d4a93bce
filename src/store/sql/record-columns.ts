import { nameKey } from '../../contract/project-name.js'
import type { Project, User } from '../../contract/schemas.js'
import { emailKey, withoutNulls } from '../record-fields.js'
import {
  type SessionRecord,
  type State,
  type StateKind,
  stateKinds,
  type Team,
  type UserRecord,
  type WaitlistEntry,
} from '../state-file.js'

/** A user as in section 2.2, without the identity. */
const user = {
  id: 'id',
  email: 'email',
  givenName: 'given_name',
  familyName: 'family_name',
  picture: 'picture',
} satisfies Record<keyof User, string>

/** A session as requests need it. */
const session = {
  id: 'id',
  userId: 'user_id',
  orgCode: 'org_code',
  permissions: 'permissions',
  role: 'role',
  note: 'note',
  createdAt: 'created_at',
  lastSeenAt: 'last_seen_at',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
} satisfies Partial<Record<keyof SessionRecord, string>>

/** The fields of each kind of record, and their columns. The first one identifies the record. */
export const fields = {
  user,
  session,
  teams: { id: 'id', name: 'name', orgCode: 'org_code' },
  users: { ...user, issuer: 'issuer', subject: 'subject' },
  sessions: { ...session, sid: 'sid' },
  projects: {
    id: 'id',
    name: 'name',
    description: 'description',
    status: 'status',
    teamId: 'team_id',
    createdAt: 'created_at',
  },
  waitlist: { email: 'email', createdAt: 'created_at' },
} satisfies { [Kind in keyof Rows]: Record<keyof Rows[Kind], string> } & { user: object; session: object }

/** The rows of those columns. */
export type Rows = {
  teams: Team
  users: Record<keyof UserRecord, string | null>
  sessions: Record<Exclude<keyof SessionRecord, 'permissions'>, string | null> & { permissions: string }
  projects: Project
  waitlist: WaitlistEntry
}

const select = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([field, column]) => (field === column ? field : `${column} AS "${field}"`))
    .join(', ')

/** The column lists of SELECT and RETURNING. */
export const columns = {
  user: select(fields.user),
  teams: select(fields.teams),
  users: select(fields.users),
  sessions: select(fields.sessions),
  projects: select(fields.projects),
  waitlist: select(fields.waitlist),
}

export const toUserRecord = (row: Rows['users']) => withoutNulls(row) as UserRecord

/** A row of `fields.session`. */
export type SessionRow = Pick<Rows['sessions'], keyof typeof session>

/** @param row of `fields.session`, or of `fields.sessions` */
export const toSession = (row: SessionRow) =>
  ({ ...withoutNulls(row), permissions: JSON.parse(row.permissions) }) as SessionRecord

/** @param row a row of all columns, of which those of later versions may be missing */
export function sessionOfRow(row: Record<string, unknown>): SessionRecord {
  const values = Object.entries(fields.sessions).map(([field, column]) => [field, row[column] ?? null])
  return toSession(Object.fromEntries(values))
}

/** The columns that are computed from a record. */
const computed: { [Kind in StateKind]?: Record<string, (record: State[Kind][number]) => string> } = {
  users: { email_key: ({ email }) => emailKey(email) },
  sessions: { permissions: ({ permissions }) => JSON.stringify(permissions) },
  projects: { name_key: ({ name }) => nameKey(name) },
}

type Read = (record: object) => string | null

/** The stored columns of each kind, and how to get them from a record. */
const stored = Object.fromEntries(
  stateKinds.map((kind) => [
    kind,
    {
      ...Object.fromEntries(
        Object.entries(fields[kind]).map(([field, column]) => [
          column,
          (record: object) => Reflect.get(record, field) ?? null,
        ]),
      ),
      ...(computed[kind] as Record<string, Read> | undefined),
    },
  ]),
) as Record<StateKind, Record<string, Read>>

export const storedColumns = (kind: StateKind): string[] => Object.keys(stored[kind])

/** Records as a JSON array of arrays: the values of their stored columns. */
export function toJson(kind: StateKind, records: readonly object[]): string {
  const reads = Object.values(stored[kind])
  return JSON.stringify(records.map((record) => reads.map((read) => read(record))))
}

/** The first row of a result, if it has one. */
export const first = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0]

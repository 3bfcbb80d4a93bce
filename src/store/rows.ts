import type { Project, User } from '../contract/schemas.js'
import { withoutNulls } from './record-fields.js'
import type { SessionRecord, Team, UserRecord, WaitlistEntry } from './state-file.js'

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

/** The fields of each kind of record, and their columns. */
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

const select = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([field, column]) => (field === column ? field : `${column} AS "${field}"`))
    .join(', ')

/** The column lists of SELECT and RETURNING. */
export const columns = {
  user: select(user),
  teams: select(fields.teams),
  users: select(fields.users),
  sessions: select(fields.sessions),
  projects: select(fields.projects),
  waitlist: select(fields.waitlist),
}

/** The rows of those columns. */
export type Rows = {
  teams: Team
  users: Record<keyof UserRecord, string | null>
  sessions: Record<Exclude<keyof SessionRecord, 'permissions'>, string | null> & { permissions: string }
  projects: Project
  waitlist: WaitlistEntry
}

export const toUserRecord = (row: Rows['users']) => withoutNulls(row) as UserRecord

/** A row of `fields.session`. */
export type SessionRow = Pick<Rows['sessions'], keyof typeof session>

/** @param row of `fields.session`, or of `fields.sessions` */
export const toSession = (row: SessionRow) =>
  ({ ...withoutNulls(row), permissions: JSON.parse(row.permissions) }) as SessionRecord

/** @param row a row of all columns, of which those of later versions may be missing */
export const sessionOfRow = (row: object): SessionRecord => {
  const stored = new Map<string, unknown>(Object.entries(row))
  const values = Object.entries(fields.sessions).map(([field, column]) => [field, stored.get(column) ?? null])
  return toSession(Object.fromEntries(values))
}

/** The first row of a result, if it has one. */
export const first = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0]

import { nameKey } from '../../contract/project-name.js'
import type { State, StateKind } from '../state.js'
import type { Handle } from './handle.js'
import { emailKey } from './rows.js'

type Field<Kind extends StateKind> = (record: State[Kind][number]) => string | null | undefined

/** The stored columns of each kind, and how a record gives them. The first is the one that names the record. */
const stored: { [Kind in StateKind]: Record<string, Field<Kind>> } = {
  teams: { id: (team) => team.id, name: (team) => team.name, org_code: (team) => team.orgCode },
  users: {
    id: (user) => user.id,
    email: (user) => user.email,
    email_key: (user) => emailKey(user.email),
    given_name: (user) => user.givenName,
    family_name: (user) => user.familyName,
    picture: (user) => user.picture,
    issuer: (user) => user.issuer,
    subject: (user) => user.subject,
  },
  sessions: {
    id: (session) => session.id,
    user_id: (session) => session.userId,
    org_code: (session) => session.orgCode,
    permissions: (session) => JSON.stringify(session.permissions),
    role: (session) => session.role,
    note: (session) => session.note,
    created_at: (session) => session.createdAt,
    last_seen_at: (session) => session.lastSeenAt,
    expires_at: (session) => session.expiresAt,
    revoked_at: (session) => session.revokedAt,
  },
  projects: {
    id: (project) => project.id,
    name: (project) => project.name,
    name_key: (project) => nameKey(project.name),
    description: (project) => project.description,
    status: (project) => project.status,
    team_id: (project) => project.teamId,
    created_at: (project) => project.createdAt,
  },
  waitlist: { email: (entry) => entry.email, created_at: (entry) => entry.createdAt },
}

/**
 * Adds one record; fails where one with its id is there.
 * @param more what follows in the statement, e.g. what to do on a conflict
 * @returns the rows that `more` returns
 */
export async function insert<Row, Kind extends StateKind = StateKind>(
  handle: Handle,
  kind: Kind,
  record: State[Kind][number],
  more = '',
): Promise<Row[]> {
  const fields = Object.entries(stored[kind])
  const names = fields.map(([name]) => name).join(', ')
  const places = fields.map(() => '?').join(', ')
  const values = fields.map(([, read]) => read(record) ?? null)
  return handle.all<Row>(`INSERT INTO ${kind} (${names}) VALUES (${places}) ${more}`, ...values)
}

/** How many records go to SQLite in one call: large states load fast, and no call gets too long. */
const batchSize = 1000

/** Adds the records whose ids are not there yet, in their order, and gives the number of those added. */
export async function insertMissing<Kind extends StateKind>(
  handle: Handle,
  kind: Kind,
  records: readonly State[Kind][number][],
): Promise<number> {
  const fields = Object.entries(stored[kind])
  const names = fields.map(([name]) => name)
  const values = names.map((_, i) => `value ->> ${i}`)
  // "WHERE true" tells SQLite that ON CONFLICT is not the condition of a join.
  const sql = `INSERT INTO ${kind} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM json_each(?) WHERE true ORDER BY key
    ON CONFLICT (${names[0]}) DO NOTHING`

  let added = 0
  for (let start = 0; start < records.length; start += batchSize) {
    const batch = records.slice(start, start + batchSize)
    const rows = batch.map((record) => fields.map(([, read]) => read(record) ?? null))
    added += await handle.run(sql, JSON.stringify(rows))
  }
  return added
}

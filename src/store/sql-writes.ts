import type { User } from '../contract/schemas.js'
import { auditedChanges } from './audited-changes.js'
import { toUser } from './record-fields.js'
import { columns } from './rows.js'
import type { Recorder } from './sql-audit.js'
import type { State, StateKind } from './state-file.js'
import type { Store } from './store.js'

/** Adds one record, and returns the rows of RETURNING. */
type Insert<Connection> = <Row>(
  connection: Connection,
  kind: StateKind,
  record: State[StateKind][number],
  suffix?: string,
) => Promise<Row[]>

/** The writes that both SQL stores make alike: those of teams and users. */
export const sqlWrites = <Connection>(
  record: Recorder<Connection>,
  insert: Insert<Connection>,
): Pick<Store, 'addTeam' | 'addUser' | 'upsertUser'> => ({
  async addTeam(team) {
    const suffix = 'ON CONFLICT (org_code) DO NOTHING RETURNING id'
    return record(
      async (connection) => (await insert(connection, 'teams', team, suffix)).length > 0,
      auditedChanges.addTeam(team),
    )
  },
  async addUser(user) {
    await record(async (connection) => {
      await insert(connection, 'users', toUser(user))
      return user
    }, auditedChanges.addUser(user))
  },
  async upsertUser({ issuer, subject }, profile) {
    const suffix = `ON CONFLICT (issuer, subject) DO UPDATE SET email = excluded.email,
      email_key = excluded.email_key, given_name = excluded.given_name, family_name = excluded.family_name,
      picture = excluded.picture RETURNING ${columns.user}`
    return record(async (connection) => {
      const rows = await insert<User>(connection, 'users', { ...profile, issuer, subject }, suffix)
      return rows[0] as User
    }, auditedChanges.addUser(profile))
  },
})

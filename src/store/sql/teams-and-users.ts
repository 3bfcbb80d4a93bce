import type { User } from '../../contract/schemas.js'
import { emailKey, toUser } from '../record-fields.js'
import type { Team } from '../state-file.js'
import type { Listed, Store, StoreReader } from '../store.js'
import type { Change } from './audit.js'
import { conditionsOf } from './conditions.js'
import { columns, type Row, toSession, toUserRecord } from './record-columns.js'
import { type Dialect, first, type SqlReader } from './sql-database.js'
import { insertRecords } from './state.js'

/** The columns of each list, and the record of a row. */
const lists: { [Kind in keyof Listed]: { columns: string; toRecord(row: Row): Listed[Kind] } } = {
  teams: { columns: columns.teams, toRecord: (row) => row as Team },
  sessions: {
    columns: `${columns.sessions}, (SELECT email FROM users WHERE users.id = user_id) AS email`,
    toRecord: ({ email, ...row }) => ({ ...toSession(row), email: String(email ?? '') }),
  },
}

export const recordReads = ({ read, readLarge, dialect }: SqlReader) =>
  ({
    async recordsBefore(kind, place, limit) {
      const { columns, toRecord } = lists[kind]
      const values = place === undefined ? [limit] : [limit, place]
      const sql = `SELECT CAST(position AS text) AS place, ${columns} FROM ${kind}
        ${place === undefined ? '' : 'WHERE position < CAST($2 AS bigint)'} ORDER BY position DESC LIMIT $1`
      const rows = await readLarge<Row & { place: string }>(sql, ...values)
      return rows.map(({ place, ...row }) => ({ place, record: toRecord(row) }))
    },
    async countRecords(kind) {
      const sql = `SELECT CAST(count(*) AS integer) AS records FROM ${kind}`
      return (await first(readLarge<{ records: number }>(sql)))?.records ?? 0
    },
    teamOfOrganization: (orgCode) =>
      first(read<Team>(`SELECT ${columns.teams} FROM teams WHERE org_code = $1`, orgCode)),
    team: (teamId) => first(read<Team>(`SELECT ${columns.teams} FROM teams WHERE id = $1`, teamId)),
    listTeams: () => readLarge<Team>(`SELECT ${columns.teams} FROM teams ORDER BY position`),
    user: (userId) => first(read<User>(`SELECT ${columns.user} FROM users WHERE id = $1`, userId)),
    async usersWithEmail(email) {
      const condition = dialect.hasValue('email_key', 'CAST($1 AS text)')
      const sql = `SELECT ${columns.users} FROM users WHERE ${condition} ORDER BY position`
      return (await read<Row>(sql, emailKey(email))).map(toUserRecord)
    },
    async usersAfter(userId, limit) {
      const sql = `SELECT ${columns.users} FROM users WHERE id > $1 ORDER BY id LIMIT $2`
      return (await readLarge<Row>(sql, userId ?? '', limit)).map(toUserRecord)
    },
    async session(sessionId) {
      const sql = `SELECT ${columns.sessions} FROM sessions WHERE id = $1`
      return (await read<Row>(sql, sessionId)).map(toSession)[0]
    },
    async listSessions({ userId, orgCode } = {}) {
      const { list, values, bind } = conditionsOf('created_at', {})
      if (userId !== undefined) list.push(`user_id = ${bind(userId)}`)
      if (orgCode !== undefined) list.push(`org_code = ${bind(orgCode)}`)
      const sql = `SELECT ${columns.sessions} FROM sessions WHERE ${list.join(' AND ')} ORDER BY position`
      return (await readLarge<Row>(sql, ...values)).map(toSession)
    },
  }) satisfies Partial<StoreReader>

export const recordWrites = (
  dialect: Dialect,
  change: Change,
): Pick<Store, 'addTeam' | 'renameTeam' | 'addUser' | 'upsertUser'> =>
  ({
    addTeam(team, by) {
      const suffix = 'ON CONFLICT (org_code) DO NOTHING RETURNING id'
      return change(by, async (connection, record) => {
        const added = await insertRecords(connection, dialect, 'teams', [team], suffix)
        if (added.length > 0) record({ action: 'team.create', target: team.id })
        return added.length > 0
      })
    },
    renameTeam(teamId, name, by) {
      const sql = `UPDATE teams SET name = $1 WHERE id = $2 RETURNING ${columns.teams}`
      return change(by, async (connection, record) => {
        const team = await first(connection.all<Team>(sql, name, teamId))
        if (team) record({ action: 'team.rename', target: teamId })
        return team
      })
    },
    addUser(user, by) {
      return change(by, async (connection, record) => {
        await insertRecords(connection, dialect, 'users', [toUser(user)])
        record({ action: 'user.create', userId: user.id })
      })
    },
    upsertUser({ issuer, subject }, profile, by) {
      const suffix = `ON CONFLICT (issuer, subject) DO UPDATE SET email = excluded.email,
      email_key = excluded.email_key, given_name = excluded.given_name, family_name = excluded.family_name,
      picture = excluded.picture RETURNING ${columns.user}`
      return change(by, async (connection, record) => {
        const user = { ...profile, issuer, subject }
        const [stored] = await insertRecords<User>(connection, dialect, 'users', [user], suffix)
        if (stored?.id === profile.id) record({ action: 'user.create', userId: profile.id })
        return stored as User
      })
    },
  }) satisfies Partial<Store>

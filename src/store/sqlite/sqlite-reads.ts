import type { User } from '../../contract/schemas.js'
import type { AuditReader } from '../audit-log.js'
import type { BatchQuery } from '../batch-reader.js'
import { emailKey } from '../record-fields.js'
import { columns, first, type Rows, sessionOfRow, toSession, toUserRecord } from '../rows.js'
import { auditAfter, countAudit } from '../sql-audit.js'
import { requireFilter, type StoreReader } from '../store.js'
import * as queries from './batch-queries.js'
import type { ConnectionPool } from './connection-pool.js'
import { countWaitlist, waitlistAfter } from './waitlist-queries.js'

const { user, teams, users, waitlist } = columns

/** What a store reads from a SQLite file. */
export function sqliteReads(
  db: Pick<ConnectionPool, 'read' | 'readByKey' | 'readLargeByKey'>,
): StoreReader & AuditReader {
  /** A large list is read on another connection, where it does not delay the reads of other teams. */
  const list = async <Row>(
    small: BatchQuery<Row[] | null>,
    large: BatchQuery<Row[]>,
    teamId: string,
  ): Promise<Row[]> =>
    (await first(db.readByKey(small, teamId))) ?? (await first(db.readLargeByKey(large, teamId))) ?? []

  return {
    async teamOfOrganization(orgCode) {
      return first(db.readByKey(queries.teamOfOrganization, orgCode))
    },
    async team(teamId) {
      return first(db.read<Rows['teams']>(`SELECT ${teams} FROM teams WHERE id = ?`, teamId))
    },
    async listTeams() {
      return db.read<Rows['teams']>(`SELECT ${teams} FROM teams ORDER BY position`)
    },

    async listProjects(teamId) {
      requireFilter({ teamId })
      return list(queries.projectsOfTeam, queries.projectsOfLargeTeam, teamId)
    },
    async listProjectNames(teamId) {
      requireFilter({ teamId })
      return list(queries.namesOfTeam, queries.namesOfLargeTeam, teamId)
    },
    async teamSize(teamId) {
      requireFilter({ teamId })
      return (await first(db.readByKey(queries.teamSize, teamId))) ?? { projects: 0, bytes: 0 }
    },
    async project(teamId, projectId) {
      requireFilter({ teamId, projectId })
      return first(db.readByKey(queries.projectWithId, [teamId, projectId]))
    },
    async projectNamed(teamId, key) {
      requireFilter({ teamId })
      return first(db.readByKey(queries.projectsNamed, [teamId, key]))
    },

    async auditAfter(cursor, limit, filter) {
      return auditAfter({ all: db.read }, cursor, limit, filter)
    },
    async countAudit(filter) {
      return countAudit({ all: db.read }, filter)
    },

    async listWaitlist() {
      return db.read<Rows['waitlist']>(`SELECT ${waitlist} FROM waitlist ORDER BY created_at DESC, email`)
    },
    async waitlistAfter(cursor, limit, filter) {
      return waitlistAfter(db, cursor, limit, filter)
    },
    async countWaitlist(filter) {
      return countWaitlist(db, filter)
    },

    async user(userId) {
      return first(db.readByKey(queries.userWithId, userId))
    },
    async userWithEmail(email) {
      const sql = `SELECT ${user} FROM users WHERE email_key = ? ORDER BY position LIMIT 1`
      return first(db.read<User>(sql, emailKey(email)))
    },
    async usersWithEmail(email) {
      const sql = `SELECT ${users} FROM users WHERE email_key = ? ORDER BY position`
      return (await db.read<Rows['users']>(sql, emailKey(email))).map(toUserRecord)
    },
    async usersAfter(userId, limit) {
      const sql = `SELECT ${users} FROM users WHERE id > ? ORDER BY id LIMIT ?`
      return (await db.read<Rows['users']>(sql, userId ?? '', limit)).map(toUserRecord)
    },

    async session(sessionId) {
      const row = await first(db.read<object>('SELECT * FROM sessions WHERE id = ?', sessionId))
      return row && sessionOfRow(row)
    },
    async caller(sessionId) {
      const caller = await first(db.readByKey(queries.callerWithSession, sessionId))
      return caller && { ...caller, session: toSession(caller.session), team: caller.team ?? undefined }
    },
    async listSessions() {
      return (await db.read<object>('SELECT * FROM sessions ORDER BY position')).map(sessionOfRow)
    },
  }
}

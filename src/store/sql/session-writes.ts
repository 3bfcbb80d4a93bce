import { auditEvents, type RevokedSession } from '../audit-events.js'
import type { Origin } from '../audit-log.js'
import type { Ended, ProviderLogout, Store } from '../store.js'
import type { Change } from './audit.js'
import { first } from './record-columns.js'
import type { Dialect, SqlConnection } from './sql-database.js'
import { insertRecords } from './state.js'
import type { WriteKind, WriteQueue } from './write-queue.js'

/** Only what is open is revoked: a session that has ended stays as it is. */
const revokeOpen = `UPDATE sessions SET revoked_at = $1
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)`

const remember = 'INSERT INTO provider_logouts VALUES ($1, $2) ON CONFLICT (key)'

export function sessionWrites(dialect: Dialect, change: Change, queue: WriteQueue) {
  const { lockGlobalScope } = dialect
  // With the lock, a logout has either committed what ended, or sees the session that is added.
  const hasEnded = async (connection: SqlConnection, { keys, until }: Ended) => {
    if (lockGlobalScope) await connection.all(lockGlobalScope)
    const places = keys.map((_, i) => `$${i + 2}`).join(', ')
    const sql = `SELECT key FROM provider_logouts WHERE expires_at >= $1 AND key IN (${places})`
    return (await connection.all(sql, until, ...keys)).length > 0
  }
  const revoked = async (connection: SqlConnection, sql: string, ...values: string[]) => {
    if (lockGlobalScope) await connection.all(lockGlobalScope)
    return connection.all<RevokedSession>(`${sql} RETURNING id, user_id AS "userId"`, ...values)
  }
  const revoke = async (by: Origin | undefined, sql: string, ...values: string[]): Promise<number> =>
    (await change(by, (connection) => revoked(connection, sql, ...values), auditEvents.revokeSessions)).length
  const touches = touchKind(dialect)

  return {
    async addSession(session, by, unless) {
      const add = async (connection: SqlConnection) => {
        if (unless && (await hasEnded(connection, unless))) return false
        await insertRecords(connection, dialect, 'sessions', [session])
        if (session.orgCode === undefined) return undefined
        const sql = 'SELECT id FROM teams WHERE org_code = $1'
        return first(connection.all<{ id: string }>(sql, session.orgCode))
      }
      return (await change(by, add, auditEvents.addSession(session))) !== false
    },
    touchSession: (sessionId, at) => queue.add(sessionId, touches, { sessionId, at }),
    async revokeSession(sessionId, at, by) {
      const sql = 'UPDATE sessions SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL'
      return (await revoke(by, sql, at, sessionId)) > 0
    },
    revokeSessionsOfUser: (userId, at, by) => revoke(by, `${revokeOpen} AND user_id = $2`, at, userId),
    revokeSessionsOfOrganization: (orgCode, at, by) =>
      revoke(by, `${revokeOpen} AND org_code = $2`, at, orgCode),
    async revokeSessionsOfProvider(logout, at, by) {
      const work = async (connection: SqlConnection) => {
        if (lockGlobalScope) await connection.all(lockGlobalScope)
        await connection.run('DELETE FROM provider_logouts WHERE expires_at <= $1', at)
        const { key, expiresAt } = logout
        if ((await connection.run(`${remember} DO NOTHING`, key, expiresAt)) === 0) return undefined
        const { keys = [], until = '' } = logout.ended ?? {}
        for (const key of keys) await connection.run(`${remember} DO UPDATE SET expires_at = $2`, key, until)
        const [condition, values] = sessionsOf(logout)
        return revoked(connection, `${revokeOpen} AND ${condition}`, at, ...values)
      }
      return (await change(by, work, auditEvents.revokeSessions))?.length
    },
  } satisfies Partial<Store>
}

/** Which sessions a message is about, and the parameters of the condition, from `$2` on. */
function sessionsOf({ issuer, subject, sid }: ProviderLogout): [condition: string, values: string[]] {
  if (subject === undefined) {
    const ofIssuer = 'EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND issuer = $2)'
    return [`sid = $3 AND ${ofIssuer}`, [issuer, sid ?? '']]
  }
  const ofSubject = 'user_id = (SELECT id FROM users WHERE issuer = $2 AND subject = $3)'
  if (sid === undefined) return [ofSubject, [issuer, subject]]
  return [`${ofSubject} AND (sid = $4 OR sid IS NULL)`, [issuer, subject, sid]]
}

/**
 * Records the use of sessions. One that another transaction is changing is skipped: its next use is recorded, and this
 * statement, which holds several sessions, waits for none.
 */
const touchKind = ({ items, lockFree }: Dialect): WriteKind<{ sessionId: string; at: string }, void> => ({
  async write(connection, uses) {
    await connection.run(
      `UPDATE sessions SET last_seen_at = used.at FROM (
         SELECT sessions.id, max(item ->> 1) AS at FROM ${items('$1')}
         JOIN sessions ON sessions.id = item ->> 0 GROUP BY sessions.id
       ) AS used WHERE sessions.id = used.id${
         lockFree &&
         ` AND sessions.id IN (
           SELECT id FROM sessions WHERE id IN (SELECT item ->> 0 FROM ${items('$1')}) ${lockFree}
         )`
       }`,
      JSON.stringify(uses.map(({ sessionId, at }) => [sessionId, at])),
    )
    return uses.map(() => undefined)
  },
})

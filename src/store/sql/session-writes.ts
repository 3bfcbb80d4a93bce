import type { Origin } from '../audit-log.js'
import { type Ended, type ProviderLogout, type Store, StoreUnavailableError } from '../store.js'
import type { Change, RecordEvent } from './audit.js'
import type { Dialect, SqlConnection } from './sql-database.js'
import { insertRecords } from './state.js'
import type { WriteKind, WriteQueue } from './write-queue.js'

/** Includes sessions that have expired by the caller's clock, which may be ahead. */
const revokeAll = 'UPDATE sessions SET revoked_at = $1 WHERE revoked_at IS NULL'

const remember = 'INSERT INTO provider_logouts VALUES ($1, $2) ON CONFLICT (key)'

export function sessionWrites(dialect: Dialect, change: Change, queue: WriteQueue) {
  const { lockGlobalScope } = dialect
  // Under the lock, a logout has either committed its keys, or sees the added session.
  const hasEnded = async (connection: SqlConnection, { keys, until }: Ended) => {
    if (lockGlobalScope) await connection.all(lockGlobalScope)
    const places = keys.map((_, i) => `$${i + 2}`).join(', ')
    const sql = `SELECT key FROM provider_logouts WHERE expires_at >= $1 AND key IN (${places})`
    return (await connection.all(sql, until, ...keys)).length > 0
  }
  /** @param sql sets the time of the end */
  const revoke = async (
    connection: SqlConnection,
    record: RecordEvent,
    via = '',
    sql: string,
    ...values: string[]
  ) => {
    if (lockGlobalScope) await connection.all(lockGlobalScope)
    const returning = `${sql} RETURNING id AS "sessionId", user_id AS "userId"`
    const revoked = await connection.all<{ sessionId: string; userId: string }>(returning, ...values)
    const action = ['signOut', 'backChannelLogout'].includes(via) ? 'sign-out' : 'session.revoke'
    for (const session of revoked) record({ action, ...session })
    return revoked.length
  }
  const revokeBy = (by: Origin | undefined, sql: string, ...values: string[]): Promise<number> =>
    change(by, (connection, record, via) => revoke(connection, record, via, sql, ...values))
  const touches = touchKind(dialect)

  return {
    async addSession(session, by, unless) {
      return change(by, async (connection, record, via) => {
        if (unless && (await hasEnded(connection, unless))) return false
        const { id: sessionId, userId, orgCode, permissions } = session
        // SQLite's driver does not tell which constraint an insert broke.
        if ((await connection.all('SELECT id FROM users WHERE id = $1', userId)).length === 0) {
          throw new StoreUnavailableError('What the record belongs to was removed meanwhile')
        }
        await insertRecords(connection, dialect, 'sessions', [session])
        // The audit log has no organisation codes.
        const sql = 'SELECT id AS target FROM teams WHERE org_code = $1'
        const team = orgCode === undefined ? [] : await connection.all<{ target: string }>(sql, orgCode)
        const action = via === 'signInCallback' ? 'sign-in' : 'session.issue'
        record({ action, userId, sessionId, ...team[0], details: { permissions: permissions.join(' ') } })
        return true
      })
    },
    touchSession: (sessionId, at) => queue.add(sessionId, touches, { sessionId, at }),
    async revokeSession(sessionId, at, by) {
      const sql = 'UPDATE sessions SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL'
      return (await revokeBy(by, sql, at, sessionId)) > 0
    },
    revokeSessionsOfUser: (userId, at, by) => revokeBy(by, `${revokeAll} AND user_id = $2`, at, userId),
    revokeSessionsOfOrganization: (orgCode, at, by) =>
      revokeBy(by, `${revokeAll} AND org_code = $2`, at, orgCode),
    revokeSessionsOfProvider(logout, at, by) {
      return change(by, async (connection, record, via) => {
        if (lockGlobalScope) await connection.all(lockGlobalScope)
        await connection.run('DELETE FROM provider_logouts WHERE expires_at <= $1', at)
        const { key, expiresAt } = logout
        if ((await connection.run(`${remember} DO NOTHING`, key, expiresAt)) === 0) return undefined
        const { keys = [], until = '' } = logout.ended ?? {}
        for (const key of keys) await connection.run(`${remember} DO UPDATE SET expires_at = $2`, key, until)
        const [condition, values] = sessionsOf(logout)
        return revoke(connection, record, via, `${revokeAll} AND ${condition}`, at, ...values)
      })
    },
  } satisfies Partial<Store>
}

/** The condition that selects the sessions of a message, and its parameters from `$2` on. */
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
 * Records the use of sessions. A session that another transaction has locked is skipped until its next use, so that this
 * statement never waits: it updates the rows that it could lock.
 */
const touchKind = ({ items, lockFree }: Dialect): WriteKind<{ sessionId: string; at: string }, void> => ({
  name: 'sessions',
  async write(connection, uses) {
    await connection.run(
      `UPDATE sessions SET last_seen_at = used.at FROM (
         SELECT sessions.id, max(item ->> 1) AS at FROM ${items('$1')}
         JOIN sessions ON sessions.id = item ->> 0 GROUP BY sessions.id
       ) AS used WHERE sessions.id = used.id${
         lockFree &&
         ` AND sessions.ctid = ANY(ARRAY(
           SELECT ctid FROM sessions WHERE id IN (SELECT item ->> 0 FROM ${items('$1')}) ${lockFree}
         ))`
       }`,
      JSON.stringify(uses.map(({ sessionId, at }) => [sessionId, at])),
    )
    return uses.map(() => undefined)
  },
})

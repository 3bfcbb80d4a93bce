import type { RevokedSession } from '../audited-changes.js'
import type { ProviderLogout } from '../store.js'
import type { GroupStatement } from './group-writer.js'
import type { Connection } from './pg-connection.js'
import { withEverything } from './pg-expiry.js'

/** The statement that revokes open sessions at `$1`, up to its last conditions. */
export const revokeOpen = `UPDATE sessions SET revoked_at = $1 FROM everything
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)`

/** Which sessions a message is about, and the parameters of the condition, from `$4` on. */
function sessionsOf({ issuer, subject, sid }: ProviderLogout): [condition: string, values: string[]] {
  if (subject === undefined) {
    const ofIssuer = 'EXISTS (SELECT FROM users WHERE users.id = user_id AND issuer = $4)'
    return [`${ofIssuer} AND sid = $5`, [issuer, sid ?? '']]
  }
  const ofSubject = 'user_id = (SELECT id FROM users WHERE issuer = $4 AND subject = $5)'
  if (sid === undefined) return [ofSubject, [issuer, subject]]
  return [`${ofSubject} AND (sid = $6 OR sid IS NULL)`, [issuer, subject, sid]]
}

/** See `Store.revokeSessionsOfProvider`. One statement, which locks what other changes of sessions lock first. */
export async function revokeSessionsOfProvider(
  connection: Connection,
  logout: ProviderLogout,
  at: string,
): Promise<RevokedSession[] | undefined> {
  const [condition, values] = sessionsOf(logout)
  const rows = await connection.all<{ id: string | null; userId: string }>(
    `${withEverything},
     past AS (DELETE FROM provider_logouts USING everything WHERE expires_at <= $1),
     received AS (
       INSERT INTO provider_logouts SELECT $2, $3 FROM everything ON CONFLICT DO NOTHING RETURNING key
     ),
     revoked AS (
       ${revokeOpen} AND EXISTS (SELECT FROM received) AND ${condition} RETURNING id, user_id
     )
     SELECT id, user_id AS "userId" FROM received LEFT JOIN revoked ON true`,
    ...[at, logout.key, logout.expiresAt, ...values],
  )
  if (rows.length === 0) return undefined
  return rows.flatMap(({ id, userId }) => (id === null ? [] : { id, userId }))
}

/** When a session was used last. */
export type SessionUse = { sessionId: string; at: string }

/**
 * Records the use of sessions. One that another transaction is changing is skipped: its next use is recorded, and this
 * statement, which holds several sessions, waits for none.
 */
export const touchSessions: GroupStatement<SessionUse, void> = {
  conflictKey: ({ sessionId }) => sessionId,
  async run(db, uses) {
    await db.use((connection) =>
      connection.run(
        `UPDATE sessions SET last_seen_at = used.at FROM (
           SELECT sessions.id, item ->> 1 AS at FROM jsonb_array_elements($1::jsonb) AS item
           JOIN sessions ON sessions.id = item ->> 0 FOR UPDATE OF sessions SKIP LOCKED
         ) AS used WHERE sessions.id = used.id`,
        JSON.stringify(uses.map(({ sessionId, at }) => [sessionId, at])),
      ),
    )
    return uses.map(() => undefined)
  },
}

import type { GroupStatement } from './group-writer.js'

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

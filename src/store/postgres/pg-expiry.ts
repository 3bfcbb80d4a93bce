import type { PostgresPool } from './pg-pool.js'

/**
 * A condition of a statement that removes what has expired: no other node is at it. The lock ends with the statement.
 * @param lock a lock of this program's own
 */
export const isFree = (lock: number) => `(SELECT pg_try_advisory_xact_lock(${lock}))`

/** The lock of the node that removes old entries of the audit log. */
export const auditLock = 0x44415055

/** How many rows one statement removes at most: it locks what others wait for, and has a time limit. */
const removalSize = 2_000

/**
 * The beginning of a statement that changes sessions. It first locks what the change feed records of them, as every
 * other does, so that no two statements wait for each other.
 */
export const withEverything = lockingEverything()

function lockingEverything(condition = 'true'): string {
  return `WITH everything AS MATERIALIZED (SELECT FROM changes WHERE scope = '' AND ${condition} FOR UPDATE)`
}

/** See `Store.removeExpiredSessions`. */
export function removeExpiredSessions(db: PostgresPool, at: string): Promise<number> {
  const sql = `${lockingEverything(isFree(0x44415053))} DELETE FROM sessions USING everything
    WHERE id IN (SELECT id FROM sessions WHERE expires_at <= $1 LIMIT ${removalSize})`
  return db.use((connection) => connection.run(sql, at))
}

/** See `RequestCounts.removePast`. A row in which a request is about to be counted is left. */
export function removePastCounts(db: PostgresPool): Promise<number> {
  const sql = `DELETE FROM request_counts WHERE key IN (
      SELECT key FROM request_counts WHERE ends_at <= now() AND ${isFree(0x44415054)}
      LIMIT ${removalSize} FOR UPDATE SKIP LOCKED
    )`
  return db.use((connection) => connection.run(sql))
}

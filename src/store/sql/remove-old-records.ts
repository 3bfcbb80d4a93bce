import type { OldRecords } from '../production-store.js'
import { ClockError } from '../store.js'
import type { Dialect, SqlConnection, SqlDatabase } from './sql-database.js'

/** The most rows that one statement removes: it locks rows that others wait for, and has a time limit. */
const removalSize = 2_000
/** The greatest difference of the clocks of database and process, in milliseconds. */
const maxSkewMs = 60_000

/** The current time of the database's clock. */
export async function readTime({ read, dialect }: SqlDatabase): Promise<Date> {
  if (!dialect.now) return new Date()
  const [row] = await read<{ now: string }>(`SELECT ${dialect.now} AS now`)
  return new Date(row?.now ?? '')
}

/**
 * Removes some old records, by the clock of the database. See `ProductionStore.removeOld`.
 * @param auditMs the age of the audit entries to remove, in milliseconds
 */
export async function removeOld(
  db: SqlDatabase,
  auditMs: number,
  checkClock: () => Promise<void>,
): Promise<OldRecords> {
  await checkClock()
  const now = await readTime(db)
  const oldest = new Date(now.getTime() - auditMs)
  return db.transaction(async (connection) => ({
    sessions: await removeExpiredSessions(connection, db.dialect, now.toISOString()),
    auditEntries: await removeAudit(connection, oldest.toISOString()),
  }))
}

/** @throws ClockError if the clocks differ by more than a minute */
export async function requireSameClock(db: SqlDatabase): Promise<void> {
  const aheadMs = Date.now() - (await readTime(db)).getTime()
  if (Math.abs(aheadMs) <= maxSkewMs) return
  const difference = `${Math.abs(Math.round(aheadMs / 1000))} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
  throw new ClockError(
    `The clock of this machine is ${difference} that of the database: nothing old is removed`,
  )
}

async function removeExpiredSessions(
  connection: SqlConnection,
  { lockGlobalScope }: Dialect,
  now: string,
): Promise<number> {
  if (lockGlobalScope) await connection.all(lockGlobalScope)
  return connection.run(
    `DELETE FROM sessions WHERE id IN (
       SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${removalSize}
     )`,
    now,
  )
}

/** The triggers allow the removal of entries before a time that is stored first. */
async function removeAudit(connection: SqlConnection, before: string): Promise<number> {
  const isDue = await connection.run(
    `UPDATE audit_retention SET removed_before = CASE WHEN removed_before < $1 THEN $1 ELSE removed_before END
     WHERE EXISTS (SELECT 1 FROM audit_log WHERE at < $1)`,
    before,
  )
  if (isDue === 0) return 0
  return connection.run(
    `DELETE FROM audit_log WHERE (at, id) IN (
       SELECT at, id FROM audit_log WHERE at < $1 ORDER BY at LIMIT ${removalSize}
     )`,
    before,
  )
}

import type { AuditEntry, Origin } from '../audit-log.js'
import type { ProductionReader, ProductionStore } from '../production-store.js'
import type { Store } from '../store.js'
import { appendMissingEntries, auditReads, createChange } from './audit.js'
import { createClockCheck } from './check-clock.js'
import { probeRequests } from './probe-requests.js'
import { projectReads } from './project-reads.js'
import { projectWrites } from './project-writes.js'
import { createCallerReader, type ReadCaller, rememberCallers } from './read-callers.js'
import { readTime, removeOld, requireSameClock } from './remove-old-records.js'
import { removeRecords } from './remove-records.js'
import { requireKnownVersion } from './run-migrations.js'
import { sessionWrites } from './session-writes.js'
import { first, type SqlReader, type StoreDatabase } from './sql-database.js'
import { countRecords, exportState, loadState } from './state.js'
import { recordReads, recordWrites } from './teams-and-users.js'
import { waitlistReads, waitlistWrites } from './waitlist.js'
import { createWriteQueue } from './write-queue.js'

export const sqlReads = (
  db: SqlReader,
  caller: ReadCaller = createCallerReader(db),
): Omit<ProductionReader, 'close'> => ({
  ...recordReads(db),
  ...projectReads(db),
  ...waitlistReads(db),
  ...auditReads({ all: db.readLarge }),
  caller,
})

/** Counts all projects by the sizes of the teams, which is fast for millions of them. */
const projectsOfTeams = 'SELECT CAST(coalesce(sum(projects), 0) AS integer) AS records FROM changes'

/** Called with the duration of each query and transaction, in milliseconds, also of failed ones. */
export type OnStoreCall = (call: { method: 'read' | 'write'; ms: number }) => void

export type SqlStoreOptions = {
  /** The origin of changes without one. */
  by?: Origin
  /** Called for each audit entry of a change, after its commit. */
  onAudit?(entry: AuditEntry): void
  onCall?: OnStoreCall
  /** Whether creations and updates of projects are recorded in the audit log. */
  auditProjects?: boolean
}

/** Creates the production store, over either kind of database. */
export async function createSqlStore(
  database: StoreDatabase,
  { by: defaultOrigin, onAudit = () => {}, auditProjects = true }: SqlStoreOptions,
): Promise<ProductionStore> {
  const { dialect, queueTimeoutMs: timeoutMs, changeCounter, requestCounts } = database
  const { isSerial } = dialect
  const queue = createWriteQueue({ transaction: database.transaction, timeoutMs, isSerial })
  // Changes of records share this queue. Request counts of PostgreSQL have their own.
  const db = { ...database, transaction: queue.transaction }
  const readCaller = createCallerReader(db)
  const caller = changeCounter ? rememberCallers(changeCounter, readCaller) : readCaller
  const checkClock = dialect.now ? () => requireSameClock(db) : await createClockCheck(db)
  const change = createChange(db, defaultOrigin, onAudit)
  const recordedOrigin = (by: Origin | undefined) => (auditProjects ? (by ?? defaultOrigin) : undefined)
  const writes: Omit<Store, keyof ReturnType<typeof sqlReads>> = {
    ...recordWrites(dialect, change),
    ...sessionWrites(dialect, change, queue),
    ...projectWrites(queue, dialect, onAudit, recordedOrigin),
    ...waitlistWrites(dialect, change, queue, defaultOrigin !== undefined),
    load: (state, by) => change(by, (connection, record) => loadState(connection, dialect, state, record)),
    remove: (records, by) =>
      change(by, (connection, record) => removeRecords(connection, dialect, records, record)),
    export: () => db.snapshot(exportState),
    async close() {
      await queue.close()
      await db.close()
    },
  }
  return {
    ...sqlReads(db, caller),
    ...writes,
    appendToAudit: (entry) =>
      queue.transaction((connection) => appendMissingEntries(connection, dialect, [entry])),
    removeOld: ({ auditMs }) => removeOld(db, auditMs, checkClock),
    databaseTime: () => readTime(db),
    async countOpenSessions(at) {
      const sql = `SELECT CAST(count(*) AS integer) AS open FROM sessions
        WHERE revoked_at IS NULL AND expires_at > $1`
      return (await first(db.readLarge<{ open: number }>(sql, at)))?.open ?? 0
    },
    requestCounts,
    waitingWrites: queue.waiting,
    async probe() {
      await requireKnownVersion(db)
      await queue.transaction((connection) => probeRequests(connection, dialect, auditProjects))
    },
    async describe() {
      const [{ version }, records] = await db.snapshot(async (connection) => [
        await dialect.readSchema(connection, db.name),
        await countRecords(connection, projectsOfTeams),
      ])
      return { version, known: dialect.known, ...db.opened, records, bytes: await db.readBytes() }
    },
  }
}

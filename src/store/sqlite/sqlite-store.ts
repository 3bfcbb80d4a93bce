import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { auditedChanges } from '../audited-changes.js'
import type { ChangeFeed } from '../change-feed.js'
import type { ProductionStore } from '../production-store.js'
import { columns, first, type Rows } from '../rows.js'
import { appendEntries, createRecorder, jsonItems, type Recorder, removeAuditBefore } from '../sql-audit.js'
import { newProject } from '../sql-projects.js'
import { countsQuery } from '../sql-state.js'
import { sqlWrites } from '../sql-writes.js'
import type { StateCounts } from '../state-file.js'
import { withStorableText } from '../storable-text.js'
import { requireFilter, requireIds } from '../store.js'
import { findMarkTable, markTable, refuseUnfinishedCopy } from '../unfinished-copy.js'
import type { FileOptions } from './check-file.js'
import type { Connection } from './connection.js'
import { refuseRemoved } from './database-errors.js'
import { insert, insertEntries } from './insert.js'
import { insertProjects } from './insert-projects.js'
import { exportState, loadState } from './load-state.js'
import { knownVersion } from './migrations.js'
import { removeRecords } from './remove-records.js'
import { openReopeningDatabase, type ReopeningDatabase } from './reopening-database.js'
import { revoked, revokeOpen, revokeSessionsOfProvider } from './revoke-sessions.js'
import { readSchema, rewriteVersion } from './schema-version.js'
import { sqliteReads } from './sqlite-reads.js'
import { updateProjects } from './update-projects.js'

export { DatabaseRefusedError } from '../database-refused.js'

const { teams } = columns

/** The production store over SQLite: it tells without a query whether anything changed. */
export type SqliteStore = ProductionStore & { changes: Required<ChangeFeed> }

/**
 * Opens the production store, over a SQLite file. A missing file is created.
 * @param options.busyTimeoutMs how long a call waits for another process's lock, in milliseconds
 * @throws DatabaseRefusedError where the file is not ours, is newer than we know, or is damaged; it is not changed
 */
export async function openSqliteStore(
  path: string,
  { busyTimeoutMs = 5000, ...options }: FileOptions & { busyTimeoutMs?: number } = {},
): Promise<SqliteStore> {
  const file = resolve(path)
  const db = await openReopeningDatabase(file, busyTimeoutMs, options)
  try {
    refuseUnfinishedCopy(path, await db.read(findMarkTable.sqlite, markTable))
  } catch (error) {
    await db.close()
    throw error
  }
  return overDatabase(file, db)
}

/** @param recorder makes changes that are recorded; they are not recorded, if it is left out */
function overDatabase(file: string, db: ReopeningDatabase, recorder?: Recorder<Connection>): SqliteStore {
  const record: Recorder<Connection> = recorder ?? ((work) => db.write(work))
  const execute = (sql: string, ...values: string[]) =>
    db.write((connection) => connection.run(sql, ...values))
  return withStorableText({
    ...sqliteReads(db),
    ...sqlWrites(record, insert),

    async renameTeam(teamId, name) {
      const sql = `UPDATE teams SET name = ? WHERE id = ? RETURNING ${teams}`
      return record(
        (connection) => first(connection.all<Rows['teams']>(sql, name, teamId)),
        auditedChanges.renameTeam,
      )
    },

    async addProject(project, limits, newName) {
      const { teamId, id: projectId } = project
      requireFilter({ teamId, projectId })
      return db.run(insertProjects, newProject(project, limits, newName)).catch(refuseRemoved)
    },
    async updateProject(teamId, projectId, changes, limits) {
      requireFilter({ teamId, projectId })
      return db.run(updateProjects, { teamId, projectId, changes, limits })
    },

    async addToWaitlist(entry) {
      if (!recorder) return db.run(insertEntries, entry)
      return record(
        async (connection) => (await insertEntries.run(connection, [entry]))[0] === true,
        auditedChanges.addToWaitlist,
      )
    },
    async removeFromWaitlist(email) {
      const sql = 'DELETE FROM waitlist WHERE email = ?'
      return (await record((connection) => connection.run(sql, email), auditedChanges.removeFromWaitlist)) > 0
    },

    async addSession(session) {
      await record(async (connection) => {
        await insert(connection, 'sessions', session)
        if (!recorder || session.orgCode === undefined) return undefined
        return first(
          connection.all<{ id: string }>('SELECT id FROM teams WHERE org_code = ?', session.orgCode),
        )
      }, auditedChanges.addSession(session)).catch(refuseRemoved)
    },
    async touchSession(sessionId, at) {
      await execute('UPDATE sessions SET last_seen_at = ? WHERE id = ?', at, sessionId)
    },
    async revokeSession(sessionId, at) {
      const sql = 'UPDATE sessions SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL'
      return (await revoke(record, sql, at, sessionId)) > 0
    },
    async revokeSessionsOfUser(userId, at) {
      return revoke(record, `${revokeOpen} AND user_id = ?`, at, at, userId)
    },
    async revokeSessionsOfOrganization(orgCode, at) {
      return revoke(record, `${revokeOpen} AND org_code = ?`, at, at, orgCode)
    },
    async revokeSessionsOfProvider(logout, at) {
      const sessions = await record(
        (connection) => revokeSessionsOfProvider(connection, logout, at),
        auditedChanges.revokeSessions,
      )
      return sessions?.length
    },
    async removeExpiredSessions(at) {
      return execute('DELETE FROM sessions WHERE expires_at <= ?', at)
    },

    async load(state) {
      return record((connection) => loadState(connection, state), auditedChanges.load)
    },
    async remove(records) {
      requireIds(records)
      return (await record((connection) => removeRecords(connection, records), auditedChanges.remove)).counts
    },
    async export() {
      return db.snapshot(exportState)
    },
    audited: (origin, onRecorded) =>
      overDatabase(file, db, createRecorder(db.write, jsonItems.sqlite, origin, onRecorded)),
    async appendToAudit(entry) {
      await db.write((connection) => appendEntries(connection, jsonItems.sqlite, [entry]))
    },
    async removeAuditBefore(at) {
      return db.write((connection) => removeAuditBefore(connection, at))
    },
    async probe() {
      await db.write((connection) => rewriteVersion(file, connection))
    },
    // The clock of this machine is that of the database.
    databaseTime: async () => new Date(),
    async countOpenSessions(at) {
      const sql = 'SELECT count(*) AS open FROM sessions WHERE revoked_at IS NULL AND expires_at > ?'
      return (await first(db.read<{ open: number }>(sql, at)))?.open ?? 0
    },
    changes: db.changes,
    waitingWrites: db.waitingWrites,
    async describe() {
      const [records] = await db.read<StateCounts>(countsQuery)
      const { size: bytes } = await stat(file)
      const { version } = await db.snapshot(readSchema)
      const { created, migrated } = db
      return {
        created,
        version,
        known: knownVersion,
        ...(migrated && { migrated }),
        records: records as StateCounts,
        bytes,
      }
    },
    close: db.close,
  })
}

/** Revokes sessions. Returns their number. */
const revoke = async (record: Recorder<Connection>, sql: string, ...values: string[]): Promise<number> => {
  const work = (connection: Connection) => revoked(connection, sql, ...values)
  return (await record(work, auditedChanges.revokeSessions)).length
}

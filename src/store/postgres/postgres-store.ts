import type { User } from '../../contract/schemas.js'
import { auditedChanges, type RevokedSession } from '../audited-changes.js'
import { type BatchQuery, createBatchReader } from '../batch-reader.js'
import { closeAfterCalls } from '../close-after-calls.js'
import type { PostgresAddress } from '../database-address.js'
import type { Migration, OpeningOptions, ProductionReader, ProductionStore } from '../production-store.js'
import { emailKey } from '../record-fields.js'
import { columns, first, type Rows, sessionOfRow, toSession, toUserRecord } from '../rows.js'
import {
  appendEntries,
  auditAfter,
  countAudit,
  createRecorder,
  jsonItems,
  type Recorder,
  removeAuditBefore,
} from '../sql-audit.js'
import { newProject } from '../sql-projects.js'
import { countsQuery } from '../sql-state.js'
import { sqlWrites } from '../sql-writes.js'
import { type StateCounts, stateKinds } from '../state-file.js'
import { withStorableText } from '../storable-text.js'
import { readerOf, requireFilter, requireIds, StoreUnavailableError } from '../store.js'
import { createTurnQueue } from '../turn-queue.js'
import { findMarkTable, markTable, refuseUnfinishedCopy } from '../unfinished-copy.js'
import { connectionOptions } from './connection-options.js'
import { createGroupWriter } from './group-writer.js'
import { createPostgresFeed } from './pg-changes.js'
import { type Connection, connect, type Value } from './pg-connection.js'
import { openingError, refuseRemoved } from './pg-errors.js'
import { auditLock, isFree, removeExpiredSessions, removePastCounts, withEverything } from './pg-expiry.js'
import { insert } from './pg-insert.js'
import { exportState, loadState } from './pg-load.js'
import {
  migratePostgres,
  readState,
  refuseNewerPostgres,
  requireTables,
  rewritePostgresVersion,
} from './pg-migrate.js'
import { knownPostgresVersion } from './pg-migrations.js'
import { createPostgresPool, type PostgresPool } from './pg-pool.js'
import * as queries from './pg-queries.js'
import { removeRecords } from './pg-remove.js'
import { countRequests } from './pg-request-counts.js'
import { countWaitlist, waitlistAfter } from './pg-waitlist.js'
import { insertProjects, updateProjects } from './write-projects.js'
import { revokeOpen, revokeSessionsOfProvider, touchSessions } from './write-sessions.js'
import { insertEntries } from './write-waitlist.js'

const { user, teams, users, waitlist } = columns

export type PostgresOptions = {
  /** How many connections are open at most. */
  poolSize?: number
  /** How long a statement may take, and how long a call waits for a connection, in milliseconds. */
  timeoutMs?: number
  /** The name that PostgreSQL shows for the connections. */
  applicationName?: string
  /** A file with the password; it is read for each new connection. */
  passwordFile?: string
}

/**
 * Opens the production store over PostgreSQL. An empty database gets its tables; one of an older version is migrated.
 * @param options.migrate without it an older version is refused
 * @throws DatabaseRefusedError where the database is not ours, newer than we know, or not accessible for this user;
 *   StoreUnavailableError where it cannot be reached
 */
export async function openPostgresStore(
  address: PostgresAddress,
  { mustExist = false, migrate = false, ...options }: PostgresOptions & OpeningOptions = {},
): Promise<ProductionStore> {
  const { name } = address
  return openPool(address, options, async (connection) => {
    if (mustExist) await requireTables(name, connection)
    const from = await migratePostgres(name, connection, { refusesOlder: !migrate })
    return { created: from === 0, migration: { from, to: Math.max(from, knownPostgresVersion) } }
  })
}

/**
 * Opens an existing database to read it; it may be a standby, and the user needs no right but SELECT.
 * @throws as `openPostgresStore`, also for a database without tables
 */
export async function openPostgresReader(
  address: PostgresAddress,
  options: PostgresOptions = {},
): Promise<ProductionReader> {
  let version = 0
  const store = await openPool(address, options, async (connection) => {
    await requireTables(address.name, connection)
    const state = await readState(address.name, connection)
    version = state.version ?? 0
    refuseNewerPostgres(address.name, version, state.oldest)
    return { created: false }
  })
  const { auditAfter, countAudit } = store
  return {
    ...readerOf(store),
    auditAfter,
    countAudit,
    schema: { version, known: knownPostgresVersion },
    close: store.close,
  }
}

/** How the database was found, and what was done to it. */
type Opening = { created: boolean; migration?: Migration }

async function openPool(
  address: PostgresAddress,
  { poolSize = 10, timeoutMs = 5000, ...options }: PostgresOptions,
  prepare: (connection: Connection) => Promise<Opening>,
): Promise<ProductionStore> {
  const { name } = address
  const resolved = await connectionOptions(address, options)
  const open = async () => {
    const connection = await connect(resolved, { connectMs: timeoutMs, statementMs: 0 })
    try {
      const opening = await prepare(connection)
      refuseUnfinishedCopy(name, await connection.all(findMarkTable.postgres, markTable))
      return opening
    } finally {
      await connection.close()
    }
  }
  const opening = await open().catch((error) => {
    throw openingError(name, error)
  })
  const pool = createPostgresPool(resolved, poolSize, { connectMs: timeoutMs, statementMs: timeoutMs })
  return closeAfterCalls(overPool(name, pool, timeoutMs, opening))
}

/** @param recorder makes changes that are recorded; they are not recorded, if it is left out */
function overPool(
  name: string,
  pool: PostgresPool,
  timeoutMs: number,
  opening: Opening,
  recorder?: Recorder<Connection>,
): ProductionStore {
  const { created, migration } = opening
  const record: Recorder<Connection> = recorder ?? ((work) => pool.use(work))
  /** The same for changes of several statements. */
  const recordSteps: Recorder<Connection> = recorder ?? ((work) => pool.transaction(work))
  const readByKey = createBatchReader(batching(pool))
  const readLargeByKey = createBatchReader(batching(pool), { isSingle: true })
  /** A large list is read by itself, where it does not delay the reads of other teams. */
  const list = async <Row>(
    small: BatchQuery<Row[] | null>,
    large: BatchQuery<Row[]>,
    teamId: string,
  ): Promise<Row[]> =>
    (await first(readByKey(small, teamId))) ?? (await first(readLargeByKey(large, teamId))) ?? []
  const { run, waiting } = createGroupWriter(pool, timeoutMs)
  const read = <Row>(sql: string, ...values: Value[]) =>
    pool.repeat((connection) => connection.all<Row>(sql, ...values))

  return withStorableText({
    ...sqlWrites(record, insert),
    async teamOfOrganization(orgCode) {
      return first(readByKey(queries.teamOfOrganization, orgCode))
    },
    async team(teamId) {
      return first(read<Rows['teams']>(`SELECT ${teams} FROM teams WHERE id = $1`, teamId))
    },
    async listTeams() {
      return read<Rows['teams']>(`SELECT ${teams} FROM teams ORDER BY position`)
    },
    async renameTeam(teamId, name) {
      const sql = `UPDATE teams SET name = $1 WHERE id = $2 RETURNING ${teams}`
      return record(
        (connection) => first(connection.all<Rows['teams']>(sql, name, teamId)),
        auditedChanges.renameTeam,
      )
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
      return (await first(readByKey(queries.teamSize, teamId))) ?? { projects: 0, bytes: 0 }
    },
    async project(teamId, projectId) {
      requireFilter({ teamId, projectId })
      return first(readByKey(queries.projectWithId, [teamId, projectId]))
    },
    async projectNamed(teamId, key) {
      requireFilter({ teamId })
      return first(readByKey(queries.projectNamed, [teamId, key]))
    },
    async addProject(project, limits, newName) {
      const { teamId, id: projectId } = project
      requireFilter({ teamId, projectId })
      return run(insertProjects, newProject(project, limits, newName)).catch(refuseRemoved)
    },
    async updateProject(teamId, projectId, changes, limits) {
      requireFilter({ teamId, projectId })
      return run(updateProjects, { teamId, projectId, changes, limits })
    },

    async addToWaitlist(entry) {
      if (!recorder) return run(insertEntries, entry)
      return record(
        async (connection) =>
          (await insertEntries.run({ use: (work) => work(connection) }, [entry]))[0] === true,
        auditedChanges.addToWaitlist,
      )
    },
    async removeFromWaitlist(email) {
      const sql = 'DELETE FROM waitlist WHERE email = $1'
      return (await record((connection) => connection.run(sql, email), auditedChanges.removeFromWaitlist)) > 0
    },
    async listWaitlist() {
      return read<Rows['waitlist']>(`SELECT ${waitlist} FROM waitlist ORDER BY created_at DESC, email`)
    },
    async waitlistAfter(cursor, limit, filter) {
      return pool.repeat((connection) => waitlistAfter(connection, cursor, limit, filter))
    },
    async countWaitlist(filter) {
      return pool.repeat((connection) => countWaitlist(connection, filter))
    },

    async user(userId) {
      return first(readByKey(queries.userWithId, userId))
    },
    async userWithEmail(email) {
      return first(read<User>(`SELECT ${user} ${withEmail} LIMIT 1`, emailKey(email)))
    },
    async usersWithEmail(email) {
      return (await read<Rows['users']>(`SELECT ${users} ${withEmail}`, emailKey(email))).map(toUserRecord)
    },
    async usersAfter(userId, limit) {
      const sql = `SELECT ${users} FROM users WHERE id > $1 ORDER BY id LIMIT $2`
      return (await read<Rows['users']>(sql, userId ?? '', limit)).map(toUserRecord)
    },

    async session(sessionId) {
      const found = await first(read<{ row: object }>(`${sessionRows} WHERE id = $1`, sessionId))
      return found && sessionOfRow(found.row)
    },
    async caller(sessionId) {
      const caller = await first(readByKey(queries.callerWithSession, sessionId))
      return caller && { ...caller, session: toSession(caller.session), team: caller.team ?? undefined }
    },
    async listSessions() {
      const found = await read<{ row: object }>(`${sessionRows} ORDER BY position`)
      return found.map(({ row }) => sessionOfRow(row))
    },
    async addSession(session) {
      await record(async (connection) => {
        await insert(connection, 'sessions', session)
        if (!recorder || session.orgCode === undefined) return undefined
        return first(
          connection.all<{ id: string }>('SELECT id FROM teams WHERE org_code = $1', session.orgCode),
        )
      }, auditedChanges.addSession(session)).catch(refuseRemoved)
    },
    async touchSession(sessionId, at) {
      await run(touchSessions, { sessionId, at })
    },
    async revokeSession(sessionId, at) {
      const sql = 'UPDATE sessions SET revoked_at = $1 FROM everything WHERE id = $2 AND revoked_at IS NULL'
      return (await revoke(record, sql, at, sessionId)) > 0
    },
    async revokeSessionsOfUser(userId, at) {
      return revoke(record, `${revokeOpen} AND user_id = $2`, at, userId)
    },
    async revokeSessionsOfOrganization(orgCode, at) {
      return revoke(record, `${revokeOpen} AND org_code = $2`, at, orgCode)
    },
    async revokeSessionsOfProvider(logout, at) {
      const sessions = await record(
        (connection) => revokeSessionsOfProvider(connection, logout, at),
        auditedChanges.revokeSessions,
      )
      return sessions?.length
    },
    async removeExpiredSessions(at) {
      return removeExpiredSessions(pool, at)
    },

    async load(state) {
      return recordSteps((connection) => loadState(connection, state), auditedChanges.load)
    },
    async remove(records) {
      requireIds(records)
      const removed = await recordSteps(
        (connection) => removeRecords(connection, records),
        auditedChanges.remove,
      )
      return removed.counts
    },
    async export() {
      return pool.transaction(exportState, 'ISOLATION LEVEL REPEATABLE READ READ ONLY')
    },
    audited(origin, onRecorded) {
      const recorder = createRecorder(pool.transaction, jsonItems.postgres, origin, onRecorded)
      return overPool(name, pool, timeoutMs, opening, recorder)
    },
    async appendToAudit(entry) {
      await pool.use((connection) => appendEntries(connection, jsonItems.postgres, [entry]))
    },
    async auditAfter(cursor, limit, filter) {
      return pool.repeat((connection) => auditAfter(connection, cursor, limit, filter))
    },
    async countAudit(filter) {
      return pool.repeat((connection) => countAudit(connection, filter))
    },
    async removeAuditBefore(at) {
      return pool.transaction((connection) => removeAuditBefore(connection, at, isFree(auditLock)))
    },
    async probe() {
      if (await pool.repeat(rewritePostgresVersion)) return
      throw new StoreUnavailableError(
        'The database was migrated by a release that this one does not work with',
      )
    },
    async databaseTime() {
      const sql = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms'
      return new Date((await first(read<{ ms: number }>(sql)))?.ms ?? Number.NaN)
    },
    async countOpenSessions(at) {
      const sql = 'SELECT count(*)::int AS open FROM sessions WHERE revoked_at IS NULL AND expires_at > $1'
      return (await first(read<{ open: number }>(sql, at)))?.open ?? 0
    },
    changes: createPostgresFeed(pool),
    requestCounts: {
      add: (key, windowMs) => run(countRequests, { key, windowMs }),
      removePast: () => removePastCounts(pool),
    },
    waitingWrites: waiting,
    async describe() {
      const { version = 0 } = await pool.repeat((connection) => readState(name, connection))
      const [records] = await read<StateCounts>(countsQuery)
      const [size] = await read<{ bytes: number }>(sizeQuery)
      const migrated = !created && migration && migration.from < migration.to ? { migrated: migration } : {}
      return {
        created,
        version,
        known: knownPostgresVersion,
        ...migrated,
        records: records as StateCounts,
        bytes: size?.bytes ?? 0,
      }
    },
    close: pool.close,
  })
}

/** Revokes sessions. Returns their number. */
const revoke = async (record: Recorder<Connection>, sql: string, ...values: string[]): Promise<number> => {
  const revoked = await record(
    (connection) =>
      connection.all<RevokedSession>(`${withEverything} ${sql} RETURNING id, user_id AS "userId"`, ...values),
    auditedChanges.revokeSessions,
  )
  return revoked.length
}

/** The bytes of all tables of this program, with their indexes. */
const sizeQuery = `SELECT sum(pg_total_relation_size(to_regclass(name)))::float8 AS bytes
  FROM unnest(ARRAY['${[...stateKinds, 'changes', 'audit_log'].join("', '")}']) AS name`

/** The columns that a later version adds change no type of the result, which a prepared statement would not survive. */
const sessionRows = 'SELECT to_json(sessions) AS row FROM sessions'

const withEmail = `FROM users WHERE hashtextextended(email_key, 0) = hashtextextended($1::text COLLATE "C", 0)
  AND email_key = $1 ORDER BY position`

/**
 * Runs the queries of a batch reader: one of each kind at a time, and the next one at the end of a turn, with all that
 * wait by then.
 */
function batching(pool: PostgresPool): Parameters<typeof createBatchReader>[0] {
  const queues = new Map<string, ReturnType<typeof createTurnQueue>>()
  return {
    allDeferred<Row>(sql: string, values: () => string[]): Promise<Row[]> {
      const enqueue = queues.get(sql) ?? createTurnQueue()
      queues.set(sql, enqueue)
      return enqueue(async () => {
        const bound = values()
        const rows = await pool.repeat((connection: Connection) =>
          connection.all<Row & { found: string | null }>(sql, ...bound),
        )
        return rows.filter(({ found }) => found !== null)
      })
    },
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseRefusedError } from '../database-refused.js'
import { knownVersions, readMigrations } from '../read-migrations.js'
import { appendEntries, migrationEntry } from '../sql/audit.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { isConflict } from './database-errors.js'
import { postgresDialect } from './dialect.js'
import { transaction } from './postgres-database.js'

/** The newest version of the database that this program knows: the number of its migrations. */
export const knownPostgresVersion = knownVersions.postgres

/** The oldest release of PostgreSQL with all that is used: xid8, and triggers with transition tables. */
const oldestServer = 140_000

/** Nodes that start at once migrate one after the other: a lock of this program's own. */
const migrationLock = 0x44415049

/**
 * How long a migration waits for a lock on a table, in milliseconds. Requests wait behind it meanwhile, so it gives up and
 * tries again after they have run.
 */
const lockTimeoutMs = 500
/** A minute: no transaction of the service is that long. */
const maxAttempts = 60

export type DatabaseState = {
  /** The schema version; undefined where the database has no tables of this program. */
  version: number | undefined
  /** The oldest version of a program that works with it. */
  oldest: number
}

/**
 * Migrates a database, which may be empty, to the version that this program knows. A newer one stays as it is, if this
 * program works with it.
 * @param connection has not looked for the tables before: it could go on finding none that another node makes
 * @param options.refusesOlder only an empty database is migrated
 * @returns the version before, 0 for an empty database
 * @throws DatabaseRefusedError for a database of another program, or one that is newer than this program works with
 */
export async function migratePostgres(
  name: string,
  connection: SqlConnection,
  { refusesOlder = false } = {},
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(connection, () => migrate(name, connection, refusesOlder))
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error
      await wait(lockTimeoutMs)
    }
  }
}

async function migrate(name: string, connection: SqlConnection, refusesOlder: boolean): Promise<number> {
  // A migration of a large table takes its time, and other nodes wait for it.
  await connection.exec(
    `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0;
     SELECT pg_advisory_xact_lock(${migrationLock});
     SET LOCAL lock_timeout = ${lockTimeoutMs}`,
  )
  const { version = 0, oldest } = await readState(name, connection)
  refuseNewerPostgres(name, version, oldest)
  if (version === 0) await requireEmpty(name, connection)
  else if (refusesOlder) refuseOlderPostgres(name, version)
  const migrations = await readMigrations('postgres')
  for (const migration of migrations.slice(version)) await connection.exec(migration)
  if (version === 0) {
    await connection.exec(
      `CREATE TABLE dashboard_schema (version integer NOT NULL, oldest integer NOT NULL);
       INSERT INTO dashboard_schema VALUES (0, 1)`,
    )
  }
  if (version < migrations.length) {
    await connection.run('UPDATE dashboard_schema SET version = $1', migrations.length)
    await appendEntries(connection, postgresDialect, [migrationEntry(version, migrations.length)])
  }
  return version
}

/** Reads the version of a database. @throws DatabaseRefusedError for a server that is too old or not UTF-8 */
export async function readState(name: string, connection: SqlConnection): Promise<DatabaseState> {
  const [server] = await connection.all<{ release: number; encoding: string; hasSchema: boolean }>(
    `SELECT current_setting('server_version_num')::int AS release, current_setting('server_encoding') AS encoding,
       to_regclass('dashboard_schema') IS NOT NULL AS "hasSchema"`,
  )
  if (!server || server.release < oldestServer) {
    throw new DatabaseRefusedError(name, 'its PostgreSQL is older than 14', 'Upgrade the server.')
  }
  if (server.encoding !== 'UTF8') {
    const hint = 'Create one with: createdb --encoding=UTF8 --template=template0 NAME'
    throw new DatabaseRefusedError(name, `its encoding is ${server.encoding}, not UTF8`, hint)
  }
  if (!server.hasSchema) return { version: undefined, oldest: 0 }
  const [state] = await connection.all<{ version: number; oldest: number }>(
    'SELECT version, oldest FROM dashboard_schema',
  )
  return state ?? { version: undefined, oldest: 0 }
}

/** @throws DatabaseRefusedError for a database that this program does not work with any more */
export function refuseNewerPostgres(name: string, version: number, oldest: number): void {
  if (oldest <= knownPostgresVersion) return
  throw new DatabaseRefusedError(
    name,
    `it has version ${version}, and this program knows versions up to ${knownPostgresVersion}`,
    'Use the program that made it, or a newer one; or choose another database.',
  )
}

/** @throws DatabaseRefusedError for a database that is older than this program */
export function refuseOlderPostgres(name: string, version: number): void {
  if (version >= knownPostgresVersion) return
  throw new DatabaseRefusedError(
    name,
    `it has version ${version}, and this program needs version ${knownPostgresVersion}`,
    `Migrate it with "database migrate"; it was not changed. A copy before: pg_dump --format=custom --file=before.dump '${name}'`,
  )
}

/** @throws DatabaseRefusedError for a database without the tables of this program */
export async function requireTables(name: string, connection: SqlConnection): Promise<void> {
  if ((await readState(name, connection)).version !== undefined) return
  const hint = 'Correct the address; or create the tables with "database migrate".'
  throw new DatabaseRefusedError(name, 'it has no tables of this program', hint)
}

/** @throws DatabaseRefusedError for a database that has a table of another program */
export async function requireEmpty(name: string, connection: SqlConnection): Promise<void> {
  const [taken] = await connection.all<{ table: string }>(
    `SELECT name AS table FROM jsonb_array_elements_text($1::jsonb) AS name WHERE to_regclass(name) IS NOT NULL`,
    JSON.stringify([
      'teams',
      'users',
      'sessions',
      'projects',
      'waitlist',
      'changes',
      'request_counts',
      'audit_log',
      'audit_retention',
      'provider_logouts',
    ]),
  )
  if (!taken) return
  const reason = `it has a table "${taken.table}" of another program`
  throw new DatabaseRefusedError(name, reason, 'Choose another database: this one was not changed.')
}

/**
 * Writes the version that the database has already, as a test whether it accepts writes.
 * @returns whether this program works with it
 */
export async function rewritePostgresVersion(connection: SqlConnection): Promise<boolean> {
  return (
    (await connection.run(
      'UPDATE dashboard_schema SET version = version WHERE oldest <= $1',
      knownPostgresVersion,
    )) > 0
  )
}

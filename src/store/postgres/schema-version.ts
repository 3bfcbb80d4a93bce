import { DatabaseRefusedError } from '../database-refused.js'
import { knownVersions, type SchemaVersion } from '../database-version.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { stateKinds } from '../state-file.js'

export const knownVersion = knownVersions.postgres

/** The oldest release of PostgreSQL with all used features: xid8, and triggers with transition tables. */
const oldestServer = 140_000

export const tables = [
  ...stateKinds,
  'changes',
  'request_counts',
  'audit_log',
  'audit_retention',
  'provider_logouts',
]

/** @throws DatabaseRefusedError if the server is too old, its encoding is not UTF-8, or the version cannot be seen */
export async function readSchema(connection: SqlConnection, name: string): Promise<SchemaVersion> {
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
  if (!server.hasSchema) return { version: 0, oldest: 0 }
  const [found] = await connection.all<SchemaVersion>('SELECT version, oldest FROM dashboard_schema')
  if (found) return found
  const hint = 'If it has policies (row-level security), they must let USER see and write every row.'
  throw new DatabaseRefusedError(name, 'no row of its table dashboard_schema can be seen', hint)
}

/** The version of a database. @throws DatabaseRefusedError if it lacks the tables of this program */
export async function requireTables(name: string, connection: SqlConnection): Promise<SchemaVersion> {
  const schema = await readSchema(connection, name)
  if (schema.version > 0) return schema
  const hint = 'Correct the address; or create the tables with "database migrate".'
  throw new DatabaseRefusedError(name, 'it has no tables of this program', hint)
}

/** @throws DatabaseRefusedError if the database has a table of another program */
export async function requireOurs(connection: SqlConnection, name: string): Promise<void> {
  const [taken] = await connection.all<{ table: string }>(
    `SELECT name AS table FROM jsonb_array_elements_text($1::jsonb) AS name
     WHERE to_regclass(name) IS NOT NULL AND to_regclass('dashboard_schema') IS NULL`,
    JSON.stringify(tables),
  )
  if (!taken) return
  const reason = `it has a table "${taken.table}" of another program`
  throw new DatabaseRefusedError(name, reason, 'Choose another database: this one was not changed.')
}

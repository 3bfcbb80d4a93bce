import type { PostgresAddress } from '../database-address.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { refuseNewer, refuseOlder } from '../database-version.js'
import type { Check, CheckReport, Inspection, Migration, OpeningOptions } from '../production-store.js'
import { checkContent } from '../sql/check-content.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { checkRequests } from './check-requests.js'
import type { PostgresOptions } from './connection-config.js'
import { postgresDialect } from './dialect.js'
import { migratePostgres } from './migrate.js'
import { withConnection } from './open-postgres.js'
import { knownVersion, readSchema, requireOurs, requireTables } from './schema-version.js'

/**
 * Checks a database, which may be in use. Changes nothing.
 * @throws DatabaseRefusedError if the database lacks the tables of this program
 */
export const checkDatabase = (address: PostgresAddress, options: PostgresOptions): Promise<CheckReport> =>
  withConnection(address, { ...options, mayBeStandby: true }, async (connection) => {
    const [server] = await connection.all<{ release: string }>(
      "SELECT current_setting('server_version') AS release",
    )
    await requireTables(address.name, connection)
    const first: Check = { check: 'server', ok: true, found: `PostgreSQL ${server?.release}` }
    const report = await checkContent(address.name, connection, postgresDialect, first)
    const requests = report.ok ? await checkRequests(connection) : undefined
    return requests ? { ...report, ok: requests.ok, checks: [...report.checks, requests] } : report
  })

/**
 * Checks that the store can open a database. Changes nothing.
 * @throws DatabaseRefusedError, DriverMissingError, StoreUnavailableError
 */
export const inspectDatabase = (
  address: PostgresAddress,
  { mustExist = false, migrate = false, ...options }: PostgresOptions & OpeningOptions,
): Promise<Inspection> => {
  const { name } = address
  const warnings: string[] = []
  const inspect = async (connection: SqlConnection): Promise<Inspection> => {
    const schema = await (mustExist ? requireTables(name, connection) : readSchema(connection, name))
    refuseNewer(name, schema, knownVersion)
    if (schema.version > 0) {
      if (!migrate) refuseOlder(name, schema, knownVersion, postgresDialect.copyBefore?.(name))
      const requests = schema.version >= knownVersion ? await checkRequests(connection) : undefined
      if (requests?.hint) throw new DatabaseRefusedError(name, requests.found, requests.hint)
    } else {
      await requireOurs(connection, name)
      const [right] = await connection.all<{ granted: boolean }>(
        "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS granted",
      )
      const hint = 'Run: GRANT CREATE, USAGE ON SCHEMA public TO USER'
      if (!right?.granted) throw new DatabaseRefusedError(name, 'the user may not create tables', hint)
    }
    return { version: schema.version || undefined, warnings }
  }
  return withConnection(address, options, inspect, {
    poolSize: 1,
    onWarning: (warning) => warnings.push(warning),
  })
}

/**
 * Migrates a database to the version that this program knows, as `serve` does at its start.
 * @throws DatabaseRefusedError if the database belongs to another program or is too new
 */
export const migrateDatabase = (address: PostgresAddress, options: PostgresOptions): Promise<Migration> =>
  withConnection(address, options, async (connection) => {
    const from = await migratePostgres(address.name, connection)
    return { from, to: Math.max(from, knownVersion) }
  })

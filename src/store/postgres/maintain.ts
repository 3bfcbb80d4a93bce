import { type CheckReport, createReport } from '../check-report.js'
import type { PostgresAddress } from '../database-address.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { describeVersion, refuseNewer, refuseOlder } from '../database-version.js'
import type { Inspection, Migration, OpeningOptions } from '../production-store.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { countRecords } from '../sql/state.js'
import { findWrongSizes } from '../sql/wrong-sizes.js'
import type { PostgresOptions } from './connection-options.js'
import { copyBefore, migratePostgres } from './migrate.js'
import { withConnection } from './open-postgres.js'
import { knownVersion, readSchema, requireEmpty, requireTables } from './schema-version.js'

/**
 * Checks a database, which may be in use, without changing it.
 * @throws DatabaseRefusedError for a database without the tables of this program
 */
export const checkDatabase = (address: PostgresAddress, options: PostgresOptions): Promise<CheckReport> =>
  withConnection(address, options, async (connection) => {
    const { add, end } = createReport()
    const [server] = await connection.all<{ release: string }>(
      "SELECT current_setting('server_version') AS release",
    )
    add('server', true, `PostgreSQL ${server?.release}`)
    await requireTables(address.name, connection)
    const schema = await readSchema(connection, address.name)
    const version = describeVersion(schema, knownVersion)
    if (!add('version', schema.oldest <= knownVersion, version)) return end()
    const wrong = await findWrongSizes(connection, (text) => `octet_length(to_json(${text})::text)`)
    return add('sizes', !wrong, wrong ?? 'the size of every team')
      ? end(await countRecords(connection))
      : end()
  })

/**
 * Checks that a database can be opened as the store opens it, and changes nothing.
 * @throws DatabaseRefusedError, DriverMissingError, StoreUnavailableError
 */
export const inspectDatabase = (
  address: PostgresAddress,
  { mustExist = false, migrate = false, ...options }: PostgresOptions & OpeningOptions,
): Promise<Inspection> => {
  const { name } = address
  let warning: string | undefined
  const onWarning = (found: string) => {
    warning = found
  }
  const inspect = async (connection: SqlConnection): Promise<Inspection> => {
    if (mustExist) await requireTables(name, connection)
    const schema = await readSchema(connection, name)
    const version = schema.version || undefined
    refuseNewer(name, schema, knownVersion)
    if (version !== undefined && !migrate) refuseOlder(name, schema, knownVersion, copyBefore(name))
    if (version === undefined) {
      await requireEmpty(name, connection)
      const [right] = await connection.all<{ granted: boolean }>(
        "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS granted",
      )
      const hint = 'Run: GRANT CREATE, USAGE ON SCHEMA public TO USER'
      if (!right?.granted) throw new DatabaseRefusedError(name, 'the user may not create tables', hint)
    }
    return { version, known: knownVersion, warning }
  }
  return withConnection(address, options, inspect, { poolSize: 1, onWarning })
}

/**
 * Migrates a database to the version that this program knows, as `serve` does at its start.
 * @throws DatabaseRefusedError for a database that is not ours, or newer than we know
 */
export const migrateDatabase = (address: PostgresAddress, options: PostgresOptions): Promise<Migration> =>
  withConnection(address, options, async (connection) => {
    const from = await migratePostgres(address.name, connection)
    return { from, to: Math.max(from, knownVersion) }
  })

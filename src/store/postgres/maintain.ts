import { type Check, type CheckReport, describeVersion } from '../check-report.js'
import type { PostgresAddress } from '../database-address.js'
import { DatabaseRefusedError } from '../database-refused.js'
import type { Inspection, Migration, OpeningOptions } from '../production-store.js'
import { countRecords } from '../sql/state.js'
import type { PostgresOptions } from './connection-options.js'
import {
  knownPostgresVersion,
  migratePostgres,
  readState,
  refuseNewerPostgres,
  refuseOlderPostgres,
  requireEmpty,
  requireTables,
} from './migrate.js'
import { describeMissingSettings } from './pooler-settings.js'
import { withConnection } from './with-connection.js'

/** The length of a project's text in JSON, in SQL. The same as `projectBytes` of the contract. */
const projectBytes = ['name', 'description', 'status']
  .map((column) => `octet_length(to_json(coalesce(${column}, ''))::text) - 2`)
  .join(' + ')

/** Checks a database, which may be in use, without changing it. */
export const checkPostgres = (address: PostgresAddress, options: PostgresOptions): Promise<CheckReport> =>
  withConnection(address, options, async (connection) => {
    const checks: Check[] = []
    const add = (check: Check['check'], ok: boolean, found: string) => {
      checks.push({ check, ok, found })
      return ok
    }
    const report = () => ({ ok: checks.every(({ ok }) => ok), checks })

    const [server] = await connection.all<{ release: string }>(
      "SELECT current_setting('server_version') AS release",
    )
    add('server', true, `PostgreSQL ${server?.release}`)
    const { version, oldest } = await readState(address.name, connection)
    if (version === undefined) {
      add('version', false, 'no tables of this program; "database migrate" makes them')
      return report()
    }
    const isKnown = oldest <= knownPostgresVersion
    if (!add('version', isKnown, describeVersion({ version, oldest }, knownPostgresVersion))) return report()
    const wrong = await connection.all(
      `SELECT team_id FROM (
         SELECT team_id, count(*) AS projects,
           sum(${projectBytes}) AS bytes
         FROM projects GROUP BY team_id
       ) AS held FULL JOIN (SELECT * FROM changes WHERE scope <> '') AS counted ON scope = team_id
       WHERE coalesce(held.projects, 0) <> coalesce(counted.projects, 0)
         OR coalesce(held.bytes, 0) <> coalesce(counted.bytes, 0)`,
    )
    const found = wrong.length > 0 ? `${wrong.length} teams with a wrong size` : 'the size of every team'
    if (!add('sizes', wrong.length === 0, found)) return report()
    return { ...report(), records: await countRecords(connection) }
  })

/**
 * Checks that a database can be opened as the store opens it, and changes nothing.
 * @throws DatabaseRefusedError, DriverMissingError, StoreUnavailableError
 */
export const inspectPostgres = (
  address: PostgresAddress,
  { mustExist = false, migrate = false, ...options }: PostgresOptions & OpeningOptions,
): Promise<Inspection> =>
  withConnection(address, options, async (connection, isPooled) => {
    const { name } = address
    if (mustExist) await requireTables(name, connection)
    const { version, oldest } = await readState(name, connection)
    refuseNewerPostgres(name, version ?? 0, oldest)
    if (version !== undefined && !migrate) refuseOlderPostgres(name, version)
    if (version === undefined) {
      await requireEmpty(name, connection)
      const [right] = await connection.all<{ granted: boolean }>(
        "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS granted",
      )
      const hint = 'Run: GRANT CREATE, USAGE ON SCHEMA public TO USER'
      if (!right?.granted) throw new DatabaseRefusedError(name, 'the user may not create tables', hint)
    }
    const { timeoutMs = 5000 } = options
    const warning = isPooled ? await describeMissingSettings(connection, timeoutMs) : undefined
    return { version, known: knownPostgresVersion, warning }
  })

/**
 * Migrates a database to the version that this program knows, as `serve` does at its start.
 * @throws DatabaseRefusedError for a database that is not ours, or newer than we know
 */
export const migratePostgresDatabase = (
  address: PostgresAddress,
  options: PostgresOptions,
): Promise<Migration> =>
  withConnection(address, options, async (connection) => {
    const from = await migratePostgres(address.name, connection)
    return { from, to: Math.max(from, knownPostgresVersion) }
  })

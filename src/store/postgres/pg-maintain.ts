import { type Check, type CheckReport, describeVersion } from '../check-report.js'
import type { PostgresAddress } from '../database-address.js'
import { stateKinds, zeroCounts } from '../state-file.js'
import { connectionOptions } from './connection-options.js'
import { type Connection, connect } from './pg-connection.js'
import { openingError } from './pg-errors.js'
import { knownPostgresVersion, migratePostgres, projectBytes, readState } from './pg-migrations.js'
import type { PostgresOptions } from './postgres-store.js'

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
    if (!add('version', isKnown, describeVersion(version, knownPostgresVersion))) return report()
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
    const records = zeroCounts()
    for (const kind of stateKinds) {
      const [row] = await connection.all<{ count: number }>(`SELECT count(*)::int AS count FROM ${kind}`)
      records[kind] = row?.count ?? 0
    }
    return { ...report(), records }
  })

/**
 * Migrates a database to the version that this program knows, as `serve` does at its start.
 * @throws DatabaseRefusedError for a database that is not ours, or newer than we know
 */
export const migratePostgresDatabase = (
  address: PostgresAddress,
  options: PostgresOptions,
): Promise<{ from: number; to: number }> =>
  withConnection(address, options, async (connection) => {
    const from = await migratePostgres(address.name, connection)
    return { from, to: Math.max(from, knownPostgresVersion) }
  })

/** Uses one connection without a limit for its statements: large tables take their time. */
async function withConnection<T>(
  address: PostgresAddress,
  { timeoutMs = 5000, ...options }: PostgresOptions,
  act: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    const limits = { connectMs: timeoutMs, statementMs: 0 }
    const connection = await connect(await connectionOptions(address, options), limits)
    return await act(connection).finally(connection.close)
  } catch (error) {
    throw openingError(address.name, error)
  }
}

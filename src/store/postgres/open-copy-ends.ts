import type { CopySource, CopyTarget, ReadPages } from '../copy-records.js'
import type { PostgresAddress } from '../database-address.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { storedColumns } from '../sql/record-columns.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { stateKinds } from '../state-file.js'
import type { PostgresOptions } from './connection-options.js'
import { postgresDialect } from './dialect.js'
import { migratePostgresDatabase } from './maintain.js'
import { knownPostgresVersion, readState } from './migrate.js'
import { transaction } from './postgres-database.js'
import { openConnection, withConnection } from './with-connection.js'

/**
 * Opens a database to copy from; it may be in use or a standby, and is not changed.
 * @throws DatabaseRefusedError for a database that is not ours, or has another version than this program's
 */
export async function openPostgresSource(
  address: PostgresAddress,
  options: PostgresOptions,
): Promise<CopySource> {
  const { name } = address
  const { connection, close } = await openConnection(address, options)
  try {
    await connection.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await requireVersion(name, connection)
    return {
      name,
      identity: await identityOf(connection),
      connection,
      pages,
      async hasChanged() {
        const before = await fingerprint(connection)
        await connection.exec('COMMIT')
        return (await fingerprint(connection)) !== before
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Opens a database to copy to; an empty one gets its tables.
 * @throws DatabaseRefusedError for a database that is not ours, or has another version than this program's
 */
export async function openPostgresTarget(
  address: PostgresAddress,
  options: PostgresOptions,
): Promise<CopyTarget> {
  const { name } = address
  const state = await withConnection(address, options, (connection) => readState(name, connection))
  if (state.version === undefined) await migratePostgresDatabase(address, options)
  const { connection, close } = await openConnection(address, options)
  try {
    await requireVersion(name, connection)
    return {
      name,
      identity: await identityOf(connection),
      dialect: postgresDialect,
      transaction: (work) => transaction(connection, work),
      pages,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** No index has the positions: a cursor sorts once. The driver parses the JSON. */
const pages: ReadPages = async function* (connection, kind) {
  const cursor = `copied_${kind}`
  const record = `json_build_array(${storedColumns(kind).join(', ')})`
  await connection.exec(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${record} AS record FROM ${kind} ORDER BY position`,
  )
  for (;;) {
    const rows = await connection.all<{ record: unknown[] }>(`FETCH 1000 FROM ${cursor}`)
    if (rows.length === 0) break
    yield rows.map(({ record }) => JSON.stringify(record))
  }
  await connection.exec(`CLOSE ${cursor}`)
}

/** The server, and the database's tables. */
async function identityOf(connection: SqlConnection): Promise<string> {
  const [row] = await connection.all<{ identity: string }>(
    `SELECT concat_ws('/', 'server', (SELECT system_identifier FROM pg_control_system()),
       (SELECT oid FROM pg_database WHERE datname = current_database()), 'projects'::regclass::oid) AS identity`,
  )
  return row?.identity ?? ''
}

/** Another text after each commit that changed a record: the transactions that wrote the rows, in no order. */
async function fingerprint(connection: SqlConnection): Promise<string> {
  const rows = stateKinds.map((kind) => `SELECT xmin FROM ${kind}`).join(' UNION ALL ')
  const [row] = await connection.all<{ fingerprint: string }>(
    `SELECT concat(count(*), '/', sum(hashtextextended(xmin::text, 0)::numeric)) AS fingerprint FROM (${rows}) AS written`,
  )
  return row?.fingerprint ?? ''
}

async function requireVersion(name: string, connection: SqlConnection): Promise<void> {
  const { version } = await readState(name, connection)
  if (version === knownPostgresVersion) return
  const hint =
    (version ?? 0) > knownPostgresVersion
      ? 'Use the program that made it, or a newer one.'
      : 'Migrate it with "database migrate"; it was not changed.'
  const reason =
    version === undefined
      ? 'it has no tables of this program'
      : `it has version ${version}, and a copy needs version ${knownPostgresVersion}`
  throw new DatabaseRefusedError(name, reason, hint)
}

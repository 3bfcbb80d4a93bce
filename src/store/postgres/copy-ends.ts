import type { CopySource, CopyTarget, ReadPages } from '../copy-records.js'
import type { PostgresAddress } from '../database-address.js'
import { requireVersion } from '../database-version.js'
import { storedColumns } from '../sql/record-columns.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { stateKinds } from '../state-file.js'
import type { PostgresOptions } from './connection-options.js'
import { postgresDialect } from './dialect.js'
import { migrateDatabase } from './maintain.js'
import { transaction } from './postgres-database.js'
import { knownVersion, readSchema } from './schema-version.js'
import { openConnection, withConnection } from './with-connection.js'

/**
 * Opens a database to copy from; it may be in use or a standby, and is not changed.
 * @throws DatabaseRefusedError for a database that is not ours, or has another version than this program's
 */
export async function openSource(address: PostgresAddress, options: PostgresOptions): Promise<CopySource> {
  const end = await openEnd(address, options, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  return { ...end, readMark: () => readMark(end.connection) }
}

/**
 * Opens a database to copy to; an empty one gets its tables.
 * @throws DatabaseRefusedError for a database that is not ours, or has another version than this program's
 */
export async function openTarget(address: PostgresAddress, options: PostgresOptions): Promise<CopyTarget> {
  const { version } = await withConnection(address, options, (connection) =>
    readSchema(address.name, connection),
  )
  if (version === 0) await migrateDatabase(address, options)
  const end = await openEnd(address, options)
  return { ...end, dialect: postgresDialect, transaction: (work) => transaction(end.connection, work) }
}

/** @param begin the statement that begins a transaction, if there is one */
async function openEnd(address: PostgresAddress, options: PostgresOptions, begin?: string) {
  const { name } = address
  const { connection, close } = await openConnection(address, options)
  try {
    if (begin) await connection.exec(begin)
    requireVersion(name, await readSchema(name, connection), knownVersion)
    return { name, identity: await identityOf(connection), connection, pages, close }
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
async function readMark(connection: SqlConnection): Promise<string> {
  const rows = stateKinds.map((kind) => `SELECT xmin FROM ${kind}`).join(' UNION ALL ')
  const [row] = await connection.all<{ mark: string }>(
    `SELECT concat(count(*), '/', sum(hashtextextended(xmin::text, 0)::numeric)) AS mark FROM (${rows}) AS written`,
  )
  return row?.mark ?? ''
}

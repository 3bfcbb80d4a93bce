import type { CopySource, CopyTarget, ReadPages } from '../copy-records.js'
import type { PostgresAddress } from '../database-address.js'
import { requireVersion } from '../database-version.js'
import { storedColumns } from '../sql/record-columns.js'
import { stateKinds } from '../state-file.js'
import type { PostgresOptions } from './connection-options.js'
import { openingError } from './database-errors.js'
import { migrateDatabase } from './maintain.js'
import { ofCommand, openPostgres, withConnection } from './open-postgres.js'
import { knownVersion, readSchema } from './schema-version.js'

/**
 * Opens a database to copy from; it may be in use or a standby, and is not changed.
 * @throws DatabaseRefusedError for a database that is not ours, or has another version than this program's
 */
export async function openSource(
  address: PostgresAddress,
  options: PostgresOptions,
): Promise<CopySource & CopyTarget> {
  const { name } = address
  const db = await openPostgres(address, { ...options, ...ofCommand })
  try {
    requireVersion(name, await db.onConnection((connection) => readSchema(name, connection)), knownVersion)
    const [row] = await db.read<{ identity: string }>(identity)
    return { ...db, name, identity: row?.identity ?? '', pages, mark }
  } catch (error) {
    await db.close()
    throw openingError(name, error)
  }
}

/** The same to copy to; an empty database gets its tables. */
export async function openTarget(address: PostgresAddress, options: PostgresOptions): Promise<CopyTarget> {
  const { version } = await withConnection(address, options, (connection) =>
    readSchema(address.name, connection),
  )
  if (version === 0) await migrateDatabase(address, options)
  return openSource(address, options)
}

/** No index has the positions: a cursor sorts once. The driver parses the JSON. */
const pages: ReadPages = async function* (connection, kind) {
  const cursor = `copied_${kind}`
  const record = `json_build_array(${storedColumns(kind).join(', ')})`
  await connection.exec(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${record} AS record FROM ${kind} ORDER BY position`,
  )
  try {
    for (;;) {
      const rows = await connection.all<{ record: unknown[] }>(`FETCH 1000 FROM ${cursor}`)
      if (rows.length === 0) break
      yield rows.map(({ record }) => JSON.stringify(record))
    }
  } finally {
    // A transaction of the target that is tried again reads the source once more.
    await connection.exec(`CLOSE ${cursor}`).catch(() => {})
  }
}

/** The server, and the database's tables. */
const identity = `SELECT concat_ws('/', 'server', (SELECT system_identifier FROM pg_control_system()),
  (SELECT oid FROM pg_database WHERE datname = current_database()), 'projects'::regclass::oid) AS identity`

/** Another text after each commit that changed a record: the transactions that wrote the rows, in no order. */
const mark = `SELECT concat(count(*), '/', sum(hashtextextended(xmin::text, 0)::numeric)) AS mark
  FROM (${stateKinds.map((kind) => `SELECT xmin FROM ${kind}`).join(' UNION ALL ')}) AS written`

import { closeAfterUse } from '../close-after-use.js'
import type { PostgresAddress } from '../database-address.js'
import { refuseNewer, refuseOlder } from '../database-version.js'
import type { OpeningOptions } from '../production-store.js'
import type { ReadDatabase, SqlConnection, StoreDatabase } from '../sql/sql-database.js'
import { createWriteQueue } from '../sql/write-queue.js'
import { createRequestCounts } from './count-requests.js'
import { openingError } from './database-errors.js'
import { migratePostgres } from './migrate.js'
import { type DatabaseOptions, openPostgres } from './postgres-database.js'
import { knownVersion, requireTables, tables } from './schema-version.js'

/** The options of commands: one connection, and no time limit for statements on large tables. */
export const ofCommand = { poolSize: 1, statementMs: 0, onWarning: undefined, onCall: undefined }

/** Opens a database, runs work on one connection, and closes it. @throws errors mapped by `openingError` */
export async function withConnection<T>(
  address: PostgresAddress,
  options: DatabaseOptions,
  work: (connection: SqlConnection) => Promise<T>,
  changes: DatabaseOptions = ofCommand,
): Promise<T> {
  return closeAfterUse(openPostgres(address, { ...options, ...changes }), (db) =>
    db.onConnection(work).catch((error) => {
      throw openingError(address.name, error)
    }),
  )
}

/**
 * Opens a database to write to it. Creates the tables of an empty one, and migrates an older version.
 * @param options.migrate without it an older version is refused
 * @throws DatabaseRefusedError if the database belongs to another program, is too new, or this user has no access;
 *   StoreUnavailableError if it cannot be reached
 */
export async function openToWrite(
  address: PostgresAddress,
  { mustExist = false, migrate = false, ...options }: DatabaseOptions & OpeningOptions = {},
): Promise<StoreDatabase> {
  const from = await withConnection(address, options, async (connection) => {
    if (mustExist) await requireTables(address.name, connection)
    return migratePostgres(address.name, connection, { refusesOlder: !migrate })
  })
  const db = openPostgres(address, options)
  const { timeoutMs = 5000 } = options
  const counting = createWriteQueue({ transaction: db.transaction, timeoutMs, isSerial: false })
  return {
    ...db,
    opened: {
      created: from === 0,
      migrated: from > 0 && from < knownVersion ? { from, to: knownVersion } : undefined,
    },
    queueTimeoutMs: timeoutMs,
    readBytes: async () => (await db.readLarge<{ bytes: number }>(sizeQuery))[0]?.bytes ?? 0,
    requestCounts: createRequestCounts(db, counting),
    async close() {
      await counting.close()
      await db.close()
    },
  }
}

/**
 * Opens an existing database to read it. It may be a standby, and the user needs only SELECT.
 * @throws as `openToWrite`, also for an older version or missing tables
 */
export async function openToRead(address: PostgresAddress, options: DatabaseOptions): Promise<ReadDatabase> {
  const { name } = address
  const reading = { ...options, mayBeStandby: true }
  await withConnection(address, reading, async (connection) => {
    const schema = await requireTables(name, connection)
    refuseNewer(name, schema, knownVersion)
    refuseOlder(name, schema, knownVersion)
  })
  return openPostgres(address, reading)
}

/** The size of all tables of this program with their indexes, in bytes. */
const sizeQuery = `SELECT sum(pg_total_relation_size(to_regclass(name)))::float8 AS bytes
  FROM unnest(ARRAY['${tables.join("', '")}']) AS name`

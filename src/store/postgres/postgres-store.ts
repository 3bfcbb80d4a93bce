import type { PostgresAddress } from '../database-address.js'
import { refuseNewer, refuseOlder } from '../database-version.js'
import type { OpeningOptions, ProductionStore } from '../production-store.js'
import type { ReadDatabase } from '../sql/sql-database.js'
import { createSqlStore, type SqlStoreOptions } from '../sql/sql-store.js'
import { createWriteQueue } from '../sql/write-queue.js'
import type { PostgresOptions } from './connection-options.js'
import { createRequestCounts } from './count-requests.js'
import { migratePostgres } from './migrate.js'
import { openPostgres, withConnection } from './open-postgres.js'
import type { PostgresDatabase } from './postgres-database.js'
import { knownVersion, readSchema, requireTables, rewriteVersion, tables } from './schema-version.js'

/**
 * Opens the production store over PostgreSQL. An empty database gets its tables; one of an older version is migrated.
 * @param options.migrate without it an older version is refused
 * @throws DatabaseRefusedError where the database is not ours, newer than we know, or not accessible for this user;
 *   StoreUnavailableError where it cannot be reached
 */
export async function openPostgresStore(
  address: PostgresAddress,
  options: PostgresOptions & OpeningOptions & SqlStoreOptions = {},
): Promise<ProductionStore> {
  const { timeoutMs = 5000 } = options
  const { db, from } = await openPostgresToWrite(address, options)
  const { transaction, otherPrimaries } = db
  const queue = createWriteQueue({ transaction, timeoutMs, maxBatches: 2 })
  const counting = createWriteQueue({ transaction, timeoutMs, maxBatches: 1 })
  const store = createSqlStore(db, queue, options, {
    opened: {
      created: from === 0,
      migrated: from > 0 && from < knownVersion ? { from, to: knownVersion } : undefined,
    },
    readBytes: async () => (await db.readLarge<{ bytes: number }>(sizeQuery))[0]?.bytes ?? 0,
    rewriteVersion,
    otherPrimaries,
    requestCounts: createRequestCounts(db, counting),
  })
  const close = async () => {
    await counting.close()
    await store.close()
  }
  return { ...store, close }
}

/**
 * Opens a database to write to it. An empty one gets its tables.
 * @returns with the version before
 */
export async function openPostgresToWrite(
  address: PostgresAddress,
  { mustExist = false, migrate = false, ...options }: PostgresOptions & OpeningOptions & SqlStoreOptions,
): Promise<{ db: PostgresDatabase; from: number }> {
  const from = await withConnection(address, options, async (connection) => {
    if (mustExist) await requireTables(address.name, connection)
    return migratePostgres(address.name, connection, { refusesOlder: !migrate })
  })
  return { db: await openPostgres(address, options), from }
}

/**
 * Opens an existing database to read it; it may be a standby, and the user needs no right but SELECT.
 * @throws as `openPostgresStore`, also for a database of an older version, or without tables
 */
export async function openPostgresToRead(
  address: PostgresAddress,
  options: PostgresOptions,
): Promise<ReadDatabase> {
  const { name } = address
  await withConnection(address, options, async (connection) => {
    await requireTables(name, connection)
    const schema = await readSchema(connection, name)
    refuseNewer(name, schema, knownVersion)
    refuseOlder(name, schema, knownVersion)
  })
  return openPostgres(address, options)
}

/** The bytes of all tables of this program, with their indexes. */
const sizeQuery = `SELECT sum(pg_total_relation_size(to_regclass(name)))::float8 AS bytes
  FROM unnest(ARRAY['${tables.join("', '")}']) AS name`

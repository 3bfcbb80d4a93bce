import type { PostgresAddress } from '../database-address.js'
import { refuseNewer } from '../database-version.js'
import type { OpeningOptions, ProductionReader, ProductionStore } from '../production-store.js'
import { readerOfAnyVersion } from '../sql/reader-of-any-version.js'
import { createSqlStore, type SqlStoreOptions } from '../sql/sql-store.js'
import { createWriteQueue } from '../sql/write-queue.js'
import type { PostgresOptions } from './connection-options.js'
import { createRequestCounts } from './count-requests.js'
import { migratePostgres } from './migrate.js'
import { openPostgres, withConnection } from './open-postgres.js'
import { knownVersion, readSchema, requireTables, rewriteVersion, tables } from './schema-version.js'

/**
 * Opens the production store over PostgreSQL. An empty database gets its tables; one of an older version is migrated.
 * @param options.migrate without it an older version is refused
 * @throws DatabaseRefusedError where the database is not ours, newer than we know, or not accessible for this user;
 *   StoreUnavailableError where it cannot be reached
 */
export async function openPostgresStore(
  address: PostgresAddress,
  { mustExist = false, migrate = false, ...options }: PostgresOptions & OpeningOptions & SqlStoreOptions = {},
): Promise<ProductionStore> {
  const { name } = address
  const from = await withConnection(address, options, async (connection) => {
    if (mustExist) await requireTables(name, connection)
    return migratePostgres(name, connection, { refusesOlder: !migrate })
  })
  const { timeoutMs = 5000 } = options
  const db = await openPostgres(address, options)
  const { transaction } = db
  const queue = createWriteQueue({ transaction, timeoutMs, maxBatches: 2 })
  const counting = createWriteQueue({ transaction, timeoutMs, maxBatches: 1 })
  const store = createSqlStore(db, queue, options, {
    opened: {
      created: from === 0,
      migrated: from > 0 && from < knownVersion ? { from, to: knownVersion } : undefined,
      known: knownVersion,
    },
    readSchema: (connection) => readSchema(name, connection),
    readBytes: async () => (await db.readLarge<{ bytes: number }>(sizeQuery))[0]?.bytes ?? 0,
  })
  return {
    ...store,
    requestCounts: createRequestCounts(db, counting),
    otherPrimaries: db.otherPrimaries,
    probe: () => transaction(rewriteVersion),
    async close() {
      await counting.close()
      await store.close()
    },
  }
}

/**
 * Opens an existing database to read it; it may be a standby, and the user needs no right but SELECT.
 * @throws as `openPostgresStore`, also for a database without tables
 */
export async function openPostgresReader(
  address: PostgresAddress,
  options: PostgresOptions = {},
): Promise<ProductionReader> {
  const schema = await withConnection(address, options, async (connection) => {
    await requireTables(address.name, connection)
    const schema = await readSchema(address.name, connection)
    refuseNewer(address.name, schema, knownVersion)
    return schema
  })
  const db = await openPostgres(address, options)
  return readerOfAnyVersion(db, address.name, schema, knownVersion)
}

/** The bytes of all tables of this program, with their indexes. */
const sizeQuery = `SELECT sum(pg_total_relation_size(to_regclass(name)))::float8 AS bytes
  FROM unnest(ARRAY['${tables.join("', '")}']) AS name`

import { resolve } from 'node:path'
import type { DatabaseAddress } from '../database-address.js'
import type { PostgresOptions } from '../postgres/connection-config.js'
import type { ProductionReader, ProductionStore } from '../production-store.js'
import type { ReadDatabase, StoreDatabase } from '../sql/sql-database.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'
import type { SqliteOptions } from '../sqlite/open-file.js'

/** How long commands wait for a lock of another process on a SQLite file, in milliseconds. */
const busyTimeoutMs = 5_000

// Only the needed driver is loaded. Each function throws DatabaseRefusedError, DriverMissingError or StoreUnavailableError.

/** The options of both databases. Each ignores the options of the other. */
type Options = PostgresOptions & SqliteOptions & SqlStoreOptions

/**
 * Opens the production store at an address. Creates the tables in a missing file or an empty database.
 * @param options.migrate without it an older version is refused
 */
export async function openStore(address: DatabaseAddress, options: Options = {}): Promise<ProductionStore> {
  const [db, { createSqlStore }] = [await openToWrite(address, options), await import('../sql/sql-store.js')]
  return createSqlStore(db, options)
}

/**
 * Opens an existing database to read it. Changes nothing; an older version is refused.
 * @returns the database, named as the address is written
 */
export async function openToRead(address: DatabaseAddress, options: Options = {}): Promise<ReadDatabase> {
  const db =
    address.kind === 'postgres'
      ? await (await import('../postgres/open-postgres.js')).openToRead(address, options)
      : await (await import('../sqlite/open-sqlite.js')).openToRead(resolve(address.file), busyTimeoutMs)
  return { ...db, name: address.name }
}

/** Opens a database to write to it, see `openStore`. */
export async function openToWrite(address: DatabaseAddress, options: Options = {}): Promise<StoreDatabase> {
  const { kind, name } = address
  const db =
    kind === 'postgres'
      ? await (await import('../postgres/open-postgres.js')).openToWrite(address, options)
      : await (await import('../sqlite/sqlite-database.js')).openSqliteDatabase(address.file, options)
  return { ...db, name }
}

/** Opens the store of an existing database to read it, see `openToRead`. */
export async function openReader(address: DatabaseAddress, options?: Options): Promise<ProductionReader> {
  const [db, { sqlReads }] = [await openToRead(address, options), await import('../sql/sql-store.js')]
  return { ...sqlReads(db), close: db.close }
}

/** The file of a database that other users of this machine can read; undefined if they cannot, or it has none. */
export async function fileReadableByOthers(address: DatabaseAddress): Promise<string | undefined> {
  if (address.kind !== 'sqlite') return undefined
  const check = await import('../sqlite/check-file.js')
  return (await check.isReadableByOthers(address.file)) ? address.file : undefined
}

import { resolve } from 'node:path'
import { type DatabaseAddress, defaultDatabaseFile } from '../database-address.js'
import type { PostgresOptions } from '../postgres/connection-options.js'
import type { OpeningOptions, ProductionReader, ProductionStore } from '../production-store.js'
import type { ReadDatabase, SqlDatabase } from '../sql/sql-database.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'

/** How long commands wait for the lock of another process on a SQLite file, in milliseconds. */
const busyTimeoutMs = 5_000

// Only what a kind of database needs is loaded. Each function throws DatabaseRefusedError, DriverMissingError or
// StoreUnavailableError.

/**
 * Opens the production store at an address.
 * @param options those of PostgreSQL mean nothing for a SQLite file
 */
export async function openStore(
  address: DatabaseAddress,
  options: PostgresOptions & OpeningOptions & SqlStoreOptions = {},
): Promise<ProductionStore> {
  if (address.kind === 'postgres') {
    const { openPostgresStore } = await import('../postgres/postgres-store.js')
    return openPostgresStore(address, options)
  }
  const { openSqliteStore } = await import('../sqlite/sqlite-store.js')
  return openSqliteStore(address.file, { ...options, makeFolder: address.file === defaultDatabaseFile })
}

/**
 * Opens an existing database to read it. Nothing is changed, and nothing is migrated: an older version is refused.
 * @returns named as the address is written
 */
export async function openToRead(
  address: DatabaseAddress,
  options: PostgresOptions = {},
): Promise<ReadDatabase> {
  const db =
    address.kind === 'postgres'
      ? await (await import('../postgres/postgres-store.js')).openPostgresToRead(address, options)
      : await (await import('../sqlite/check-file.js')).openChecked(resolve(address.file), busyTimeoutMs)
  return { ...db, name: address.name }
}

/** Opens a database to write to it. A missing file, and an empty database, gets its tables; an older version is refused. */
export async function openToWrite(
  address: DatabaseAddress,
  options: PostgresOptions = {},
): Promise<SqlDatabase> {
  const toCreate = { ...options, mustExist: false }
  const db =
    address.kind === 'postgres'
      ? (await (await import('../postgres/postgres-store.js')).openPostgresToWrite(address, toCreate)).db
      : await (await import('../sqlite/reopening-database.js')).openReopeningDatabase(
          resolve(address.file),
          busyTimeoutMs,
        )
  return { ...db, name: address.name }
}

/** Opens the store of an existing database to read it, see `openToRead`. */
export async function openReader(
  address: DatabaseAddress,
  options?: PostgresOptions,
): Promise<ProductionReader> {
  const [db, { sqlReads }] = [await openToRead(address, options), await import('../sql/sql-store.js')]
  return { ...sqlReads(db), close: db.close }
}

import type { CopySource, CopyTarget } from '../copy-records.js'
import { type DatabaseAddress, defaultDatabaseFile } from '../database-address.js'
import type { PostgresOptions } from '../postgres/connection-options.js'
import type { OpeningOptions, ProductionReader, ProductionStore } from '../production-store.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'

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
 * Opens an existing database to read it. Nothing is changed, and nothing is migrated: an older version is read as far as
 * it has what is asked for.
 */
export async function openReader(
  address: DatabaseAddress,
  options: PostgresOptions = {},
): Promise<ProductionReader> {
  return address.kind === 'postgres'
    ? (await import('../postgres/postgres-store.js')).openPostgresReader(address, options)
    : (await import('../sqlite/sqlite-store.js')).openSqliteReader(address)
}

/** Opens the database at an address to copy from. */
export async function openSource(address: DatabaseAddress, options: PostgresOptions): Promise<CopySource> {
  return address.kind === 'postgres'
    ? (await import('../postgres/copy-ends.js')).openSource(address, options)
    : (await import('../sqlite/copy-ends.js')).openSource(address.file)
}

/** Opens the database at an address to copy to. */
export async function openTarget(address: DatabaseAddress, options: PostgresOptions): Promise<CopyTarget> {
  return address.kind === 'postgres'
    ? (await import('../postgres/copy-ends.js')).openTarget(address, options)
    : (await import('../sqlite/copy-ends.js')).openTarget(address.file)
}
